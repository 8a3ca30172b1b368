type Sent = {
  method: 'POST' | 'PUT' | 'DELETE'
  body?: object | undefined
  headers?: Record<string, string>
  /** Fire and forget: survives navigation, and carries no identity. */
  isAnonymous?: boolean | undefined
}

/** The only function that writes to the API, without a token: mutate.ts adds it. .dependency-cruiser.cjs lists its importers. */
export const send = (path: string, { method, body, headers, isAnonymous }: Sent) =>
  fetch(`/api/${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(isAnonymous ? { credentials: 'omit', keepalive: true } : {}),
  })
