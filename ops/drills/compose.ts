import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBuildah } from '../../tools/release/buildah.ts'
import { runChecks } from './compose-checks.ts'
import type { ComposeEnvironment } from './compose-requests.ts'
import { createCertificate } from './kit/certificate.ts'
import { openDeployment } from './kit/containers/deployment.ts'
import { startDocker, type Docker } from './kit/containers/docker.ts'
import { externalClient } from './kit/http-clients.ts'
import { startNetworkServices } from './kit/network-services.ts'
import { report, seconds } from './kit/results.ts'

const CHECKOUT = new URL('../..', import.meta.url).pathname
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
  const release = buildRelease()
  const builtAfter = seconds(started)
  const network = addAddress()
  const { file, key } = createCertificate(directory, ...HOSTS)
  const services = await startNetworkServices({
    address: ADDRESS,
    names: Object.fromEntries(HOSTS.map((host) => [host, ADDRESS])),
    relay: { address: ADDRESS, port: RELAY_PORT, certificate: file, key },
  })
  const docker = await startDocker(directory, { buildah: startBuildah(), nameServer: ADDRESS })
  try {
    const results = await runChecks({
      docker,
      release,
      services,
      site: `https://${SITE_HOST}`,
      identity: `https://${IDENTITY_HOST}`,
      visit: externalClient({ port: 443, certificate: readFileSync(file, 'utf8') }),
      answers: answersFor(SITE_HOST, IDENTITY_HOST),
      otherAnswers: answersFor(OTHER_SITE_HOST, OTHER_IDENTITY_HOST),
      deploy: (name) => unpack({ docker, directory, release, name, certificate: { file, key } }),
    })
    return report(
      'compose',
      results,
      `release built in ${builtAfter} s, all in ${seconds(started)} s`,
    )
  } finally {
    await docker.stop()
    await services.stop()
    network.remove()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** `--built`: as it lies in .build/release, for whoever works on this drill. */
function buildRelease() {
  const folder = join(CHECKOUT, '.build/release')
  if (!process.argv.includes('--built'))
    execFileSync('npm', ['run', '--silent', 'release', '--', 'build', '--to', folder], {
      cwd: CHECKOUT,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  const name = readdirSync(folder).find((file) => /^gatehouse-[\d.]+\.tar\.gz$/.test(file)) ?? ''
  return { folder, programs: join(folder, name) }
}

function addAddress() {
  const ip = (...args: string[]) =>
    execFileSync('ip', ['address', ...args, `${ADDRESS}/32`, 'dev', 'lo'])
  try {
    ip('add')
  } catch {
    // A drill that was killed has left it.
  }
  return { remove: () => void ip('delete') }
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

type Unpacked = {
  docker: Docker
  directory: string
  release: ComposeEnvironment['release']
  name: string
  certificate: { file: string; key: string }
}

/** An installation's folder with its certificate, which is its own authority. */
function unpack({ docker, directory, release, name, certificate }: Unpacked) {
  const folder = join(directory, name)
  mkdirSync(folder)
  execFileSync('tar', ['-C', folder, '--strip-components=1', '-xzf', release.programs])
  copyFileSync(certificate.file, join(folder, 'tls/certificate.pem'))
  copyFileSync(certificate.file, join(folder, 'tls/authority.pem'))
  copyFileSync(certificate.key, join(folder, 'tls/key.pem'))
  chmodSync(join(folder, 'tls/key.pem'), 0o444)
  return openDeployment({ docker, folder })
}
