import { beforeEach, expect, test, vi } from 'vitest'
import { ADMIN, ALICE, expireAllRows, type Person } from '../../test/kit.ts'
import { loggerOf, startMailWorkers } from '../../test/mail-worker.ts'

const SOON = { timeout: 25_000, interval: 100 }
const NO_MAILBOX = '550 5.1.1 User unknown:'

let logged: string[]

const t = startMailWorkers()
beforeEach(() => {
  logged = []
})

test('a mail becomes a dead letter immediately if the relay rejects its address at RCPT', async () => {
  t.relay.refusals.rcpt = NO_MAILBOX
  work()
  const { id, number } = await report('refused@example.test')
  const mails = await vi.waitFor(async () => {
    const { items } = await deadLetters()
    expect(items).toHaveLength(3)
    return items
  }, SOON)
  expect(t.relay.refused).toBe(3)
  const received = mails.find(({ kind }) => kind === 'ticket-received')
  expect(received).toMatchObject({
    record: { model: 'tickets', id, reference: `#${number}` },
    code: '550 5.1.1',
    attempts: 1,
    canRetry: true,
  })
  expect(Date.now() - Date.parse(received?.failedAt ?? '')).toBeLessThan(60_000)
  expect((await system()).mails).toMatchObject({ waiting: 0, dead: 3 })
})

const RELAY_REFUSALS = [
  ['connect', '554 5.7.1 Blocked'],
  ['auth', '535 5.7.8 Authentication failed for'],
  ['mail', '550 5.7.1 Sender not allowed:'],
  ['rcpt', '554 5.7.1 Relay access denied:'],
  ['rcpt', '550 Mailbox unavailable:'],
  ['rcpt', '550 5.1.8 Sender address rejected: Domain not found,'],
  ['rcpt', '450 4.1.1 Try later:'],
  ['data', '554 5.7.1 Looks like spam for'],
  ['data', '552 5.1.1 Refused after all:'],
] as const

test.each(RELAY_REFUSALS)(
  'a mail the relay rejects at %s (%s) is retried and delivered later',
  async (stage, reply) => {
    if (stage === 'auth') await t.askForPassword()
    t.relay.refusals[stage] = reply
    work()
    await t.ask(`patient-${crypto.randomUUID()}@example.test`)
    await vi.waitFor(() => expect(t.relay.refused).toBeGreaterThanOrEqual(2), SOON)
    expect((await deadLetters()).items).toEqual([])
    expect((await system()).mails.waiting).toBe(2)
    t.relay.refusals = {}
    await vi.waitFor(() => expect(t.relay.mails).toHaveLength(2), SOON)
    await vi.waitFor(async () => expect((await system()).mails.waiting).toBe(0), SOON)
  },
)

test('a mail undelivered for seven days becomes a dead letter with its last code', async () => {
  t.relay.refusals.rcpt = '554 5.7.1 Relay access denied:'
  work()
  await t.ask('week@example.test')
  await vi.waitFor(() => expect(t.relay.refused).toBeGreaterThanOrEqual(2), SOON)
  await age('created_at', 8)
  await vi.waitFor(
    async () =>
      expect((await deadLetters()).items).toMatchObject([
        { code: '554 5.7.1', canRetry: true },
        { code: '554 5.7.1', canRetry: true },
      ]),
    SOON,
  )
})

test('without a relay mails are queued, reported by /api/system, and become dead letters after seven days', async () => {
  work({ hasRelay: false })
  await t.ask('nowhere@example.test')
  expect((await system()).mails).toMatchObject({ waiting: 2, hasRelay: false })
  await age('created_at', 8)
  await vi.waitFor(
    async () =>
      expect((await deadLetters()).items).toMatchObject([{ code: 'expired' }, { code: 'expired' }]),
    SOON,
  )
})

test('a mail whose record is in the trash becomes a dead letter, which can be resent after a restore', async () => {
  const { id } = await report('trashed@example.test')
  await t.api.call('DELETE', `/api/tickets/${id}`, ADMIN)
  work()
  const [first] = await vi.waitFor(async () => {
    const { items } = await deadLetters()
    expect(items).toHaveLength(3)
    return items
  }, SOON)
  expect(first).toMatchObject({ code: 'outdated', record: { model: 'tickets', id } })
  expect(t.relay.mails).toEqual([])
  await t.api.call('POST', `/api/tickets/${id}/restore`, ADMIN)
  expect((await retry(first?.id)).status).toBe(202)
  await vi.waitFor(() => expect(t.relay.mails).toHaveLength(1), SOON)
})

test('a mail of an unknown kind is kept in the queue for a newer release', async () => {
  await t.api.database.sql(
    `insert into outbox (id, kind, recipient, data) values (gen_random_uuid(), 'from-tomorrow', 'later@example.test', '{}')`,
  )
  work()
  await vi.waitFor(async () => expect(logged.join()).toContain('unknown-kind'), SOON)
  expect((await system()).mails.waiting).toBe(1)
  expect((await deadLetters()).items).toEqual([])
})

