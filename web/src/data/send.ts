type Sent = {
  method: 'POST' | 'PUT' | 'DELETE'
  body?: object | undefined
  headers?: Record<string, string>
  /** Fire and forget: survives navigation, and says nothing about who sends it. */
  isAnonymous?: boolean | undefined
}

/** The only write to the API, without a token: mutate.ts adds it. Its importers are listed in .dependency-cruiser.cjs. */
export const send = (path: string, { method, body, headers, isAnonymous }: Sent) =>
  fetch(`/api/${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(isAnonymous ? { credentials: 'omit', keepalive: true } : {}),
  })
