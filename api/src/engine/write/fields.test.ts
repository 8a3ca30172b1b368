import { defineModel, FIELD_TYPES, fieldsOf, np } from '@gatehouse/model'
import { kitchensink, models } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, SITE, startTest, type Test } from '../../../test/kit.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ABSENT = '33333333-3333-7333-8333-333333333333'

let api: Test
let organisation: string
beforeAll(async () => {
  api = await startTest()
  organisation = await idOf('/api/organisations', { name: 'Acme' })
})
afterAll(() => api.stop())

type Values = { kept: [sent: unknown, stored?: unknown][]; refused: unknown[] }
const text = (length: number) => 'ä'.repeat(length)
const url = (length: number) => `https://example.test/${'x'.repeat(length - 21)}`

/** Accepted, stored and rejected values per field. Optional fields also accept null. */
const FIELDS: Record<string, Values> = {
  text: {
    kept: [['a'], [' a '], [text(200)], ['<script>'], ['🦊 "\\\''], ["Robert'); drop table --"]],
    refused: ['', '   ', text(201), 7, null, ['a'], { a: 1 }, 'a\0b', '\0'],
  },
  textarea: {
    kept: [['a\nb'], [text(10_000)], ['', null], [' ']],
    refused: [text(10_001), 7, true, 'a\0'],
  },
  markdown: { kept: [['# a'], [text(50_000)], ['', null]], refused: [text(50_001), 7, '\0'] },
  email: {
    kept: [['a@example.test'], ['A.B+c@Example.test']],
    refused: ['a', 'a@', '@b.test', 'a b@c.test', 'a@b.test\0', `${'a'.repeat(250)}@b.test`, 7],
  },
  tel: {
    kept: [['+353 1 234-5678'], ['0049/30.1'], ['123']],
    refused: ['abc', '12', '+', '1'.repeat(41), '123;ext=4', '123\0', 7],
  },
  url: {
    kept: [['https://example.test/a?b=c#d'], ['http://localhost:1/'], [url(2_000)]],
    refused: [
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://a.test',
      '//a.test',
      '/a',
      'https:// a.test',
      'https://a.test/\0',
      ' https://a.test',
      url(2_001),
      7,
    ],
  },
  integer: { kept: [[0], [-1_000], [1_000]], refused: [1_001, -1_001, 1.5, '5', true, 1e20, []] },
  decimal: {
    kept: [[0], [0.1], [-12.3], [0.1 + 0.2, 0.3], [99_999_999_999], [5]],
    refused: [0.05, 0.11, '1', 1e11, -1e11, true, 1e300],
  },
  boolean: { kept: [[true], [false]], refused: ['true', 1, 0, '', []] },
  date: {
    kept: [['2026-01-31'], ['2024-02-29'], ['0001-01-01'], ['9999-12-31']],
    refused: ['2026-02-30', '2025-02-29', '2026-13-01', '0000-01-01', '2026-1-1', '31.01.2026', 7],
  },
  endDate: { kept: [['2026-01-31']], refused: ['2026-01-31T00:00:00Z', 'today', '10000-01-01'] },
  datetime: {
    kept: [
      ['2026-01-31T10:00:00.000Z'],
      ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.000Z'],
      ['2026-01-31T10:00:00+02:00', '2026-01-31T08:00:00.000Z'],
      ['2026-01-31T10:00:00.123456Z', '2026-01-31T10:00:00.123Z'],
      ['2026-01-31T10:00:00+23:59', '2026-01-30T10:01:00.000Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['0099-12-31T23:59:59.500Z'],
      ['9999-12-31T23:59:59.999Z'],
    ],
    refused: [
      '2026-01-31',
      '2026-01-31T10:00:00',
      '2026-02-30T10:00:00Z',
      '2026-01-31T25:00:00Z',
      '0000-01-01T00:00:00Z',
      // Instants outside the years 1 to 9999 in UTC, and a leap second.
      '0001-01-01T00:00:00+14:00',
      '9999-12-31T23:59:59-14:00',
      '2016-12-31T23:59:60Z',
      1_769_853_600_000,
    ],
  },
  select: { kept: [['one'], ['three']], refused: ['four', 'One', '', 1, ['one']] },
  file: {
    kept: [[[], null]],
    refused: ['no id', ABSENT, [ABSENT], [ABSENT, ABSENT], ['no id'], [null], 7],
  },
  multiselect: {
    kept: [[['red']], [['blue', 'red', 'green']], [[], null]],
    refused: [['pink'], ['red', 'red'], 'red', [null], [['red']], { 0: 'red' }],
  },
  organisation: { kept: [], refused: ['no id', ABSENT, 7, ''] },
  parent: { kept: [], refused: ['no id', ABSENT, 7, `${ABSENT}0`] },
  owner: { kept: [['sub-someone']], refused: [text(201), 7] },
  secret: { kept: [['s']], refused: [text(201), 7] },
}

test('the table of test values covers every field and type of the kitchen sink', () => {
  expect(Object.keys(FIELDS)).toEqual(Object.keys(kitchensink.fields))
  const types = new Set(fieldsOf(kitchensink).map(([, field]) => field.type))
  expect(types).toEqual(new Set(Object.keys(FIELD_TYPES)))
})

test.each(Object.keys(FIELDS))(
  'accepted values of %s are created, read and changed as stored, and can be emptied',
  async (name) => {
    const ids = { organisation, parent: await idOf('/api/kitchen-sinks', { text: 'parent' }) }
    const relation = ids[name as keyof typeof ids]
    const kept = relation ? [[relation] as [string]] : (FIELDS[name]?.kept ?? [])
    const other = await idOf('/api/kitchen-sinks', { text: 'other' })
    for (const [sent, stored = sent] of kept) {
      const created = await post({ text: 'new', [name]: sent })
      expect(created.json[name], created.text.slice(0, 300)).toEqual(stored)
      expect((await get(created.json.id)).json[name]).toEqual(stored)
      // The address is unique.
      await api.call('DELETE', `/api/kitchensink/${created.json.id}`, ADMIN)
      const changed = await put(other, { [name]: sent })
      expect(changed.json[name], changed.text.slice(0, 300)).toEqual(stored)
      expect((await get(other)).json[name]).toEqual(stored)
    }
    const emptied = await put(other, { [name]: null })
    expect(emptied.status).toBe(name === 'text' ? 422 : 200)
    const left = (await get(other)).json[name]
    expect(left === null).toBe(name !== 'text')
  },
)

test.each(Object.keys(FIELDS))('invalid values of %s get an error at the field', async (name) => {
  const id = await idOf('/api/kitchen-sinks', { text: 'as it was' })
  const before = (await get(id)).text
  for (const value of FIELDS[name]?.refused ?? []) {
    const answers = [await post({ text: 'new', [name]: value }), await put(id, { [name]: value })]
    for (const { status, json } of answers) {
      expect([value, status, json.code]).toEqual([value, 422, 'invalid-record'])
      expect(json.errors).toEqual([{ field: name, message: expect.stringMatching(/^.+\.$/) }])
      expect(json.detail).toBe(json.errors[0].message)
    }
  }
  expect((await get(id)).text).toBe(before)
})

test('instants don’t depend on the database’s time zone', async () => {
  const instants = [
    '0001-01-02T00:00:00.000Z',
    '1800-01-01T12:00:00.001Z',
    '2026-07-01T12:00:00.000Z',
  ]
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns']) {
    const far = await startTest({ zone })
    for (const datetime of instants) {
      const { json } = await far.call('POST', '/api/kitchen-sinks', ADMIN, {
        body: { text: zone, datetime },
      })
      expect([zone, json.datetime]).toEqual([zone, datetime])
      expect(Math.abs(Date.parse(json.createdAt) - Date.now())).toBeLessThan(60_000)
    }
    const { json } = await far.call('GET', '/api/kitchen-sinks?sort=datetime&limit=2', ADMIN)
    const rest = await far.call('GET', `/api/kitchen-sinks?sort=datetime&after=${json.next}`, ADMIN)
    const listed = [...json.items, ...rest.json.items]
    expect(listed.map(({ datetime }: { datetime: string }) => datetime)).toEqual(instants)
    await far.stop()
  }
})

