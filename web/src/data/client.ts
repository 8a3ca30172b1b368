import { currentUser, renewRejectedToken } from '#auth/session.ts'

/** Reads from this origin's API, with a token when signed in. mutate.ts writes. */
export const callApi = (path: string, { signal }: { signal?: AbortSignal } = {}) =>
  withToken((headers) => fetch(`/api/${path}`, { headers, ...(signal ? { signal } : {}) }))

/** A read whose answer nothing may store, such as links that open files. */
export const askApi = (path: string) =>
  withToken((headers) => fetch(`/api/${path}`, { method: 'POST', headers }))

/** A generated file of the site; a page instead of it, as for a missing one, is an error too. */
export const readFile = async (path: string): Promise<unknown> => (await fetch(path)).json()

/** Adds the user's token. A rejected token is renewed, and the request repeated, once. */
export async function withToken(ask: (headers: Record<string, string>) => Promise<Response>) {
  const user = await currentUser()
  if (!user) return ask({})
  const response = await ask(bearer(user.access_token))
  if (!isTokenRejected(response)) return response
  const renewed = await renewRejectedToken(user.access_token)
  return renewed ? ask(bearer(renewed.access_token)) : response
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** RFC 6750. */
const isTokenRejected = ({ status, headers }: Response) =>
  status === 401 && /error="invalid_token"/.test(headers.get('www-authenticate') ?? '')
