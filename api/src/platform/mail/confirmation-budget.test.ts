import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import {
  ADMIN,
  ALICE,
  BOB,
  startTest,
  expireAllRows,
  type Person,
  type Test,
} from '../../../test/kit.ts'
import { startMailWorker } from '../../../test/mail-worker.ts'
import { startRelay, type Relay } from '../../../test/smtp-stub.ts'
import { foldAddress } from './confirmation-budget.ts'

const SOON = { timeout: 25_000, interval: 100 }
/** `createPerMinute` of a ticket. */
const EACH = 5
const SENDERS = 100

let api: Test
beforeAll(async () => {
  api = await startTest({ limits: { creationsPerMinute: null } })
})
afterAll(() => api.stop())
afterEach(() => api.database.sql('delete from outbox; delete from confirmations'))

let sender = 0
/** From its own client address, to stay below per-address limits. */
const post = (path: string, body: object, { person = null as Person, from = ++sender } = {}) =>
  api.call('POST', path, person, {
    body,
    headers: { 'x-forwarded-for': `10.0.${Math.floor(from / 250)}.${from % 250}` },
  })

const ticket = (email: string, changes: object = {}) => ({
  fullName: 'Vera Victim',
  email,
  subject: 'Printer',
  message: 'It does not print.',
  ...changes,
})
const inquiry = (email: string) => ({
  name: 'Vera Victim',
  email,
  subject: 'access',
  message: 'What do you know about me?',
  confirmed: true,
})

/** Retries 503s of a busy server, which stored nothing. */
async function stored<T extends { status: number }>(send: () => Promise<T>) {
  let response = await send()
  for (let tries = 1; response.status === 503 && tries < 5; tries++) response = await send()
  return response
}

const writeTo = (email: string, person: NonNullable<Person> = ALICE) =>
  post('/api/tickets', ticket(email), { person: { ...person, sub: `sub-${++sender}` } })
const requestPrivacy = (email: string) => post('/api/privacy/requests', inquiry(email))
const confirmationOf = ({ headers }: { headers: Headers }) => headers.get('confirmation-email')
const mailsTo = async (email: string): Promise<string[]> =>
  (await api.database.sql('select kind from outbox where recipient = $1', [email])).map(
    ({ kind }) => kind,
  )

test('1,000 requests for one address from 100 accounts and networks send at most 6 emails, and all are stored', async () => {
  const spellings = ['vera@victim.test', 'Vera@VICTIM.test', 'vera+shop@victim.test']
  const responses = await inParallel(SENDERS, async (n) => {
    const person = { sub: `crowd-${n}`, name: `Crowd ${n}`, role: 'user' as const }
    const from = 10_000 + n
    const created = []
    for (let i = 0; i < EACH; i++) {
      const email = spellings[(n + i) % spellings.length] ?? ''
      created.push(await stored(() => post('/api/tickets', ticket(email), { person, from })))
      created.push(await stored(() => post('/api/privacy/requests', inquiry(email), { from })))
    }
    return created
  })
  const all = responses.flat()
  expect(all.filter(({ status }) => status === 201)).toHaveLength(500)
  expect(all.filter(({ status }) => status === 202)).toHaveLength(500)
  expect(all.filter((response) => confirmationOf(response) === 'queued')).toHaveLength(6)
  expect(all.filter((response) => confirmationOf(response) === 'omitted')).toHaveLength(994)
  for (const path of ['tickets', 'privacyrequests']) {
    const query = 'q=victim.test&pageSize=1&total=exact'
    const { json } = await api.call('GET', `/api/${path}?${query}`, ADMIN)
    expect(json.total, path).toEqual({ count: 500, exact: true })
  }
  const relay = await startRelay()
  const worker = work(relay)
  try {
    const confirmations = `select 1 from outbox where kind in ('ticket-received', 'request-received')`
    await vi.waitFor(async () => expect(await api.database.sql(confirmations)).toEqual([]), SOON)
    expect(relay.mails.filter((mail) => /^To: \S*@victim\.test/im.test(mail))).toHaveLength(6)
  } finally {
    await worker.stop()
    await relay.down()
  }
}, 120_000)

test('confirmations of contact and privacy forms are counted separately, without storing the address', async () => {
  for (const expected of ['queued', 'queued', 'queued', 'omitted'])
    expect(confirmationOf(await writeTo('apart@victim.test'))).toBe(expected)
  for (const expected of ['queued', 'queued', 'queued', 'omitted'])
    expect(confirmationOf(await requestPrivacy('apart@victim.test'))).toBe(expected)
  const kinds = await mailsTo('apart@victim.test')
  expect(kinds.filter((kind) => kind === 'ticket-received')).toHaveLength(3)
  expect(kinds.filter((kind) => kind === 'request-received')).toHaveLength(3)
  const rows = await api.database.sql('select * from confirmations')
  expect(rows).toHaveLength(6)
  expect(JSON.stringify(rows)).not.toContain('apart')
})

test('a confirmation counts against the budget for 24 hours, across midnight', async () => {
  const email = 'rolling@victim.test'
  for (let i = 0; i < 3; i++) await requestPrivacy(email)
  await shift('23 hours 59 minutes')
  expect(confirmationOf(await requestPrivacy(email))).toBe('omitted')
  await shift('2 minutes')
  expect(confirmationOf(await requestPrivacy(email))).toBe('queued')
})

