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
  let answer = await send()
  for (let tries = 1; answer.status === 503 && tries < 5; tries++) answer = await send()
  return answer
}

const writeTo = (email: string, person: NonNullable<Person> = ALICE) =>
  post('/api/tickets', ticket(email), { person: { ...person, sub: `sub-${++sender}` } })
const ask = (email: string) => post('/api/privacy/requests', inquiry(email))
const told = ({ headers }: { headers: Headers }) => headers.get('confirmation-email')
const mailsTo = async (email: string): Promise<string[]> =>
  (await api.database.sql('select kind from outbox where recipient = $1', [email])).map(
    ({ kind }) => kind,
  )

test('1,000 requests for one address from 100 accounts and networks send at most 6 emails, and all are stored', async () => {
  const spellings = ['vera@victim.test', 'Vera@VICTIM.test', 'vera+shop@victim.test']
  const answers = await inParallel(SENDERS, async (n) => {
    const person = { sub: `crowd-${n}`, name: `Crowd ${n}`, role: 'user' as const }
    const from = 10_000 + n
    const made = []
    for (let i = 0; i < EACH; i++) {
      const email = spellings[(n + i) % spellings.length] ?? ''
      made.push(await stored(() => post('/api/tickets', ticket(email), { person, from })))
      made.push(await stored(() => post('/api/privacy/requests', inquiry(email), { from })))
    }
    return made
  })
  const all = answers.flat()
  expect(all.filter(({ status }) => status === 201)).toHaveLength(500)
  expect(all.filter(({ status }) => status === 202)).toHaveLength(500)
  expect(all.filter((answer) => told(answer) === 'queued')).toHaveLength(6)
  expect(all.filter((answer) => told(answer) === 'omitted')).toHaveLength(994)
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

test('contact and privacy forms are counted separately, and no address is stored', async () => {
  for (const expected of ['queued', 'queued', 'queued', 'omitted'])
    expect(told(await writeTo('apart@victim.test'))).toBe(expected)
  for (const expected of ['queued', 'queued', 'queued', 'omitted'])
    expect(told(await ask('apart@victim.test'))).toBe(expected)
  const kinds = await mailsTo('apart@victim.test')
  expect(kinds.filter((kind) => kind === 'ticket-received')).toHaveLength(3)
  expect(kinds.filter((kind) => kind === 'request-received')).toHaveLength(3)
  const rows = await api.database.sql('select * from confirmations')
  expect(rows).toHaveLength(6)
  expect(JSON.stringify(rows)).not.toContain('apart')
})

test('the budget is per rolling day: a confirmation counts for 24 hours, across midnight', async () => {
  const email = 'rolling@victim.test'
  for (let i = 0; i < 3; i++) await ask(email)
  await shift('23 hours 59 minutes')
  expect(told(await ask(email))).toBe('omitted')
  await shift('2 minutes')
  expect(told(await ask(email))).toBe('queued')
})

test('expired counts are deleted with their salt', async () => {
  await ask('forgotten@victim.test')
  await shift('25 hours')
  await api.database.sql(`update daily_salts set day = day - 2`)
  await ask('fresh@victim.test')
  await expireAllRows(api)
  expect(await api.database.sql('select 1 from confirmations')).toHaveLength(1)
  expect(await api.database.sql('select 1 from daily_salts')).toHaveLength(1)
})

test('the caller’s own verified address is exempt, and any address for staff, but nobody else’s', async () => {
  const email = 'own@victim.test'
  const own = { ...ALICE, email: 'Own@victim.test', emailVerified: true }
  for (let i = 0; i < 5; i++) expect(told(await writeTo(email, own))).toBe('queued')
  for (let i = 0; i < 5; i++)
    expect(told(await post('/api/privacy/requests', inquiry(email), { person: own }))).toBe(
      'queued',
    )
  const others: NonNullable<Person>[] = [
    { ...ALICE, email, emailVerified: false },
    { ...ALICE, email: 'other@victim.test', emailVerified: true },
    BOB,
  ]
  for (const person of others) expect(told(await writeTo(email, person))).toBe('queued')
  for (const person of others) expect(told(await writeTo(email, person))).toBe('omitted')
  for (const person of [own, ADMIN]) expect(told(await writeTo(email, person))).toBe('queued')
})

test('known and unknown addresses get the same responses', async () => {
  const known = await post(
    '/api/contacts',
    { fullName: 'Known', email: 'known@victim.test' },
    { person: ADMIN },
  )
  expect(known.status).toBe(201)
  const shapes = []
  for (const email of ['known@victim.test', 'unknown@victim.test']) {
    const answers = []
    for (let i = 0; i < 4; i++) answers.push(await writeTo(email), await ask(email))
    shapes.push(
      answers.map(({ status, headers, json }) => [
        status,
        [...headers.keys()].toSorted(),
        headers.get('confirmation-email'),
        Object.keys(json),
      ]),
    )
  }
  expect(shapes[0]).toEqual(shapes[1])
})

test('staff replies are sent regardless of the budget', async () => {
  const email = 'replies@victim.test'
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(await writeTo(email))
  const last = answers.at(-1)
  expect(last && told(last)).toBe('omitted')
  const { status } = await api.call('POST', `/api/tickets/${last?.json.id}/reply`, ADMIN, {
    body: { body: 'It prints again.' },
  })
  expect(status).toBe(200)
  expect(await mailsTo(email)).toContain('ticket-answered')
})

test('a retry returns the first response, and counts once', async () => {
  const email = 'again@victim.test'
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const again = () => api.call('POST', '/api/tickets', ALICE, { body: ticket(email), headers })
  expect([told(await again()), told(await again())]).toEqual(['queued', 'queued'])
  expect([told(await writeTo(email)), told(await writeTo(email))]).toEqual(['queued', 'queued'])
  expect(told(await writeTo(email))).toBe('omitted')
  expect(told(await again())).toBe('queued')
})

test('a refused request uses no budget', async () => {
  const email = 'refused@victim.test'
  const strict = { ...ALICE, sub: 'sub-refused' }
  for (let i = 0; i < EACH; i++)
    await post('/api/tickets', ticket(`other${i}@victim.test`), { person: strict })
  const refused = await post('/api/tickets', ticket(email), { person: strict })
  expect([refused.status, told(refused)]).toEqual([429, null])
  for (let i = 0; i < 3; i++) expect(told(await writeTo(email))).toBe('queued')
})

test('addresses are folded only as far as mail hosts do', () => {
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
