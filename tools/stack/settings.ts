import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'

export const CHECKOUT = join(import.meta.dirname, '../..')

/** Claim of the stack's realm that is true for owners. */
export const OWNER_PATH = 'owner'

/** Ports and paths of a stack. Other ports make another stack, beside the first. */
export function readSettings(env: NodeJS.ProcessEnv = process.env) {
  const portOf = (fallback: number, ...names: string[]) => {
    const text = names.map((name) => env[name]).find((value) => value) ?? String(fallback)
    const port = Number(text)
    if (Number.isInteger(port) && port > 0 && port < 65_536) return port
    throw new Error(`${names.join(' or ')} must be a port, not "${text}"`)
  }
  const keycloak = portOf(8280, 'KEYCLOAK_PORT')
  const ports = {
    site: portOf(8080, 'SITE_PORT', 'PORT'),
    api: portOf(8081, 'API_PORT'),
    metrics: portOf(9464, 'METRICS_PORT'),
    /** nginx in front of Keycloak, and Keycloak itself. */
    keycloak,
    keycloakInner: portOf(keycloak + 1, 'KEYCLOAK_INNER_PORT'),
    postgres: portOf(8432, 'POSTGRES_PORT'),
    smtp: portOf(8225, 'MAIL_SMTP_PORT'),
    mail: portOf(8226, 'MAIL_PORT'),
  }
  const identityProvider = `http://localhost:${ports.keycloak}`
  return {
    ports,
    site: `http://localhost:${ports.site}`,
    mail: `http://localhost:${ports.mail}`,
    identityProvider,
    issuer: `${identityProvider}/realms/gatehouse`,
    identityAdmin: `http://127.0.0.1:${ports.keycloakInner}`,
    /** As specified; installations use `state`. */
    returnUrl: env['SIGN_IN_RETURN_URL'] || 'query',
    /** Off, because visitors of a demo have no second factor. */
    adminMfa: env['ADMIN_MFA'] || 'off',
    databaseUrl: (role: string, database = 'gatehouse') =>
      `postgres://${role}@127.0.0.1:${ports.postgres}/${database}`,
    state: stateDirectory(ports.site),
    /** Pages the API renders for nginx. */
    pages: join(stateDirectory(ports.site), 'pages'),
    /** Files that people attach; nginx reads them. */
    files: join(stateDirectory(ports.site), 'files'),
  }
}

export type Settings = ReturnType<typeof readSettings>

/** Outside the checkout: PostgreSQL's user may not read a home folder. */
function stateDirectory(sitePort: number) {
  const hash = createHash('sha256').update(CHECKOUT).digest('hex').slice(0, 8)
  return `/var/tmp/gatehouse-${hash}-${sitePort}`
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

export async function freePorts(): Promise<Record<string, string>> {
  const names =
    'SITE_PORT API_PORT METRICS_PORT KEYCLOAK_PORT KEYCLOAK_INNER_PORT POSTGRES_PORT MAIL_SMTP_PORT MAIL_PORT'.split(
      ' ',
    )
  const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())]))
  return Object.fromEntries(ports)
}