test('expired confirmation counts are deleted with their salt', async () => {
  await requestPrivacy('forgotten@victim.test')
  await shift('25 hours')
  await api.database.sql(`update daily_salts set day = day - 2`)
  await requestPrivacy('fresh@victim.test')
  await expireAllRows(api)
  expect(await api.database.sql('select 1 from confirmations')).toHaveLength(1)
  expect(await api.database.sql('select 1 from daily_salts')).toHaveLength(1)
})

test('the confirmation budget exempts the caller’s own verified address, and any address for staff', async () => {
  const email = 'own@victim.test'
  const own = { ...ALICE, email: 'Own@victim.test', emailVerified: true }
  for (let i = 0; i < 5; i++) expect(confirmationOf(await writeTo(email, own))).toBe('queued')
  for (let i = 0; i < 5; i++)
    expect(
      confirmationOf(await post('/api/privacy/requests', inquiry(email), { person: own })),
    ).toBe('queued')
  const others: NonNullable<Person>[] = [
    { ...ALICE, email, emailVerified: false },
    { ...ALICE, email: 'other@victim.test', emailVerified: true },
    BOB,
  ]
  for (const person of others) expect(confirmationOf(await writeTo(email, person))).toBe('queued')
  for (const person of others) expect(confirmationOf(await writeTo(email, person))).toBe('omitted')
  for (const person of [own, ADMIN])
    expect(confirmationOf(await writeTo(email, person))).toBe('queued')
})

test('forms return the same responses for known and unknown addresses', async () => {
  const known = await post(
    '/api/contacts',
    { fullName: 'Known', email: 'known@victim.test' },
    { person: ADMIN },
  )
  expect(known.status).toBe(201)
  const shapes = []
  for (const email of ['known@victim.test', 'unknown@victim.test']) {
    const responses = []
    for (let i = 0; i < 4; i++) responses.push(await writeTo(email), await requestPrivacy(email))
    shapes.push(
      responses.map(({ status, headers, json }) => [
        status,
        [...headers.keys()].toSorted(),
        headers.get('confirmation-email'),
        Object.keys(json),
      ]),
    )
  }
  expect(shapes[0]).toEqual(shapes[1])
})

test('staff replies are sent regardless of the confirmation budget', async () => {
  const email = 'replies@victim.test'
  const responses = []
  for (let i = 0; i < 4; i++) responses.push(await writeTo(email))
  const last = responses.at(-1)
  expect(last && confirmationOf(last)).toBe('omitted')
  const { status } = await api.call('POST', `/api/tickets/${last?.json.id}/reply`, ADMIN, {
    body: { body: 'It prints again.' },
  })
  expect(status).toBe(200)
  expect(await mailsTo(email)).toContain('ticket-answered')
})

test('a retried form returns the first response, and counts once against the confirmation budget', async () => {
  const email = 'again@victim.test'
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const again = () => api.call('POST', '/api/tickets', ALICE, { body: ticket(email), headers })
  expect([confirmationOf(await again()), confirmationOf(await again())]).toEqual([
    'queued',
    'queued',
  ])
  expect([confirmationOf(await writeTo(email)), confirmationOf(await writeTo(email))]).toEqual([
    'queued',
    'queued',
  ])
  expect(confirmationOf(await writeTo(email))).toBe('omitted')
  expect(confirmationOf(await again())).toBe('queued')
})

test('a rejected request uses no confirmation budget', async () => {
  const email = 'rejected@victim.test'
  const strict = { ...ALICE, sub: 'sub-rejected' }
  for (let i = 0; i < EACH; i++)
    await post('/api/tickets', ticket(`other${i}@victim.test`), { person: strict })
  const rejected = await post('/api/tickets', ticket(email), { person: strict })
  expect([rejected.status, confirmationOf(rejected)]).toEqual([429, null])
  for (let i = 0; i < 3; i++) expect(confirmationOf(await writeTo(email))).toBe('queued')
})

test('foldAddress merges only addresses that reach the same mailbox', () => {
  expect(
    [
      'Vera@Victim.TEST',
      'vera+a@victim.test',
      'vera+a+b@victim.test',
      've.ra@victim.test',
      'V.e.ra+x@gmail.com',
      'vera@googlemail.com',
      '+x@victim.test',
    ].map(foldAddress),
  ).toEqual([
    'vera@victim.test',
    'vera@victim.test',
    'vera@victim.test',
    've.ra@victim.test',
    'vera@gmail.com',
    'vera@gmail.com',
    '+x@victim.test',
  ])
})

const shift = (by: string) =>
  api.database.sql(`update confirmations set queued_at = queued_at - interval '${by}'`)

const work = (relay: Relay) => startMailWorker(api, { relay })

/** Concurrent, but within the server's limit. */
const LANES = 10

async function inParallel<T>(count: number, run: (n: number) => Promise<T>) {
  const waiting = Array.from({ length: count }, (_, n) => n)
  const done: T[] = []
  const lane = async () => {
    for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) done.push(await run(n))
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return done
}
