import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, CONFIG, SITE, startTest, expireAllRows, type Test } from '../../test/kit.ts'
import { contextOf } from '#platform/site-config.ts'
import { responseDeadline } from '#privacy/notice/deadline.ts'

const URL = '/api/privacy/requests'
const YEAR = contextOf(SITE).today.slice(0, 4)

let api: Test
beforeAll(async () => {
  api = await startTest()
})
afterAll(() => api.stop())

let count = 0
const inquiry = (changes: object = {}) => ({
  name: 'Iris Quill',
  email: `iris${++count}@example.test`,
  subject: 'access',
  message: 'What do you know about me?',
  confirmed: true,
  ...changes,
})
const send = (body: object, headers: Record<string, string> = {}) =>
  api.call('POST', URL, null, { body, headers })
const countOf = async (table: string) =>
  Number((await api.database.sql(`select count(*) from ${table}`))[0].count)

test('[PRIV-04] the Privacy Inquiry Form opens a case with a reference and due date', async () => {
  const body = inquiry()
  const answer = await send(body)
  expect(answer.status, answer.text).toBe(202)
  expect(answer.json).toEqual({
    reference: expect.stringMatching(new RegExp(`^PR-${YEAR}-\\d{4}$`)),
    dueOn: responseDeadline(contextOf(SITE).today),
  })
  const { json } = await api.call('GET', '/api/privacyrequests', ADMIN)
  const kept = json.items.find(
    ({ reference }: { reference: string }) => reference === answer.json.reference,
  )
  expect(kept).toMatchObject({
    name: body.name,
    email: body.email,
    kind: 'access',
    status: 'received',
  })
  const [audit] = await api.database.sql(
    `select action, actor_kind from audit_events where entity = 'privacyrequests' and entity_id = $1`,
    [kept.id],
  )
  expect(audit).toEqual({ action: 'create', actor_kind: 'anonymous' })
  const mails = await api.database.sql('select * from outbox where recipient = $1', [body.email])
  expect(mails).toMatchObject([{ kind: 'request-received', data: answer.json }])
  const told = await api.database.sql(
    `select recipient from outbox where kind = 'privacy-request-opened' and data ->> 'reference' = $1`,
    [answer.json.reference],
  )
  expect(told).toEqual([{ recipient: CONFIG.controller.privacyEmail }])
})

test('privacy requests from known and unknown addresses get the same response', async () => {
  await api.call('POST', '/api/contacts', ADMIN, {
    body: { fullName: 'Known', email: 'known@example.test' },
  })
  const shapes = await Promise.all(
    ['known@example.test', 'unknown@example.test'].map(async (email) => {
      const { status, headers, json } = await send(inquiry({ email }))
      return [status, [...headers.keys()].toSorted(), Object.keys(json), json.dueOn]
    }),
  )
  expect(shapes[0]).toEqual(shapes[1])
})

test('[PRIV-04] a privacy request with a missing field is rejected with an error at that field', async () => {
  for (const name of ['name', 'email', 'subject', 'message', 'confirmed']) {
    const { [name]: _, ...rest } = inquiry() as Record<string, unknown>
    const { status, json } = await send(rest)
    expect([name, status, json.errors.map(({ field }: { field: string }) => field)]).toEqual([
      name,
      422,
      [name],
    ])
  }
  const wrong = { name: ' ', email: 'x', subject: 'spam', message: '', confirmed: false, more: 1 }
  const { status, json } = await send(wrong)
  expect(status).toBe(422)
  expect(json.errors).toEqual(
    expect.arrayContaining([
      { field: 'email', message: 'Email must be an email address.' },
      { field: 'subject', message: 'Subject must be one of the options.' },
      { field: 'message', message: 'Message is required.' },
    ]),
  )
  expect(json.errors).toHaveLength(6)
})

test('a privacy request from a bot that fills in every field gets a normal response and isn’t stored', async () => {
  const before = [
    await countOf('privacyrequests'),
    await countOf('outbox'),
    await countOf('audit_events'),
  ]
  const { status, json } = await send(inquiry({ website: 'https://spam.example' }))
  expect(status).toBe(202)
  expect(json).toEqual({
    reference: expect.stringMatching(new RegExp(`^PR-${YEAR}-\\d{4}$`)),
    dueOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  })
  expect([
    await countOf('privacyrequests'),
    await countOf('outbox'),
    await countOf('audit_events'),
  ]).toEqual(before)
})

test('references of concurrent privacy requests are unique', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(inquiry())))
  expect(new Set(answers.map(({ json }) => json.reference)).size).toBe(20)
})