test('[DYN-08] all errors are reported together, each at its field', async () => {
  const { json } = await post({ integer: 1.5, select: 'four', url: 'x', nope: 1 })
  expect(json.errors).toHaveLength(5)
  expect(json.errors).toEqual(
    expect.arrayContaining([
      { field: 'text', message: 'Text is required.' },
      { field: 'integer', message: 'Integer must be a whole number.' },
      { field: 'select', message: 'Select must be one of the options.' },
      { field: 'url', message: expect.stringMatching(/^Address /) },
      { field: 'nope', message: '"nope" can’t be set.' },
    ]),
  )
})

test('unknown, hidden, computed and read-only fields get the same error', async () => {
  const id = await idOf('/api/kitchen-sinks', { text: 'mine' }, ALICE)
  const names = [
    'nope',
    'secret',
    'id',
    'version',
    'createdAt',
    'deletedAt',
    'labels',
    'sample',
    'constructor',
  ]
  for (const name of names) {
    const errors = [{ field: name, message: `"${name}" can’t be set.` }]
    expect((await post({ text: 'x', [name]: 'x' }, ALICE)).json.errors).toEqual(errors)
    expect((await put(id, { [name]: 'x' }, ALICE)).json.errors).toEqual(errors)
  }
  const ticket = { fullName: 'A', email: 'a@example.test', subject: 'S', message: 'M' }
  for (const name of ['status', 'internalNotes', 'number', 'openedAt', 'dueAt', 'nope']) {
    const { json } = await api.call('POST', '/api/tickets', ALICE, {
      body: { ...ticket, [name]: 'x' },
    })
    expect(json.errors).toEqual([{ field: name, message: `"${name}" can’t be set.` }])
  }
})

