import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, CONFIG, startTest, type Person, type Test } from '../../../test/kit.ts'
import { withMoves } from '../../../test/moves.ts'
import { FIXTURE_MODELS } from '../../../test/scope-fixture.ts'

const CAROL = { sub: 'sub-carol', name: 'Carol', role: 'user' } as const
const DAVE = { sub: 'sub-dave', name: 'Dave', role: 'user' } as const
/** Alice while she was an admin. */
const ALICE_THEN = { ...ALICE, role: 'admin' } as const

let t: Test
let ours: string
let theirs: string
beforeAll(async () => {
  t = await startTest({ models: FIXTURE_MODELS })
  ours = await make('organisations', { name: 'Ours' })
  theirs = await make('organisations', { name: 'Theirs' })
  await link(CAROL.sub, 'viewer')
  await link(DAVE.sub, 'manager')
})
afterAll(() => t.stop())

describe('history', () => {
  test('the history omits changes made while the ticket belonged to another organisation', async () => {
    const id = await make('tickets', { ...TICKET, organisation: theirs, subject: 'former subject' })
    await change('tickets', id, { subject: 'later subject' })
    await change('tickets', id, {
      organisation: ours,
      subject: 'handed over',
      email: NEXT_OWNER_EMAIL,
    })
    await change('tickets', id, { subject: 'our subject' })
    const { items, next } = await historyOf(DAVE, 'tickets', id)
    expect(items.map(({ version }) => version)).toEqual([4, 3])
    expect(next).toBeNull()
    expect(changesOf(items[0])).toEqual({ subject: ['handed over', 'our subject'] })
    // Only the result of the change of owner is visible.
    expect(changesOf(items[1])).toEqual({ subject: [null, 'handed over'] })
    for (const before of [2, 3, 4]) {
      const page = await t.call('GET', `/api/tickets/${id}/history?before=${before}`, DAVE)
      expect(page.text).not.toMatch(/former|later/)
    }
    expect((await historyOf(ADMIN, 'tickets', id)).items).toHaveLength(4)
  })

  test('the history follows the caller’s role in the organisation, like a read', async () => {
    const id = await make('tickets', { ...TICKET, organisation: ours, clientId: BOB.sub })
    await change('tickets', id, {
      clientId: CAROL.sub,
      subject: 'Carol’s now',
      email: NEXT_OWNER_EMAIL,
    })
    expect(await versionsOf(CAROL, 'tickets', id)).toEqual([2])
    expect(await versionsOf(DAVE, 'tickets', id)).toEqual([2, 1])
    const pin = await make('pins', { text: 'a pin', organisation: ours, owner: BOB.sub })
    await change('pins', pin, { owner: CAROL.sub })
    expect(await versionsOf(CAROL, 'pins', pin)).toEqual([2, 1])
  })

  test('the history omits internal versions, before publication and after withdrawal', async () => {
    const ticket = await make('tickets', { ...TICKET, clientId: ALICE.sub })
    const id = await make('replies', { ticket, body: 'inside first', internal: true })
    await change('replies', id, { body: 'outside', internal: false })
    await change('replies', id, { body: 'inside again', internal: true })
    expect((await t.call('GET', `/api/replies/${id}/history`, ALICE)).status).toBe(404)
    await change('replies', id, { body: 'out again', internal: false })
    const { items } = await historyOf(ALICE, 'replies', id)
    expect(items.map(({ version }) => version)).toEqual([4, 2])
    expect(items.map(changesOf)).toEqual([
      { body: [null, 'out again'] },
      { body: [null, 'outside'] },
    ])
  })

  test('the history omits changes made while a record was restricted', async () => {
    const id = await make('kitchensink', { text: 'open', owner: ALICE.sub })
    const restrict = (since: string) =>
      t.database.sql(`update kitchensink set restricted_at = ${since} where id = $1`, [id])
    await restrict('now()')
    await change('kitchensink', id, { text: 'restricted' })
    await restrict('null')
    await change('kitchensink', id, { text: 'open again' })
    expect(await versionsOf(ALICE, 'kitchensink', id)).toEqual([3, 1])
  })

  test('the history of a message follows the ticket’s owner at the time, not the current one', async () => {
    const ticket = await make('tickets', { ...TICKET, clientId: BOB.sub, organisation: theirs })
    const id = await make('replies', { ticket, body: 'said to Bob' })
    await change('tickets', ticket, {
      clientId: ALICE.sub,
      organisation: null,
      email: NEXT_OWNER_EMAIL,
    })
    await change('replies', id, { body: 'said to Alice' })
    expect((await t.call('GET', `/api/replies/${id}`, ALICE)).json.body).toBe('said to Alice')
    const { items } = await historyOf(ALICE, 'replies', id)
    expect(items.map(changesOf)).toEqual([{ body: [null, 'said to Alice'] }])
  })

  test('a page of the history has 50 visible entries', async () => {
    const id = await make('kitchensink', { text: 'mine 1', owner: ALICE.sub })
    for (let round = 2; round <= 60; round++) {
      await change('kitchensink', id, { text: `theirs ${round}`, owner: BOB.sub })
      await change('kitchensink', id, { text: `mine ${round}`, owner: ALICE.sub })
    }
    const first = await historyOf(ALICE, 'kitchensink', id)
    expect([first.items.length, first.items[0]?.version, first.next]).toEqual([50, 119, 21])
    const second = await historyOf(ALICE, 'kitchensink', id, `?before=${first.next}`)
    expect([second.items.length, second.items[0]?.version, second.next]).toEqual([10, 19, null])
    expect(JSON.stringify([first, second])).not.toContain('theirs')
  })
})

