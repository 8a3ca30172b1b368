import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenOf, type OwnedSite } from './compose-account.ts'
import { writeAnswers } from './compose-init.ts'
import type { UpgradeEnvironment } from './install-upgrade.ts'
import {
  ADDRESS,
  HOSTS,
  SITE_HOST,
  siteOf,
  startDeployerServices,
  type DeployerServices,
} from './kit/deployer-services.ts'
import { buildSiteClient } from './kit/http-clients.ts'
import { cached } from './kit/cached.ts'
import { startServerMachine, type ServerMachine } from './kit/containers/server-machine.ts'

/** By the names of docs/operating.md. */
export const SYSTEMS = { 'debian-12': 'bookworm', 'debian-13': 'trixie', noble: 'noble' } as const
export type SystemName = keyof typeof SYSTEMS

/** Shorter than a token's lifetime. */
const TOKEN_MS = 120_000
const UNPACKED = '/root/gatehouse'
/** Of the unpacked archive, before there is a command of the server. */
export const FIRST = `${UNPACKED}/programs/gatehouse`

export type Server = UpgradeEnvironment & {
  owned: OwnedSite
  version: string
  issuer: string
}

/** A mail relay and a bucket, for servers that are installed from the archive. */
export async function withDeployer<T>(
  name: string,
  use: (outside: DeployerServices) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), `gatehouse-${name}-`))
  chmodSync(directory, 0o755)
  try {
    const outside = await startDeployerServices(directory, {})
    try {
      return await use(outside)
    } finally {
      await outside.stop()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

type Wanted = {
  outside: DeployerServices
  system: SystemName
  /** Without authority and certificate, which a restore brings. */
  isBare?: boolean
}

/** A fresh server with the archive; nothing of it is left afterwards. */
export async function onServer<T>(
  { outside, system, isBare = false }: Wanted,
  use: (server: Server) => Promise<T>,
): Promise<T> {
  const { stop, ...machine } = await startServerMachine({
    system: SYSTEMS[system],
    names: `${ADDRESS} ${HOSTS.join(' ')}`,
    ...(isBare ? {} : { authority: outside.certificate.file, certificate: outside.certificate }),
  })
  try {
    return await use(serverOf(machine, outside))
  } finally {
    await stop()
  }
}

export const unpackRelease = ({ machine, version }: Server) =>
  machine.run(
    `mkdir ${UNPACKED} && tar -C ${UNPACKED} --strip-components=1 -xzf /root/releases/gatehouse-${version}.tar.gz`,
    {},
  )

export function initialiseServer({ machine, root, owned }: Server) {
  writeAnswers(join(root, 'root'), owned.answers)
  return machine.run(`${FIRST} init --answers /root/answers`, {})
}

function serverOf(machine: Omit<ServerMachine, 'stop'>, outside: DeployerServices): Server {
  const ca = readFileSync(outside.certificate.file, 'utf8')
  const owned = siteOf(outside)
  return {
    ...machine,
    ask: buildSiteClient(SITE_HOST, ca),
    askFrom: (address) => buildSiteClient(SITE_HOST, ca, address),
    token: cached(TOKEN_MS, () => tokenOf(owned)),
    visit: owned.visit,
    owned,
    issuer: `${owned.identity}/realms/gatehouse`,
  }
}