test('a retried privacy request with the same key returns the same case', async () => {
  const body = inquiry()
  const key = { 'idempotency-key': crypto.randomUUID() }
  const first = await send(body, key)
  const again = await send(body, key)
  expect([again.status, again.json]).toEqual([202, first.json])
  expect(
    await api.database.sql('select 1 from privacyrequests where email = $1', [body.email]),
  ).toHaveLength(1)
  expect((await send(inquiry(), key)).status).toBe(422)
})

test('[PRIV-04] a fourth privacy request in a day for one address is stored', async () => {
  const email = 'often@example.test'
  const answers = await Promise.all(
    [email, 'Often@example.test', email, 'OFTEN@example.test', email].map((one) =>
      send(inquiry({ email: one })),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202))
  const { json } = await api.call('GET', '/api/privacyrequests?q=often%40example', ADMIN)
  const kept = json.items.map(({ reference }: { reference: string }) => reference)
  expect(new Set(kept)).toEqual(new Set(answers.map((answer) => answer.json.reference)))
})

test('five privacy requests per hour and network are allowed, and the network address isn’t stored', async () => {
  const strict = await startTest({ limits: { inquiriesPerHour: 5, choicesPerHour: 5 } })
  try {
    const headers = { 'x-forwarded-for': '203.0.113.77' }
    const statuses = []
    for (let i = 0; i < 6; i++)
      statuses.push((await strict.call('POST', URL, null, { body: inquiry(), headers })).status)
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429])
    const other = { 'x-forwarded-for': '203.0.113.78' }
    expect((await strict.call('POST', URL, null, { body: inquiry(), headers: other })).status).toBe(
      202,
    )
    const rows = await strict.database.sql('select * from hourly_counts')
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain('203.0.113')
    // Leftovers of a past hour.
    await strict.database.sql(`update hourly_counts set hour = hour - interval '1 hour'`)
    await strict.database.sql(`update hourly_salts set hour = hour - interval '1 hour'`)
    expect((await strict.call('POST', URL, null, { body: inquiry(), headers })).status).toBe(202)
    await expireAllRows(strict)
    expect(await strict.database.sql('select * from hourly_salts')).toHaveLength(1)
    expect(await strict.database.sql('select * from hourly_counts')).toHaveLength(1)
  } finally {
    await strict.stop()
  }
})

test('anonymous visitors and users see no privacy cases; admins can change the writable fields', async () => {
  await send(inquiry())
  expect((await api.call('GET', '/api/privacyrequests')).status).toBe(401)
  expect((await api.call('GET', '/api/privacyrequests', ALICE)).status).toBe(403)
  expect((await api.call('GET', URL)).status).toBe(405)
  const [record] = (await api.call('GET', '/api/privacyrequests', ADMIN)).json.items
  const put = (body: object) =>
    api.call('PUT', `/api/privacyrequests/${record.id}`, ADMIN, { body })
  expect((await put({ status: 'open', extendedTo: '2027-01-31' })).status).toBe(200)
  expect((await put({ message: 'rewritten' })).status).toBe(422)
  expect((await put({ reference: 'PR-1' })).status).toBe(422)
})

test('a reply is due after 30 days or a month, whichever is sooner, for every day until 2040', async () => {
  const rows = await api.database.sql(
    `select day::date::text as day, least(day::date + 30, (day + interval '1 month')::date)::text as due
      from generate_series('2024-12-01'::timestamp, '2040-12-31', '1 day') day`,
  )
  expect(rows).toHaveLength(5_875)
  for (const { day, due } of rows) expect([day, responseDeadline(day)]).toEqual([day, due])
})

test('a cookie choice is stored as proof, without identifying data', async () => {
  const choice = {
    choiceId: crypto.randomUUID(),
    choice: 'essential',
    switchState: true,
    gpc: false,
    noticeVersion: '1.0',
    dialogHash: 'ab'.repeat(32),
  }
  const post = (body: object) =>
    api.call('POST', '/api/privacy/choices', null, {
      body,
      headers: { 'x-forwarded-for': '203.0.113.5', 'user-agent': 'Canary/1.0' },
    })
  expect((await post(choice)).status).toBe(204)
  expect((await post(choice)).status).toBe(204)
  const rows = await api.database.sql('select * from cookie_choices')
  expect(rows).toHaveLength(1)
  expect(Object.keys(rows[0])).toEqual(
    'id choice switch_state gpc notice_version dialog_hash at'.split(' '),
  )
  expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113|Canary/)
  expect((await post({ ...choice, choiceId: `urn:uuid:${choice.choiceId}` })).status).toBe(422)
  expect((await post({ ...choice, user: 'me' })).status).toBe(422)
  expect((await post({ ...choice, dialogHash: 'nora-at-example-org' })).status).toBe(422)
  expect((await post({ ...choice, dialogHash: 'x'.repeat(2_000) })).status).toBe(413)
})