describe('undo', () => {
  test('undo restores no values the caller couldn’t see at the time', async () => {
    const id = await make('kitchensink', { text: 'Bob’s words', owner: BOB.sub })
    const handed = await t.call('PUT', `/api/kitchensink/${id}`, ALICE_THEN, {
      body: { text: 'for Alice', owner: ALICE.sub },
    })
    const operation = handed.headers.get('operation-id')
    const [step] = (await historyOf(ALICE, 'kitchensink', id)).items
    expect(step).toMatchObject({ version: 2, isYou: true, operation: null })
    const undone = await t.call('POST', `/api/operations/${operation}/undo`, ALICE)
    expect([undone.status, undone.json.detail]).toEqual([404, 'There is nothing to undo.'])
    const unknown = await t.call('POST', `/api/operations/${crypto.randomUUID()}/undo`, ALICE)
    expect({ ...undone.json, requestId: '' }).toEqual({ ...unknown.json, requestId: '' })
    expect((await t.call('GET', `/api/kitchensink/${id}`, ALICE)).json.text).toBe('for Alice')
    expect((await t.call('POST', `/api/operations/${operation}/undo`, ADMIN)).status).toBe(200)
  })

  test('undo is possible for callers who own the record both before and after the change', async () => {
    const id = await make('kitchensink', { text: 'one', owner: ALICE.sub })
    const changed = await t.call('PUT', `/api/kitchensink/${id}`, ALICE, { body: { text: 'two' } })
    const operation = changed.headers.get('operation-id')
    expect((await historyOf(ALICE, 'kitchensink', id)).items[0]).toMatchObject({ operation })
    expect((await t.call('POST', `/api/operations/${operation}/undo`, ALICE)).status).toBe(200)
  })
})

describe('restoring a version', () => {
  test('restoring a version from another owner’s time is rejected like an unknown version', async () => {
    const id = await make('kitchensink', { text: 'Bob’s words', owner: BOB.sub })
    await change('kitchensink', id, { text: 'for Alice', owner: ALICE.sub })
    await change('kitchensink', id, { text: 'Alice’s words' })
    const restore = (version: number) =>
      t.call('POST', `/api/kitchensink/${id}/restore`, ALICE, { body: { version } })
    const [former, absent] = [await restore(1), await restore(99)]
    expect([former.status, former.json.errors]).toEqual([
      422,
      [{ field: 'version', message: 'There is no such version.' }],
    ])
    expect({ ...former.json, requestId: '' }).toEqual({ ...absent.json, requestId: '' })
    const own = await restore(2)
    expect([own.status, own.json.text]).toEqual([200, 'for Alice'])
  })
})