test("stamps ignore the body, except an admin's", async () => {
  const sent = { text: 'x', owner: 'someone-else', organisation: ABSENT }
  const { json } = await post(sent, ALICE)
  expect(json).toMatchObject({ owner: ALICE.sub, organisation: null })
  const kept = await put(json.id, { owner: 'someone-else', organisation: 7 }, ALICE)
  expect([kept.status, kept.json.owner]).toEqual([200, ALICE.sub])
  expect((await post({ text: 'x', owner: 'someone' })).json.owner).toBe('someone')
  expect((await post({ text: 'x' })).json.owner).toBeNull()
})

test('a default applies to absent fields, not to empty ones; a field absent from a PUT is kept', async () => {
  expect((await post({ text: 'x' })).json.boolean).toBe(true)
  const { json } = await post({ text: 'x', boolean: null, integer: 5 })
  expect(json.boolean).toBeNull()
  expect((await put(json.id, { text: 'y' })).json).toMatchObject({ boolean: null, integer: 5 })
  const created = await api.call('POST', '/api/organisations', ADMIN, {
    body: { name: 'Defaults' },
  })
  expect(created.json).toMatchObject({ country: 'IE', slaTier: 'None', lastContactOn: dayOf(0) })
})

test('a relation to a missing, invisible or deleted record returns the same 422', async () => {
  const foreign = await idOf('/api/kitchen-sinks', { text: 'of Bob' }, BOB)
  const deleted = await idOf('/api/kitchen-sinks', { text: 'gone' }, ALICE)
  await api.call('DELETE', `/api/kitchensink/${deleted}`, ADMIN)
  const mine = await idOf('/api/kitchen-sinks', { text: 'mine' }, ALICE)
  for (const parent of [ABSENT, foreign, deleted])
    for (const { status, json } of [
      await post({ text: 'x', parent }, ALICE),
      await put(mine, { parent }, ALICE),
    ])
      expect([status, json.detail, json.errors]).toEqual([
        422,
        'Parent: record not found.',
        [{ field: 'parent', message: 'Parent: record not found.' }],
      ])
  expect((await post({ text: 'x', parent: mine }, ALICE)).json).toMatchObject({
    parent: mine,
    labels: { parent: 'mine' },
  })
})

