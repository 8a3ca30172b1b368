import { currentUser } from '#auth/auth.ts'
import { STATUS_PHRASES } from '#base/status-phrases.ts'
import { siteMessages } from '#messages/site.ts'

type Send = {
  method?: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** A call to this site's API: signed when somebody is signed in, and to this origin only. */
export async function callApi(
  path: string,
  { method = 'GET', body, headers, signal }: Send = {},
): Promise<Response> {
  const user = await currentUser()
  return fetch(`/api/${path}`, {
    method,
    headers: {
      ...(user ? { authorization: `Bearer ${user.access_token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  })
}

/** For loaders: the answer, or its status for the error screen. */
export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await callApi(path, signal ? { signal } : {})
  if (!response.ok)
    throw new Response(null, { status: response.status, statusText: statusPhrase(response) })
  return (await response.json()) as T
}

/** For forms: sends once per key. What can't be reached, and what is refused, comes back as words for people. */
export async function postOnce(path: string, body: unknown, key: string) {
  try {
    const response = await callApi(path, {
      method: 'POST',
      body,
      headers: { 'idempotency-key': key },
    })
    return response.ok ? response : { status: response.status, ...(await readFailure(response)) }
  } catch {
    return { status: 0, text: siteMessages.unreachable, errors: [] }
  }
}

/** Whether the server has queued a confirmation: a page says so only then. */
export const isConfirmed = ({ headers }: Response) => headers.get('confirmation-email') === 'queued'

/** What a failed answer says to people, and at which field. Another server's words may stand elsewhere. */
export async function readFailure(response: Response): Promise<Failure> {
  const text = await response.text()
  const body = parse(text)
  const word = ['detail', 'message', 'error']
    .map((key) => body?.[key])
    .find((value) => typeof value === 'string' && value)
  const errors = Array.isArray(body?.['errors']) ? body['errors'].filter(isFieldError) : []
  return { text: typeof word === 'string' ? word : text || statusPhrase(response), errors }
}

export type Failure = { text: string; errors: { field: string; message: string }[] }

/** HTTP/2 sends no status text: the standard phrase takes its place. */
export const statusPhrase = ({ status, statusText }: { status: number; statusText: string }) =>
  statusText || (STATUS_PHRASES[status] ?? '')

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

const isFieldError = (value: unknown): value is Failure['errors'][number] =>
  typeof Reflect.get(Object(value), 'field') === 'string' &&
  typeof Reflect.get(Object(value), 'message') === 'string'
