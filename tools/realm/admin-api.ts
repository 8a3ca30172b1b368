import { SetupError } from '../../api/src/platform/errors.ts'
import { REALM } from './settings.ts'
import type { Options } from './options.ts'

const TIMEOUT_MS = 60_000
/** Less than the minute a token of the realm master is valid. */
const TOKEN_MS = 40_000

export type Json = Record<string, unknown>

/** Client of Keycloak's admin API, as the account that applies the realm. Without `isWriting`, changes are only listed. */
export function connectAdminApi(
  { keycloak }: Pick<Options, 'keycloak'>,
  { isWriting = true } = {},
) {
  let token = { text: '', until: 0 }

  async function signIn() {
    if (Date.now() < token.until) return token.text
    const response = await fetch(`${keycloak.url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: keycloak.client,
        client_secret: keycloak.secret,
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok)
      throw new SetupError(
        `Keycloak rejected ${keycloak.client} (${response.status}): create the account with kc.sh bootstrap-admin service`,
      )
    const { access_token: text } = (await response.json()) as { access_token: string }
    token = { text, until: Date.now() + TOKEN_MS }
    return text
  }

  async function send(method: string, address: string, body?: unknown) {
    const response = await fetch(`${keycloak.url}/admin/realms${address}`, {
      method,
      headers: {
        authorization: `Bearer ${await signIn()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (!response.ok)
      throw new AdminError(response.status, `${method} ${address}: ${response.status} ${text}`)
    return { text, location: response.headers.get('location') }
  }

  const changes: string[] = []
  return {
    /** Descriptions of changes made, or planned if not `isWriting`. */
    changes,
    isWriting,
    read: async <T = Json>(path: string) =>
      JSON.parse((await send('GET', `/${REALM}${path}`)).text) as T,
    readOrNull: async <T = Json>(path: string) => {
      try {
        return JSON.parse((await send('GET', `/${REALM}${path}`)).text) as T
      } catch (error) {
        if (error instanceof AdminError && error.status === 404) return null
        throw error
      }
    },
    /** Records the change; returns the id of the created resource. */
    change: async (what: string, method: string, path: string, body?: unknown) => {
      changes.push(what)
      if (!isWriting) return ''
      const { location } = await send(
        method,
        path === '' && method === 'POST' ? '' : `/${REALM}${path}`,
        body,
      )
      // A token from before lacks the permissions on the new realm.
      if (path === '' && method === 'POST') token = { text: '', until: 0 }
      return location?.split('/').pop() ?? ''
    },
  }
}

export type AdminApi = ReturnType<typeof connectAdminApi>

class AdminError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
