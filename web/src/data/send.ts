import { authorisation } from './client.ts'

export type Sent = {
  method: 'POST' | 'PUT' | 'DELETE'
  body?: object | undefined
  headers: Record<string, string>
  /** Without token or cookie: what is sent must not say who sent it. */
  isAnonymous?: boolean | undefined
}

/** The one way to write through the API. Only mutate.ts imports it, and the linter holds that. */
export const sendToApi = async (path: string, { method, body, headers, isAnonymous }: Sent) =>
  fetch(`/api/${path}`, {
    method,
    headers: {
      ...(isAnonymous ? {} : await authorisation()),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    // Nobody waits for it: it must survive the page.
    ...(isAnonymous ? { credentials: 'omit', keepalive: true } : {}),
  })