test('a dead letter resent twice by an admin is sent once, with its old Message-ID', async () => {
  t.relay.refusals.rcpt = NO_MAILBOX
  work()
  await t.ask('again@example.test')
  const [mail] = await vi.waitFor(async () => {
    const { items } = await deadLetters()
    expect(items).toHaveLength(2)
    return items
  }, SOON)
  t.relay.refusals = {}
  const responses = await Promise.all([retry(mail?.id), retry(mail?.id)])
  expect(responses.map(({ status }) => status)).not.toContain(409)
  await vi.waitFor(() => expect(t.relay.mails).toHaveLength(1), SOON)
  expect(t.relay.mails[0]).toContain(`Message-ID: <${mail?.id}@gatehouse.example>`)
  await vi.waitFor(async () => expect((await deadLetters()).items).toHaveLength(1), SOON)
  expect((await retry(mail?.id)).status).toBe(404)
  const audited = await t.api.database.sql(
    `select actor_kind, entity_id from audit_events where action = 'retry' and entity = 'mails'`,
  )
  expect(audited).toContainEqual({ actor_kind: 'admin', entity_id: mail?.id })
})

test('a resent mail that fails again becomes a dead letter with a new failure time', async () => {
  t.relay.refusals.rcpt = NO_MAILBOX
  work()
  await t.ask('never@example.test')
  const [mail] = await vi.waitFor(async () => {
    const { items } = await deadLetters()
    expect(items).toHaveLength(2)
    return items
  }, SOON)
  expect((await retry(mail?.id)).status).toBe(202)
  await vi.waitFor(async () => {
    const again = (await deadLetters()).items.find(({ id }) => id === mail?.id)
    expect(Date.parse(again?.failedAt ?? '')).toBeGreaterThan(Date.parse(mail?.failedAt ?? ''))
  }, SOON)
})

test('only admins see and resend dead letters', async () => {
  t.relay.refusals.rcpt = NO_MAILBOX
  work()
  await t.ask('rights@example.test')
  const [mail] = await vi.waitFor(async () => {
    const { items } = await deadLetters()
    expect(items).toHaveLength(2)
    return items
  }, SOON)
  for (const [person, status] of [
    [null, 401],
    [ALICE, 403],
  ] as [Person, number][]) {
    expect((await t.api.call('GET', '/api/system/mails', person)).status).toBe(status)
    expect((await retry(mail?.id, person)).status).toBe(status)
    expect((await retry(crypto.randomUUID(), person)).status).toBe(status)
  }
  expect((await retry(crypto.randomUUID())).status).toBe(404)
  expect((await retry('no-such-id')).status).toBe(404)
  expect((await t.api.call('DELETE', '/api/system/mails', ADMIN)).status).toBe(405)
})

test('a dead letter’s address is deleted after seven days, even if it was resent; kind, record and code are kept', async () => {
  t.relay.refusals.rcpt = NO_MAILBOX
  work()
  const { reference } = await t.ask('forgotten@example.test')
  const [mail] = await vi.waitFor(async () => {
    const { items } = await deadLetters()
    expect(items).toHaveLength(2)
    return items
  }, SOON)
  t.relay.refusals.rcpt = '450 4.2.1 Later:'
  expect((await retry(mail?.id)).status).toBe(202)
  await age('address_until', 8)
  const mails = await vi.waitFor(async () => {
    await expireAllRows(t.api)
    const { items } = await deadLetters()
    expect(items.map(({ canRetry }) => canRetry)).toEqual([false, false])
    return items
  }, SOON)
  for (const { kind, record, code } of mails) {
    expect(['request-received', 'privacy-request-opened']).toContain(kind)
    expect(record).toMatchObject({ model: 'privacyrequests', reference })
    expect(code).toMatch(/^(550 5\.1\.1|450 4\.2\.1)$/)
  }
  const stored = JSON.stringify(await t.api.database.sql('select * from outbox'))
  expect(stored).not.toMatch(/forgotten|@|PR-/)
  const rejected = await retry(mail?.id)
  expect(rejected).toMatchObject({ status: 409, json: { code: 'address-gone' } })
})

test('dead letters are paged, newest first', async () => {
  await t.api.database.sql(
    `insert into outbox (id, kind, recipient, data, code, failed_at, address_until)
      select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'request-received', 'many@example.test', '{}',
        '550 5.1.1', now(), now() + interval '7 days' from generate_series(1, 120) n`,
  )
  const ids: string[] = []
  let after: string | null = null
  do {
    const page: Page = await deadLetters(after ? `?after=${after}` : '')
    expect(page.items.length).toBeLessThanOrEqual(50)
    ids.push(...page.items.map(({ id }) => id))
    after = page.next
  } while (after)
  expect(ids).toHaveLength(120)
  expect(ids).toEqual(ids.toSorted().toReversed())
  expect((await t.api.call('GET', '/api/system/mails?after=nonsense', ADMIN)).status).toBe(400)
})