describe('a repeated creation', () => {
  const repeat = (person: Person, key: string, body: object) =>
    t.call('POST', '/api/kitchensink', person, { body, headers: { 'idempotency-key': key } })
  const count = async (text: string) =>
    (await t.database.sql('select 1 from kitchensink where text = $1', [text])).length

  test('a repeated creation returns 404 while another user owns the record, and the first response once it is back', async () => {
    const body = { text: 'handed over and back' }
    const first = await repeat(ALICE, 'handed', body)
    await change('kitchensink', first.json.id, { owner: BOB.sub })
    const again = await repeat(ALICE, 'handed', body)
    expect([again.status, again.json.detail]).toEqual([404, 'Record not found'])
    expect(again.headers.get('location')).toBeNull()
    expect(await count(body.text)).toBe(1)
    await change('kitchensink', first.json.id, { owner: ALICE.sub })
    expect((await repeat(ALICE, 'handed', body)).text).toBe(first.text)
  })

  test('a repeated creation returns 404 if the record wasn’t visible to the caller then, even if it is now', async () => {
    const body = { text: 'made for Bob' }
    const first = await repeat(ALICE_THEN, 'for-bob', body)
    await change('kitchensink', first.json.id, { owner: ALICE.sub, text: 'Alice’s' })
    expect((await repeat(ALICE, 'for-bob', body)).status).toBe(404)
    expect((await repeat(ALICE_THEN, 'for-bob', body)).status).toBe(201)
    expect(await count(body.text)).toBe(0)
  })

  test('a repeated creation returns 404 while the record is in a trash the caller can’t see', async () => {
    const body = { text: 'thrown away' }
    const first = await repeat(ALICE, 'trashed', body)
    await t.call('DELETE', `/api/kitchensink/${first.json.id}`, ADMIN)
    expect((await repeat(ALICE, 'trashed', body)).status).toBe(404)
    expect(await count(body.text)).toBe(1)
  })
})

describe('a queued mail', () => {
  /** Alice's ticket after a staff reply, with its mails still in the outbox. */
  async function answered() {
    await t.database.sql('delete from outbox')
    const email = `${crypto.randomUUID()}@example.test`
    const ticket = await make('tickets', { ...TICKET, email, clientId: ALICE.sub })
    await make('messages', { ticket, body: 'an answer for Alice' })
    return { ticket, email }
  }

  test('a queued mail is sent to the client while they own the ticket, even if other fields changed', async () => {
    const { ticket, email } = await answered()
    await change('tickets', ticket, { organisation: theirs, priority: 'High' })
    expect((await t.mails()).filter(({ to }) => to === email)).toHaveLength(2)
  })

  test.each([
    ['to another client', { clientId: BOB.sub, email: NEXT_OWNER_EMAIL }],
    ['to an organisation', { clientId: null, organisation: null, email: NEXT_OWNER_EMAIL }],
    ['to another address', { email: 'new@example.test' }],
  ])('a queued mail is not sent after the ticket moved %s, nor when resent', async (_how, to) => {
    const { ticket, email } = await answered()
    await change('tickets', ticket, to)
    const sent = await t.mails()
    expect(
      sent.filter(({ to }) => [email, NEXT_OWNER_EMAIL, 'new@example.test'].includes(to)),
    ).toEqual([])
    expect(sent.map((mail) => mail.to)).toContain(CONFIG.owner.email)
    await t.database.sql(`update outbox set failed_at = null, created_at = now() + interval '1 s'`)
    expect(await t.mails()).toEqual([])
  })

  test('a queued mail reveals nothing about another ticket the reply was moved to', async () => {
    const { email } = await answered()
    const other = await make('tickets', { ...TICKET, subject: 'Bob’s matter', clientId: BOB.sub })
    const [{ id }] = await t.database
      .sql(`select id from messages where body = 'an answer for Alice'
      order by id desc limit 1`)
    await withMoves(FIXTURE_MODELS, 'messages', () => change('messages', id, { ticket: other }))
    const sent = (await t.mails()).filter(({ to }) => to === email)
    expect(JSON.stringify(sent)).not.toMatch(/Bob|an answer/)
  })
})