test('an invisible relation reads as null, and is kept when null is sent back', async () => {
  const foreign = await idOf('/api/kitchen-sinks', { text: 'of Bob' }, BOB)
  const mine = await idOf('/api/kitchen-sinks', { text: 'mine' }, ALICE)
  await put(mine, { parent: foreign, organisation })
  const seen = await get(mine, ALICE)
  expect(seen.json).toMatchObject({ parent: null, organisation: null, labels: {} })
  const saved = await put(mine, { parent: seen.json.parent, text: 'renamed' }, ALICE)
  expect(saved.status).toBe(200)
  expect((await get(mine)).json).toMatchObject({ parent: foreign, organisation, text: 'renamed' })
  // Admins see it, so they can clear it.
  expect((await put(mine, { parent: null })).json.parent).toBeNull()
})

test('a record that contracts refer to can’t be deleted before them', async () => {
  const { contract, service, owner } = await newContract({ startOn: dayOf(DAY_MS) })
  for (const path of [`/api/services/${service}`, `/api/organisations/${owner}`]) {
    const { status, json } = await remove(path)
    expect([status, json.code, json.detail]).toEqual([
      409,
      'in-use',
      'This record is still used by contracts. Reassign or delete them first.',
    ])
  }
  expect((await remove(`/api/contracts/${contract}`)).status).toBe(204)
  expect((await remove(`/api/services/${service}`)).status).toBe(204)
  expect((await remove(`/api/organisations/${owner}`)).status).toBe(204)
})

test('a contract that has started can’t be deleted, only ended', async () => {
  for (const startOn of [dayOf(0), dayOf(-400 * DAY_MS)]) {
    const { contract } = await newContract({ startOn })
    const { status, json } = await remove(`/api/contracts/${contract}`)
    expect([status, json.code, json.detail]).toEqual([
      409,
      'not-deletable',
      'A contract that has started can’t be deleted. Set its end date instead.',
    ])
  }
})

test('deleting the target of an `unlink` relation unlinks the others', async () => {
  const owner = await idOf('/api/organisations', { name: 'Leaving' })
  const id = await idOf('/api/kitchen-sinks', { text: 'stays', organisation: owner })
  expect((await get(id)).json).toMatchObject({
    organisation: owner,
    labels: { organisation: 'Leaving' },
  })
  expect((await remove(`/api/organisations/${owner}`)).status).toBe(204)
  expect((await get(id)).json).toMatchObject({ organisation: null, labels: {}, version: 1 })
})

test('deleting a record deletes its children, each with a revision, in one operation', async () => {
  const root = await idOf('/api/kitchen-sinks', { text: 'root' })
  const child = await idOf('/api/kitchen-sinks', { text: 'child', parent: root })
  const grandchild = await idOf('/api/kitchen-sinks', { text: 'grandchild', parent: child })
  const other = await idOf('/api/kitchen-sinks', { text: 'other' })
  expect((await remove(`/api/kitchensink/${root}`)).status).toBe(204)
  const statuses = [root, child, grandchild, other].map(async (id) => (await get(id)).status)
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 200])
  const traces = await api.database.sql(
    `select count(*)::int as revisions, count(distinct operation_id)::int as operations,
      (select count(*)::int from audit_events where action = 'delete' and entity_id = any($1)) as events
      from revisions where action = 'delete' and record_id = any($1)`,
    [[root, child, grandchild]],
  )
  expect(traces).toEqual([{ revisions: 3, operations: 1, events: 3 }])
})

