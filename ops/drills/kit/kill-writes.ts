import type { startKeyServer } from './key-server.ts'

export type Write = {
  name: string
  method: string
  path: string
  headers: Record<string, string>
  body: object
}
export type WriteResponse = { status: number; json: Record<string, unknown> }

type Keys = Awaited<ReturnType<typeof startKeyServer>>

const PEOPLE = 5
const ADMIN = { sub: 'sub-admin', name: 'Ada Admin', role: 'admin' } as const

export async function creations(keys: Keys, count: number): Promise<Write[]> {
  const tokens = await Promise.all(
    Array.from({ length: PEOPLE }, (_, n) =>
      keys.tokenOf({ sub: `sub-${n}`, name: `Person ${n}`, role: 'user' }),
    ),
  )
  return Array.from({ length: count }, (_, n) => creation(`create ${n}`, tokens[n % PEOPLE] ?? ''))
}

/** Updates of tickets created beforehand; If-Match makes them safe to retry. */
export async function updates(
  keys: Keys,
  count: number,
  send: (write: Write) => Promise<WriteResponse>,
): Promise<Write[]> {
  const token = await keys.tokenOf(ADMIN)
  const writes: Write[] = []
  // Sequential: on a busy machine some of sixty parallel requests would be rejected.
  for (let n = 0; n < count; n++) {
    const { status, json } = await send(creation(`target ${n}`, token))
    if (status !== 201) throw new Error(`creating target ${n} got ${status}`)
    writes.push({
      name: `update ${n}`,
      method: 'PUT',
      path: `/api/tickets/${String(json['id'])}`,
      headers: { ...headersOf(token), 'if-match': '"1"' },
      body: { subject: `update ${n}` },
    })
  }
  return writes
}

const creation = (subject: string, token: string): Write => ({
  name: subject,
  method: 'POST',
  path: '/api/tickets',
  headers: { ...headersOf(token), 'idempotency-key': `key of ${subject}`.replaceAll(' ', '-') },
  body: { subject, fullName: 'Drill', email: 'drill@example.test', message: 'Send me again' },
})

const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})