describe('a ticket that changes owner', () => {
  const NEW_OWNER = { ...BOB, sub: 'sub-new', email: 'new@example.test', emailVerified: true }
  const FORMER = 'former@example.test'
  const formerly = (values: object) => make('tickets', { ...TICKET, email: FORMER, ...values })
  const emailOf = async (id: string) =>
    (await t.call('GET', `/api/tickets/${id}`, ADMIN)).json.email
  const recipients = async (id: string) => {
    await t.database.sql('delete from outbox')
    for (const act of ['reply', 'close', 'reopen']) {
      const body = act === 'reply' ? { body: 'for the new owner' } : {}
      const done = await t.call('POST', `/api/tickets/${id}/${act}`, ADMIN, { body })
      expect(done.status, done.text).toBe(200)
      await t.mails().then((mails) => sentTo.push(...mails.map(({ to }) => to)))
    }
    return sentTo.splice(0)
  }
  const sentTo: string[] = []

  test('after a change of owner, replies are mailed to the new owner, and undo reverts it completely', async () => {
    await t.call('GET', '/api/me', NEW_OWNER)
    const id = await formerly({ clientId: ALICE.sub })
    // Forms send back everything they show, the former address too.
    const body = { clientId: NEW_OWNER.sub, email: FORMER, organisation: ours }
    const changed = await t.call('PUT', `/api/tickets/${id}`, ADMIN, { body })
    expect(changed.json).toMatchObject({
      clientId: NEW_OWNER.sub,
      email: NEW_OWNER.email,
      version: 2,
    })
    expect(await recipients(id)).toEqual(Array(3).fill(NEW_OWNER.email))
    const other = await formerly({ clientId: ALICE.sub })
    const again = await t.call('PUT', `/api/tickets/${other}`, ADMIN, { body })
    const operation = again.headers.get('operation-id')
    expect((await t.call('POST', `/api/operations/${operation}/undo`, ADMIN)).status).toBe(200)
    expect((await t.call('GET', `/api/tickets/${other}`, ADMIN)).json).toMatchObject({
      clientId: ALICE.sub,
      email: FORMER,
    })
  })

  test.each([
    [
      'from a client to no owner',
      () => ({ clientId: ALICE.sub }),
      () => ({ clientId: null, email: FORMER }),
    ],
    ['to an unknown account', () => ({ clientId: ALICE.sub }), () => ({ clientId: 'sub-unknown' })],
    ['to its first owner', () => ({}), () => ({ clientId: 'sub-unknown' })],
    [
      'from one organisation to another',
      () => ({ organisation: theirs }),
      () => ({ organisation: ours }),
    ],
  ])(
    'a change of owner is rejected if the new owner has no address: %s',
    async (_how, values, to) => {
      const id = await formerly(values())
      const refused = await t.call('PUT', `/api/tickets/${id}`, ADMIN, { body: to() })
      expect(refused.json).toMatchObject({ status: 422, errors: [{ field: 'email' }] })
      expect(await emailOf(id)).toBe(FORMER)
      expect(await recipients(id)).toEqual(Array(3).fill(FORMER))
    },
  )

  test('a change of owner keeps an address sent with it, and that of an unchanged owner', async () => {
    const id = await formerly({ clientId: ALICE.sub })
    await change('tickets', id, { clientId: 'sub-unknown', email: 'named@example.test' })
    await change('tickets', id, { clientId: 'sub-unknown', organisation: ours })
    await change('tickets', id, { organisation: theirs })
    expect(await emailOf(id)).toBe('named@example.test')
    const enquiry = await formerly({})
    await change('tickets', enquiry, { organisation: ours })
    expect(await emailOf(enquiry)).toBe(FORMER)
  })

  test('after restoring a version, replies are mailed to that version’s owner', async () => {
    await t.call('GET', '/api/me', NEW_OWNER)
    const id = await formerly({ clientId: NEW_OWNER.sub })
    await change('tickets', id, { clientId: ALICE.sub, email: 'alice@example.test' })
    const body = { version: 1, fields: ['clientId'] }
    expect((await t.call('POST', `/api/tickets/${id}/restore`, ADMIN, { body })).status).toBe(200)
    expect(await emailOf(id)).toBe(NEW_OWNER.email)
  })
})

const NEXT_OWNER_EMAIL = 'next@example.test'
const TICKET = { fullName: 'Una', email: 'una@example.test', subject: 'Slow', message: 'Very' }

async function make(path: string, body: object): Promise<string> {
  const created = await t.call('POST', `/api/${path}`, ADMIN, { body })
  expect(created.status, created.text).toBe(201)
  return created.json.id
}

async function change(path: string, id: string, body: object) {
  const changed = await t.call('PUT', `/api/${path}/${id}`, ADMIN, { body })
  expect(changed.status, changed.text).toBe(200)
}

async function link(sub: string, portalRole: string) {
  const email = `${sub}@example.test`
  const id = await make('contacts', { fullName: sub, email, organisation: ours, portalRole })
  await t.database.sql('update contacts set user_sub = $1 where id = $2', [sub, id])
}

type Step = {
  version: number
  isYou: boolean
  operation: string | null
  changes: { field: string; before: unknown; after: unknown }[]
}

async function historyOf(person: Person, path: string, id: string, query = '') {
  const { status, text, json } = await t.call('GET', `/api/${path}/${id}/history${query}`, person)
  expect(status, text).toBe(200)
  return json as { items: Step[]; next: number | null }
}

const versionsOf = async (person: Person, path: string, id: string) =>
  (await historyOf(person, path, id)).items.map(({ version }) => version)

/** An entry's changes to the fields these tests write. */
const changesOf = (step: Step | undefined) =>
  Object.fromEntries(
    (step?.changes ?? [])
      .filter(({ field }) => field === 'subject' || field === 'body')
      .map(({ field, before, after }) => [field, [before, after]]),
  )