test("records that are their own or each other's parents can be deleted", async () => {
  const a = await idOf('/api/kitchen-sinks', { text: 'a' })
  const b = await idOf('/api/kitchen-sinks', { text: 'b', parent: a })
  await put(a, { parent: b })
  expect((await remove(`/api/kitchensink/${a}`)).status).toBe(204)
  expect([(await get(a)).status, (await get(b)).status]).toEqual([404, 404])
  const own = await idOf('/api/kitchen-sinks', { text: 'own' })
  await put(own, { parent: own })
  expect((await remove(`/api/kitchensink/${own}`)).status).toBe(204)
})

test('the status of a contract follows its dates', async () => {
  const [yesterday, today, tomorrow] = [dayOf(-DAY_MS), dayOf(0), dayOf(DAY_MS)]
  const cases: [values: object, status: string][] = [
    [{ startOn: tomorrow }, 'draft'],
    [{ startOn: today }, 'active'],
    [{ startOn: today, endOn: today }, 'active'],
    [{ startOn: yesterday, endOn: tomorrow }, 'active'],
    [{ startOn: yesterday, terminatedOn: tomorrow }, 'active'],
    [{ startOn: yesterday, endOn: yesterday }, 'ended'],
    [{ startOn: yesterday, endOn: tomorrow, terminatedOn: yesterday }, 'ended'],
    [{ startOn: tomorrow, endOn: tomorrow, autoRenew: true }, 'draft'],
    [{ startOn: yesterday, endOn: today, autoRenew: true }, 'active'],
    [{ startOn: yesterday, endOn: yesterday, autoRenew: true }, 'active'],
    [{ startOn: yesterday, autoRenew: true }, 'active'],
    [{ startOn: yesterday, endOn: yesterday, autoRenew: null }, 'ended'],
    [{ startOn: yesterday, endOn: yesterday, autoRenew: true, terminatedOn: today }, 'active'],
    [{ startOn: yesterday, endOn: yesterday, autoRenew: true, terminatedOn: tomorrow }, 'active'],
    [{ startOn: yesterday, endOn: tomorrow, autoRenew: true, terminatedOn: yesterday }, 'ended'],
  ]
  for (const [values, status] of cases) {
    const { contract } = await newContract(values)
    const one = await api.call('GET', `/api/contracts/${contract}`, ADMIN)
    expect([values, one.json.status]).toEqual([values, status])
    const { json } = await api.call('GET', '/api/contracts?limit=1', ADMIN)
    expect(json.items[0]).toMatchObject({ id: contract, status })
  }
  const sent = await newContract({ startOn: today, status: 'draft' }).catch((error: Error) => error)
  expect(String(sent)).toContain('can’t be set')
})

test('the relationship of an organisation follows its contracts', async () => {
  const { owner, contract } = await newContract({ startOn: dayOf(-9 * DAY_MS) })
  const relationship = async (id: string) =>
    (await api.call('GET', `/api/organisations/${id}`, ADMIN)).json.relationship
  expect(await relationship(owner)).toBe('client')
  const path = `/api/contracts/${contract}`
  await api.call('PUT', path, ADMIN, { body: { terminatedOn: dayOf(0) } })
  expect(await relationship(owner)).toBe('client')
  await api.call('PUT', path, ADMIN, { body: { terminatedOn: dayOf(-DAY_MS) } })
  expect(await relationship(owner)).toBe('former')
  // Renewed past its end, until it is terminated.
  const renewed = { endOn: dayOf(-DAY_MS), terminatedOn: null, autoRenew: true }
  await api.call('PUT', path, ADMIN, { body: renewed })
  expect(await relationship(owner)).toBe('client')
  await api.call('PUT', path, ADMIN, { body: { terminatedOn: dayOf(-DAY_MS) } })
  expect(await relationship(owner)).toBe('former')
  await api.call('PUT', path, ADMIN, { body: { autoRenew: false, terminatedOn: null } })
  expect(await relationship(owner)).toBe('former')
  expect(await relationship(await idOf('/api/organisations', { name: 'Nobody yet' }))).toBe(
    'prospect',
  )
  const future = await newContract({ startOn: dayOf(DAY_MS) })
  await remove(`/api/contracts/${future.contract}`)
  expect(await relationship(future.owner)).toBe('prospect')
})

