import { identityUnavailable } from '#platform/errors.ts'

const TIMEOUT_MS = 10_000
/** Renewed this long before it ends. */
const TOKEN_MARGIN_MS = 10_000

/** Keycloak's own address, without `/admin`, and the account that looks after people there. */
export type ProviderSettings = { url: string; realm: string; client: string; secret: string }

/** Keycloak's admin API as our account. */
export function connectProvider({ url, realm, client, secret }: ProviderSettings) {
  let token = { text: '', until: 0 }

  async function signIn() {
    if (Date.now() < token.until) return token.text
    const answer = await ask(`${url}/realms/${realm}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client,
        client_secret: secret,
      }),
    })
    if (!answer.ok) throw identityUnavailable()
    const { access_token: text, expires_in: seconds } = (await answer.json()) as {
      access_token: string
      expires_in: number
    }
    token = { text, until: Date.now() + seconds * 1000 - TOKEN_MARGIN_MS }
    return text
  }

  /** Null where there is nobody of that id. */
  async function call(method: string, path: string, body?: unknown) {
    let answer = await send(method, path, body)
    // Someone has signed everyone out, us too.
    if (answer.status === 401) {
      token.until = 0
      answer = await send(method, path, body)
    }
    if (answer.status === 404) return null
    if (!answer.ok) throw identityUnavailable(new Error(`${method}: ${answer.status}`))
    return answer
  }

  async function send(method: string, path: string, body?: unknown) {
    return ask(`${url}/admin/realms/${realm}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await signIn()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async function read<T>(path: string): Promise<T | null> {
    const answer = await call('GET', path)
    return answer && ((await answer.json()) as T)
  }

  return { call, read }
}

const ask = (url: string, init: RequestInit) =>
  fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    throw identityUnavailable(error)
  })
