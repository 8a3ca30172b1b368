import { identityUnavailable } from '#platform/errors.ts'

const TIMEOUT_MS = 10_000
const TOKEN_MARGIN_MS = 10_000

/** Keycloak's base URL, without `/admin`, and the client of our service account. */
export type ProviderSettings = { url: string; realm: string; client: string; secret: string }

/** Cause of the problem that the caller gets. */
export class ProviderStatusError extends Error {
  readonly status: number
  constructor(method: string, status: number) {
    super(`${method}: ${status}`)
    this.status = status
  }
}

export function connectProvider({ url, realm, client, secret }: ProviderSettings) {
  let token = { text: '', until: 0 }

  async function signIn() {
    if (Date.now() < token.until) return token.text
    const response = await request(`${url}/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client,
        client_secret: secret,
      }),
    })
    if (!response.ok) throw identityUnavailable()
    const { access_token: text, expires_in: seconds } = (await response.json()) as {
      access_token: string
      expires_in: number
    }
    token = { text, until: Date.now() + seconds * 1000 - TOKEN_MARGIN_MS }
    return text
  }

  async function call(method: string, path: string, body?: unknown) {
    let response = await send(method, path, body)
    // All sessions may have been signed out, including ours: sign in again.
    if (response.status === 401) {
      token.until = 0
      response = await send(method, path, body)
    }
    if (response.status === 404) return null
    if (!response.ok) throw identityUnavailable(new ProviderStatusError(method, response.status))
    return response
  }

  async function send(method: string, path: string, body?: unknown) {
    return request(`${url}/admin/realms/${realm}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await signIn()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async function read<T>(path: string): Promise<T | null> {
    const response = await call('GET', path)
    return response && ((await response.json()) as T)
  }

  return { call, read }
}

const request = (url: string, init: RequestInit) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    throw identityUnavailable(error)
  })
