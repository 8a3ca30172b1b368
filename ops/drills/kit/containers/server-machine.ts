import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { shipDirectory, type Release } from '../../../../tools/release/debian-base.ts'
import { fetchKeycloak } from '../../../../tools/stack/keycloak.ts'
import { isTaken } from '../../../../tools/stack/process.ts'
import { freePort } from '../../../../tools/stack/settings.ts'
import { buildServerReleases } from '../server-release.ts'
import { bootMachine, machineRoot, unpackSystem } from './machine.ts'

const CHECKOUT = new URL('../../../..', import.meta.url).pathname

type Brought = {
  system?: Release
  /** Names that lead to an address, for the machine's file of hosts. */
  names: string
  /** Of the private network. */
  authority?: string
  /** The site's own; without one the server has to get it. */
  certificate?: { file: string; key: string }
}

export type ServerMachine = Awaited<ReturnType<typeof startServerMachine>>

/** `--built`: archives as they lie in .build/server, for whoever works on a drill. */
let areReleasesBuilt = process.argv.includes('--built')

/**
 * A fresh machine with what a deployer copies there: the archives of this release and of the next, that of Keycloak, the authority of
 * the private network.
 */
export async function startServerMachine(brought: Brought) {
  for (const port of [80, 443])
    if (await isTaken(port)) throw new Error(`Port ${port} is taken; nginx of the drill needs it`)
  const { system = 'bookworm', names } = brought
  const root = machineRoot()
  const remove = () => rmSync(root, { recursive: true, force: true })
  try {
    const ports = [await freePort(), await freePort()]
    unpackSystem(root, { system, names })
    const version = bringFiles(root, brought)
    const machine = await bootMachine(root, system)
    return {
      machine,
      root,
      ports,
      version,
      /** Of the first run: ports that are free on this machine, which lends its network. */
      env: {
        KEYCLOAK_ARCHIVE: '/root/keycloak.tar.gz',
        KEYCLOAK_PORT: String(await freePort()),
        API_PORTS: ports.join(' '),
      },
      stop: async () => {
        await machine.stop()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

function bringFiles(root: string, { authority, certificate }: Brought) {
  const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as {
    version: string
  }
  const releases = join(CHECKOUT, '.build/server')
  if (!areReleasesBuilt) buildServerReleases(releases, { version })
  areReleasesBuilt = true
  cpSync(releases, join(root, 'root/releases'), { recursive: true })
  const keycloak = join(shipDirectory(), 'keycloak')
  mkdirSync(keycloak, { recursive: true })
  cpSync(fetchKeycloak(keycloak), join(root, 'root/keycloak.tar.gz'))
  const tls = join(root, 'etc/gatehouse/tls')
  mkdirSync(tls, { recursive: true })
  if (authority) cpSync(authority, join(tls, 'authority.pem'))
  if (certificate) {
    cpSync(certificate.file, join(tls, 'certificate.pem'))
    cpSync(certificate.key, join(tls, 'key.pem'))
  }
  return version
}
