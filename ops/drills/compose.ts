import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBuildah } from '../../tools/release/buildah.ts'
import { runChecks } from './compose-checks.ts'
import type { ComposeEnvironment } from './compose-requests.ts'
import { createCertificate } from './kit/certificate.ts'
import { startDocker } from './kit/containers/docker.ts'
import {
  addAddress,
  buildRelease,
  unpack,
  type ReleaseFolder,
} from './kit/containers/release-folder.ts'
import { externalClient } from './kit/http-clients.ts'
import { startNetworkServices } from './kit/network-services.ts'
import { report, seconds } from './kit/results.ts'

/** Of this machine for the time of the drill; reserved for documentation, so it leads nowhere else. */
const ADDRESS = '192.0.2.10'
/** They differ from every default, so that a value written into a file fails the drill. */
const SITE_HOST = 'www.deployer.internal'
const IDENTITY_HOST = 'people.deployer.internal'
const OTHER_SITE_HOST = 'www.other.internal'
const OTHER_IDENTITY_HOST = 'id.other.internal'
const RELAY_HOST = 'relay.deployer.internal'
const RELAY_PORT = 2525
const HOSTS = [SITE_HOST, IDENTITY_HOST, OTHER_SITE_HOST, OTHER_IDENTITY_HOST, RELAY_HOST]

/**
 * From the files of a release to a running site, as docs/operating.md says: an empty Docker engine, an answers file, `init`, `up`.
 * Then what the images promise, a second site and one with code of its own.
 */
export async function compose() {
  const started = Date.now()
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-compose-'))
  chmodSync(directory, 0o755)
  try {
    const release = buildRelease()
    const builtAfter = seconds(started)
    const results = await onNetwork(directory, release)
    const figures = `release built in ${builtAfter} s, all in ${seconds(started)} s`
    return report('compose', results, figures)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function onNetwork(directory: string, release: ReleaseFolder) {
  const network = await addAddress(ADDRESS)
  try {
    const certificate = createCertificate(directory, ...HOSTS)
    const services = await startNetworkServices({
      address: ADDRESS,
      names: Object.fromEntries(HOSTS.map((host) => [host, ADDRESS])),
      relay: {
        address: ADDRESS,
        port: RELAY_PORT,
        tls: { certificate: certificate.file, key: certificate.key },
      },
    })
    try {
      return await onEngine(directory, { release, certificate, services })
    } finally {
      await services.stop()
    }
  } finally {
    network.remove()
  }
}

type Prepared = Pick<ComposeEnvironment, 'release' | 'services'> & {
  certificate: ReturnType<typeof createCertificate>
}

async function onEngine(directory: string, { release, certificate, services }: Prepared) {
  const docker = await startDocker(directory, { buildah: startBuildah(), nameServer: ADDRESS })
  try {
    return await runChecks({
      docker,
      release,
      services,
      site: `https://${SITE_HOST}`,
      identity: `https://${IDENTITY_HOST}`,
      visit: externalClient({ port: 443, certificate: readFileSync(certificate.file, 'utf8') }),
      answers: answersFor(SITE_HOST, IDENTITY_HOST),
      otherAnswers: answersFor(OTHER_SITE_HOST, OTHER_IDENTITY_HOST),
      deploy: (name) => unpack({ docker, directory, release, name, certificate }),
    })
  } finally {
    await docker.stop()
  }
}

const answersFor = (site: string, identity: string) => ({
  SITE_HOST: site,
  IDENTITY_HOST: identity,
  OWNER_EMAIL: `owner@${site}`,
  SMTP_URL: `smtp://${RELAY_HOST}:${RELAY_PORT}`,
  TLS: 'files',
  SITE_NAME: `O'Neill & Sons $5 IT`,
  LEGAL_NAME: `O'Neill & Sons Ltd`,
  POSTAL_ADDRESS: '1 Main Street, Cork',
  PRIVACY_EMAIL: `privacy@${site}`,
  COUNTRY: 'IE',
})
