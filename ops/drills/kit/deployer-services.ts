import { readFileSync } from 'node:fs'
import { createCertificate } from './certificate.ts'
import { addAddress } from './containers/release-folder.ts'
import { externalClient } from './http-clients.ts'
import { startNetworkServices } from './network-services.ts'
import { startObjectStore } from './object-store.ts'

/** Of this machine for the time of a drill; reserved for documentation. */
export const ADDRESS = '192.0.2.10'
export const SITE_HOST = 'www.deployer.internal'
const IDENTITY_HOST = 'people.deployer.internal'
const RELAY_HOST = 'relay.deployer.internal'
const STORE_HOST = 's3.deployer.internal'
export const HOSTS = [SITE_HOST, IDENTITY_HOST, RELAY_HOST, STORE_HOST]
const RELAY_PORT = 2525

/** Answers to `gatehouse init`, but for the bucket. */
const ANSWERS = {
  SITE_HOST,
  IDENTITY_HOST,
  OWNER_EMAIL: `owner@${SITE_HOST}`,
  SMTP_URL: `smtp://${RELAY_HOST}:${RELAY_PORT}`,
  TLS: 'files',
  SITE_NAME: 'Copperfield IT',
  LEGAL_NAME: 'Copperfield IT Ltd',
  POSTAL_ADDRESS: '1 Main Street, Cork',
  PRIVACY_EMAIL: `privacy@${SITE_HOST}`,
  COUNTRY: 'IE',
}

/** What a deployer has before an installation: a mail relay and a bucket, and the names that the name server knows. */
export async function startDeployerServices(directory: string, names: Record<string, string>) {
  const ends: (() => unknown)[] = []
  const stop = async () => {
    for (const end of ends.toReversed()) await end()
  }
  try {
    const network = await addAddress(ADDRESS)
    ends.push(network.remove)
    const certificate = createCertificate(directory, ...HOSTS)
    const services = await startNetworkServices({
      address: ADDRESS,
      names,
      relay: {
        address: ADDRESS,
        port: RELAY_PORT,
        tls: { certificate: certificate.file, key: certificate.key },
      },
    })
    ends.push(services.stop)
    const store = await startObjectStore({
      directory,
      address: ADDRESS,
      host: STORE_HOST,
      certificate,
    })
    ends.push(store.stop)
    return { certificate, services, store, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export type DeployerServices = Awaited<ReturnType<typeof startDeployerServices>>

/** The site that is installed with these services, as a visitor and its owner reach it. */
export const siteOf = ({ certificate, services, store }: DeployerServices) => ({
  services,
  site: `https://${SITE_HOST}`,
  identity: `https://${IDENTITY_HOST}`,
  visit: externalClient({ port: 443, certificate: readFileSync(certificate.file, 'utf8') }),
  answers: { ...ANSWERS, ...store.answers },
})
