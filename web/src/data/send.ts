import { withToken } from './client.ts'

export type Sent = {
  method: 'POST' | 'PUT' | 'DELETE'
  body?: object | undefined
  headers: Record<string, string>
  /** Without token or cookie: the request must not identify the sender. */
  isAnonymous?: boolean | undefined
}

/** The only write to the API. Imported by mutate.ts alone, enforced by the linter. */
export function sendToApi(path: string, { method, body, headers, isAnonymous }: Sent) {
  const send = (authorisation: Record<string, string>) =>
    fetch(`/api/${path}`, {
      method,
      headers: {
        ...authorisation,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // Fire and forget: must survive navigation.
      ...(isAnonymous ? { credentials: 'omit', keepalive: true } : {}),
    })
  return isAnonymous ? send({}) : withToken(send)
}
