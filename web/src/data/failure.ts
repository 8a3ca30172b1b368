import { STATUS_PHRASES } from '#base/status-phrases.ts'
import { callApi } from './client.ts'

/** For loaders: returns the JSON, or throws a status for the error screen. */
export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await callApi(path, signal ? { signal } : {})
  if (!response.ok)
    throw new Response(null, { status: response.status, statusText: statusPhrase(response) })
  return (await response.json()) as T
}

/** Other servers use other property names. */
export async function readFailure(response: Response): Promise<Failure> {
  const text = await response.text()
  const body = parse(text)
  const word = ['detail', 'message', 'error']
    .map((key) => body?.[key])
    .find((value) => typeof value === 'string' && value)
  const errors = Array.isArray(body?.['errors']) ? body['errors'].filter(isFieldError) : []
  const code = body?.['code']
  return {
    text: typeof word === 'string' ? word : text && !isHtml(text) ? text : statusPhrase(response),
    errors,
    ...(typeof code === 'string' ? { code } : {}),
  }
}

export type Failure = {
  text: string
  errors: { field: string; message: string }[]
  /** Machine-readable error code; only our own API sends it. */
  code?: string
}

/** HTTP/2 sends no status text: falls back to the standard phrase. */
export const statusPhrase = ({ status, statusText }: { status: number; statusText: string }) =>
  statusText || (STATUS_PHRASES[status] ?? '')

/** A proxy's error page is no message. */
export const isHtml = (text: string) => /^\s*</.test(text)

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