test('relay messages are neither logged nor stored, as they quote addresses', async () => {
  t.relay.refusals.rcpt = '554 5.7.1 Not for'
  work()
  await t.ask('canary@example.test')
  await vi.waitFor(() => expect(t.relay.refused).toBeGreaterThanOrEqual(2), SOON)
  await vi.waitFor(() => expect(logged.join()).toContain('554 5.7.1'), SOON)
  expect(logged.join()).not.toMatch(/canary|Not for/)
  const queue = await t.api.database.sql('select * from pgboss.job')
  expect(JSON.stringify(queue)).not.toMatch(/canary|Not for/)
  const stored = await t.api.database.sql(
    `select to_jsonb(outbox) - 'recipient' as row from outbox`,
  )
  expect(JSON.stringify(stored)).not.toMatch(/canary|Not for/)
})

test('an alert counts as undelivered from its first failure until it is delivered', async () => {
  t.relay.refusals.data = '554 5.7.1 Not now'
  work()
  const { id, number } = await report('alert@example.test')
  const [alert] = await vi.waitFor(async () => {
    const { items } = await deadLetters('?alerts=true')
    expect(items).toHaveLength(1)
    return items
  }, SOON)
  expect(alert).toMatchObject({
    kind: 'ticket-reported',
    record: { model: 'tickets', id, reference: `#${number}` },
    code: '554 5.7.1',
    failedAt: null,
  })
  expect((await deadLetters()).items).toEqual([])
  t.relay.refusals = {}
  await vi.waitFor(async () => expect((await deadLetters('?alerts=true')).items).toEqual([]), SOON)
  await vi.waitFor(() => expect(t.relay.mails).toHaveLength(3), SOON)
})

test('a dead alert counts as undelivered until it is delivered or its ticket is closed', async () => {
  t.relay.refusals.rcpt = NO_MAILBOX
  work()
  const first = await report('dead-alert@example.test')
  const second = await report('other-alert@example.test')
  const alerts = await vi.waitFor(async () => {
    const { items } = await deadLetters('?alerts=true')
    expect(items.map(({ failedAt }) => typeof failedAt)).toEqual(['string', 'string'])
    return items
  }, SOON)
  const closed = await t.api.call('PUT', `/api/tickets/${second.id}`, ADMIN, {
    body: { status: 'Closed' },
  })
  expect(closed.status).toBe(200)
  const open = (await deadLetters('?alerts=true')).items
  expect(open.map(({ record }) => record?.id)).toEqual([first.id])
  t.relay.refusals = {}
  await retry(alerts.find(({ record }) => record?.id === first.id)?.id)
  await vi.waitFor(async () => expect((await deadLetters('?alerts=true')).items).toEqual([]), SOON)
})

type DeadLetter = {
  id: string
  kind: string
  record: { model: string; id: string; reference: string | null } | null
  code: string
  failedAt: string | null
  attempts: number
  canRetry: boolean
}
type Page = { items: DeadLetter[]; next: string | null }

async function deadLetters(query = ''): Promise<Page> {
  const { status, json } = await t.api.call('GET', `/api/system/mails${query}`, ADMIN)
  expect(status).toBe(200)
  return json
}

const retry = (id = '', person: Person = ADMIN) =>
  t.api.call('POST', `/api/system/mails/${id}/retry`, person)

const system = async () => (await t.api.call('GET', '/api/system', ADMIN)).json

const age = (column: string, days: number) =>
  t.api.database.sql(
    `update outbox set ${column} = ${column} - make_interval(days => ${days}) where ${column} is not null`,
  )

const work = (options: { hasRelay?: boolean } = {}) =>
  t.work({
    ...options,
    logger: loggerOf((...all) => void logged.push(JSON.stringify(all, withErrors))),
  })

/** Everything an error contains, including the fields that logs strip. */
const withErrors = (_key: string, value: unknown) =>
  value instanceof Error
    ? { ...Object.fromEntries(Object.entries(value)), message: value.message, stack: value.stack }
    : value

/** A client report: mails to the desk, to the sender, and the alert. */
async function report(email: string): Promise<{ id: string; number: number }> {
  const { status, json } = await t.api.call('POST', '/api/tickets', ALICE, {
    body: {
      fullName: 'Alice Example',
      email,
      subject: 'Files are encrypted',
      contactType: 'Report',
      message: 'All of them.',
    },
  })
  expect(status).toBe(201)
  return json
}