test('a ticket is due after the response time of its service, otherwise of the site', async () => {
  const service = await newService({ responseHours: 4 })
  const silent = await newService({})
  const ticket = await newTicket()
  const hours = async (body: object) => {
    const { json } = await api.call('PUT', `/api/tickets/${ticket}`, ADMIN, { body })
    return (Date.parse(json.dueAt) - Date.parse(json.openedAt)) / HOUR_MS
  }
  expect(await hours({})).toBe(SITE.responseHours)
  expect(await hours({ service })).toBe(4)
  expect(await hours({ service: silent })).toBe(SITE.responseHours)
  expect(await hours({ service: null })).toBe(SITE.responseHours)
})

test('a ticket’s closing time is set when it is resolved or closed, and cleared when it is reopened', async () => {
  const ticket = await newTicket()
  const closedAt = async (body: object) =>
    (await api.call('PUT', `/api/tickets/${ticket}`, ADMIN, { body })).json.closedAt
  expect(await closedAt({ status: 'Open' })).toBeNull()
  const resolved = await closedAt({ status: 'Resolved' })
  expect(Math.abs(Date.parse(resolved) - Date.now())).toBeLessThan(60_000)
  expect(await closedAt({ status: 'Closed' })).toBe(resolved)
  expect(await closedAt({ priority: 'High' })).toBe(resolved)
  expect(await closedAt({ status: 'Waiting for client' })).toBeNull()
})

test('a personal data breach is due for notification 72 hours after detection', async () => {
  const body = {
    title: 'Lost laptop',
    organisation,
    kind: 'Data loss',
    detectedAt: '2026-01-31T10:00:00.000Z',
    summary: 'S',
  }
  const created = await api.call('POST', '/api/incidents', ADMIN, { body })
  const notifyBy = async (changes: object) => {
    const path = `/api/incidents/${created.json.id}`
    return (await api.call('PUT', path, ADMIN, { body: changes })).json.notifyBy
  }
  expect(created.json.notifyBy).toBeNull()
  expect(await notifyBy({ personalDataBreach: true })).toBe('2026-02-03T10:00:00.000Z')
  expect(await notifyBy({ detectedAt: '2026-02-01T10:00:00Z' })).toBe('2026-02-04T10:00:00.000Z')
  expect(await notifyBy({ personalDataBreach: false })).toBeNull()
})

test('an email address is unique, ignoring case, and free again once its record is deleted', async () => {
  const contact = (email: string) =>
    api.call('POST', '/api/contacts', ADMIN, { body: { fullName: 'X', email } })
  const first = await contact('Ann@Example.test')
  expect(first.json.email).toBe('Ann@Example.test')
  const taken = {
    status: 409,
    code: 'not-unique',
    detail: 'Email is already in use.',
    errors: [{ field: 'email', message: 'Email is already in use.' }],
  }
  expect((await contact('aNN@example.TEST')).json).toMatchObject(taken)
  const second = await contact('other@example.test')
  const path = `/api/contacts/${second.json.id}`
  const renamed = await api.call('PUT', path, ADMIN, { body: { email: 'ann@example.test' } })
  expect(renamed.json).toMatchObject(taken)
  // Changing the case of the record's own address is not a conflict.
  const own = { body: { email: 'ANN@example.test' } }
  expect((await api.call('PUT', `/api/contacts/${first.json.id}`, ADMIN, own)).status).toBe(200)
  await remove(`/api/contacts/${first.json.id}`)
  expect((await contact('ann@example.test')).status).toBe(201)
})

