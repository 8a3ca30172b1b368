import type { Person, startKeyServer } from '../ops/drills/kit/key-server.ts'

const ADMIN: Person = { sub: 'bench-admin', name: 'Ada Admin', role: 'admin' }
const TICKETS = 400
const AT_ONCE = 2

type Keys = Awaited<ReturnType<typeof startKeyServer>>
type Send = (count: number) => Promise<void>

export type Requests = Record<'list' | 'record' | 'create' | 'message' | 'reply', Send>

/** Creates the same records through each checkout's own API, then builds the requests. */
export async function prepare(base: string, keys: Keys): Promise<Requests> {
  const authorization = `Bearer ${await keys.tokenOf(ADMIN)}`
  const get = async (path: string) => {
    const response = await fetch(base + path, { headers: { authorization } })
    await expectStatus(response, 200)
  }
  const post = async (path: string, body: object, status = 201) => {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify(body),
    })
    return expectStatus(response, status)
  }
  const ids: string[] = []
  const create = async (n: number) => {
    const text = await post('/api/tickets', ticket(n))
    ids.push((JSON.parse(text) as { id: string }).id)
  }
  const one = (n: number) => ids[n % TICKETS] ?? ''
  const body = 'We have changed the switch in the meeting room. Does the telephone ring again?'
  const requests = {
    list: () => get('/api/tickets?limit=25'),
    record: (n: number) => get(`/api/tickets/${one(n)}`),
    create,
    message: (n: number) => post('/api/messages', { ticket: one(n), body }).then(() => {}),
    reply: (n: number) => post(`/api/tickets/${one(n)}/reply`, { body }, 200).then(() => {}),
  }
  await repeat(TICKETS, create)
  const sendersOf = (ask: (n: number) => Promise<void>) => (count: number) => repeat(count, ask)
  return {
    list: sendersOf(requests.list),
    record: sendersOf(requests.record),
    create: sendersOf(requests.create),
    message: sendersOf(requests.message),
    reply: sendersOf(requests.reply),
  }
}

async function expectStatus(response: Response, status: number) {
  const text = await response.text()
  if (response.status === status) return text
  throw new Error(`${response.url}: ${response.status} ${text}`)
}

async function repeat(count: number, ask: (n: number) => Promise<void>) {
  let next = 0
  const work = async () => {
    while (next < count) await ask(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

const ticket = (n: number) => ({
  subject: `The telephone is silent ${n}`,
  fullName: `Client ${n % 40}`,
  email: `client-${n % 40}@example.test`,
  message: 'Since this morning the telephone in the meeting room does not ring. The others do.',
})