test('a unique field may have any name, even one that looks like a connection error', async () => {
  const doors = defineModel({
    name: 'Door',
    title: 'Doors',
    path: 'doors',
    displayField: 'closedBy',
    access: { list: 'admin', get: 'admin', create: 'admin', update: 'admin', delete: 'admin' },
    privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
    fields: { closedBy: { type: 'text', label: 'Closed by', unique: true, privacy: np } },
  })
  const other = await startTest({ models: [...models, doors] })
  const create = () => other.call('POST', '/api/doors', ADMIN, { body: { closedBy: 'timeout' } })
  expect((await create()).status).toBe(201)
  expect((await create()).json).toMatchObject({ status: 409, code: 'not-unique' })
  await other.stop()
})

test('a contract can’t end before it starts, whichever date is changed', async () => {
  const refused = {
    status: 422,
    errors: [{ field: 'endOn', message: 'Ends on must be on or after Starts on.' }],
  }
  const [first, last] = ['2026-03-01', '2026-03-31']
  const { contract, service, owner } = await newContract({ startOn: first, endOn: last })
  const body = { reference: 'C-rule', organisation: owner, service, startOn: last, endOn: first }
  expect((await api.call('POST', '/api/contracts', ADMIN, { body })).json).toMatchObject(refused)
  const change = async (changes: object) =>
    (await api.call('PUT', `/api/contracts/${contract}`, ADMIN, { body: changes })).json
  expect(await change({ startOn: '2026-04-01' })).toMatchObject(refused)
  expect(await change({ endOn: '2026-02-28' })).toMatchObject(refused)
  expect(await change({ endOn: first })).toMatchObject({ startOn: first, endOn: first })
  expect(await change({ endOn: null, startOn: '2026-04-01' })).toMatchObject({ endOn: null })
})

test('malformed, unknown and invisible IDs return the same 404', async () => {
  const id = await idOf('/api/kitchen-sinks', { text: 'of Bob' }, BOB)
  for (const path of [
    `/api/kitchensink/${id}`,
    `/api/kitchensink/${ABSENT}`,
    '/api/kitchensink/no-id',
  ]) {
    for (const method of ['GET', 'PUT']) {
      const options = method === 'PUT' ? { body: { text: 'x' } } : {}
      const { status, json } = await api.call(method, path, ALICE, options)
      expect([path, status, json.detail]).toEqual([path, 404, 'Record not found'])
    }
  }
  expect((await get(id)).json.text).toBe('of Bob')
})

const post = (body: object, visitor = ADMIN) =>
  api.call('POST', '/api/kitchen-sinks', visitor, { body })
const put = (id: string, body: object, visitor = ADMIN) =>
  api.call('PUT', `/api/kitchen-sinks/${id}`, visitor, { body })
const get = (id: string, visitor = ADMIN) => api.call('GET', `/api/kitchensink/${id}`, visitor)
const remove = (path: string) => api.call('DELETE', path, ADMIN)

async function idOf(path: string, body: object, visitor = ADMIN): Promise<string> {
  const { status, json, text: response } = await api.call('POST', path, visitor, { body })
  if (status !== 201) throw new Error(response)
  return json.id
}

const newService = (values: object) =>
  idOf('/api/services', {
    name: 'Care',
    slug: crypto.randomUUID(),
    category: 'Advisory',
    summary: 'S',
    description: 'D',
    ...values,
  })

const newTicket = () =>
  idOf(
    '/api/tickets',
    { fullName: 'A', email: 'a@example.test', subject: 'S', message: 'M' },
    ALICE,
  )

async function newContract(values: object) {
  const [service, owner] = await Promise.all([
    newService({}),
    idOf('/api/organisations', { name: 'Client' }),
  ])
  const reference = crypto.randomUUID()
  const contract = await idOf('/api/contracts', {
    reference,
    service,
    organisation: owner,
    ...values,
  })
  return { contract, service, owner }
}

/** The date in the site's time zone, some time from now. */
function dayOf(shift: number) {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: SITE.timezone }).format(new Date())
  return new Date(Date.parse(`${today}T00:00:00Z`) + shift).toISOString().slice(0, 10)
}
