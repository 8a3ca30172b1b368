import { actionsOf } from '@gatehouse/model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, startTest, type Person, type Test } from '../../../test/kit.ts'
import { fixture } from '../../../test/fixture.ts'
import {
  ALL_MODELS,
  changeableBody,
  fullBody,
  createOne,
  modelAt,
  rowOf,
} from '../../../test/sample-records.ts'

const { sink, group, needing, linking, unique } = fixture
const ofProduct = fixture.name === 'product'
const UNKNOWN = '018f3b1c-0000-7000-8000-0000000000ff'
const OTHER_ADMIN = { sub: 'sub-other', name: 'Otto Other', role: 'admin' as const }

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

const call = (method: string, path: string, by: Person = ADMIN, body?: object) =>
  t.call(method, `/api/${path}`, by, body ? { body } : {})

const undo = (operation: string | null, by: Person = ADMIN) =>
  call('POST', `operations/${operation}/undo`, by)

async function done(method: string, path: string, body?: object, by: Person = ADMIN) {
  const { status, headers, json, text } = await call(method, path, by, body)
  expect(status, text).toBeLessThan(300)
  return { id: String(json?.id), operation: headers.get('operation-id') ?? '' }
}

async function undone(operation: string, by: Person = ADMIN) {
  const { status, json, headers, text } = await undo(operation, by)
  expect(status, text).toBe(200)
  expect(headers.get('operation-id')).toBe(json.operation)
  return String(json.operation)
}

/** Without the columns that an undo changes. */
async function stored(path: string, id: string) {
  const { version: _, updated_at: _at, updated_by_ref: _by, ...row } = await rowOf(t, path, id)
  return row
}

const withoutTrash = (row: Record<string, unknown>) => ({ ...row, deleted_at: null })

const canBe = (action: 'create' | 'delete') =>
  ALL_MODELS.filter((model) => actionsOf(model).includes(action)).map(({ path }) => path)

describe.each(canBe('create'))('%s', (path) => {
  test('an undone creation is in the trash unchanged, and redo restores it', async () => {
    const { id, operation } = await done('POST', path, await fullBody(t, modelAt(path)))
    const row = await stored(path, id)
    const redo = await undone(operation)
    const trashed = await stored(path, id)
    expect(trashed['deleted_at']).not.toBeNull()
    expect(withoutTrash(trashed)).toEqual(withoutTrash(row))
    expect((await call('GET', `${path}/${id}`)).status).toBe(404)
    const again = await undone(redo)
    expect(await stored(path, id)).toEqual(row)
    await undone(again)
    expect(await stored(path, id)).toEqual(trashed)
  })

  test('a change of every field is undone and redone in every column', async () => {
    const id = await createOne(t, modelAt(path))
    const row = await stored(path, id)
    const body = await changeableBody(t, modelAt(path))
    const { operation } = await done('PUT', `${path}/${id}`, body)
    const changed = await stored(path, id)
    expect(changed).not.toEqual(row)
    const redo = await undone(operation)
    expect(await stored(path, id)).toEqual(row)
    await undone(redo)
    expect(await stored(path, id)).toEqual(changed)
  })
})

test.each(canBe('delete'))('%s: a deletion is undone in every column', async (path) => {
  const id = await createOne(t, modelAt(path))
  const row = await stored(path, id)
  const { operation } = await done('DELETE', `${path}/${id}`)
  await undone(operation)
  expect(await stored(path, id)).toEqual(row)
})

test.runIf(ofProduct)(
  'an update is undone even if no role can create or delete the record: a privacy request, an account',
  async () => {
    await call('POST', 'privacy/requests', null, {
      name: 'Iris',
      email: 'iris@example.test',
      subject: 'access',
      message: 'What?',
      confirmed: true,
    })
    await call('GET', 'me', ALICE)
    for (const [path, method, act, body] of [
      ['privacyrequests', 'PUT', '', { status: 'closed', outcome: 'fulfilled' }],
      ['accounts', 'POST', '/refuse', {}],
    ] as const) {
      const [{ id }] = await t.database.sql(`select id from ${path} limit 1`)
      const row = await stored(path, id)
      const { operation } = await done(method, `${path}/${id}${act}`, body)
      await undone(operation)
      expect(await stored(path, id)).toEqual(row)
    }
  },
)

describe.runIf(ofProduct)('a creation protected by deleteOnly', () => {
  const STARTED = '2020-01-01'
  const LATER = '2999-01-01'
  const contract = async (startOn: string) => ({
    ...(await fullBody(t, modelAt('contracts'))),
    startOn,
    endOn: null,
  })
  const offered = async (id: string): Promise<string | null> =>
    (await call('GET', `contracts/${id}/history`)).json.items[0].operation

  test('a creation protected by deleteOnly is not offered for undo in its response or history', async () => {
    const created = await call('POST', 'contracts', ADMIN, await contract(STARTED))
    expect([created.status, created.headers.get('operation-id')]).toEqual([201, null])
    expect(await offered(created.json.id)).toBeNull()
  })

  test('a creation protected by deleteOnly is not offered for undo in the response to a retry', async () => {
    const body = await contract(STARTED)
    const send = () =>
      t.call('POST', '/api/contracts', ADMIN, { body, headers: { 'idempotency-key': 'started' } })
    const [first, again] = [await send(), await send()]
    expect(again.json.id).toBe(first.json.id)
    expect(again.headers.get('operation-id')).toBeNull()
  })

  test('a creation with deleteOnly is offered for undo while the record can be deleted', async () => {
    const { id, operation } = await done('POST', 'contracts', await contract(LATER))
    expect(await offered(id)).toBe(operation)
    await t.database.sql(`update contracts set start_on = $1 where id = $2`, [STARTED, id])
    expect(await offered(id)).toBeNull()
    expect((await undo(operation)).json.code).toBe('not-deletable')
  })

  test('a creation protected by deleteOnly can’t be undone, but an update to it can', async () => {
    const { id } = await done('POST', 'contracts', await contract(STARTED))
    const { operation } = await done('PUT', `contracts/${id}`, { noticeDays: 7 })
    expect(await offered(id)).toBe(operation)
    await undone(operation)
  })
})

test('a creation or restore that another record now depends on isn’t offered for undo', async () => {
  const { id, operation } = await done('POST', group.path, { name: 'Needed' })
  const offered = async () =>
    (await call('GET', `${group.path}/${id}/history`)).json.items[0].operation
  expect(await offered()).toBe(operation)
  const asset = await createOne(t, needing.model, ADMIN, { [needing.field]: id })
  expect((await undo(operation)).json.code).toBe('in-use')
  expect(await offered()).toBeNull()
  await done('DELETE', `${needing.model.path}/${asset}`)
  expect(await offered()).toBe(operation)
  await done('DELETE', `${group.path}/${id}`)
  const restored = await done('POST', `${group.path}/${id}/restore`)
  expect(await offered()).toBe(restored.operation)
  await createOne(t, needing.model, ADMIN, { [needing.field]: id })
  expect(await offered()).toBeNull()
})

test.runIf(ofProduct)(
  'undo includes side effects on other records: undoing an account’s approval unlinks the contact',
  async () => {
    const contact = await createOne(t, modelAt('contacts'), ADMIN, { email: 'bob@example.test' })
    await call('GET', 'me', { ...BOB, email: 'bob@example.test', emailVerified: true })
    const [account] = await t.database.sql(`select id from accounts where sub = $1`, [BOB.sub])
    const { operation } = await done('POST', `accounts/${account.id}/approve`)
    expect(await rowOf(t, 'contacts', contact)).toMatchObject({ user_sub: BOB.sub })
    const { json } = await undo(operation)
    expect(json.undone).toEqual([
      { model: 'contacts', id: contact, action: 'update' },
      { model: 'accounts', id: account.id, action: 'update' },
    ])
    expect(await rowOf(t, 'contacts', contact)).toMatchObject({ user_sub: null })
  },
)

test('undoing a cascade restores all of it, cycles included', async () => {
  const root = await createOne(t, sink)
  const child = await createOne(t, sink, ADMIN, { parent: root })
  const grandchild = await createOne(t, sink, ADMIN, { parent: child })
  await done('PUT', `${sink.path}/${root}`, { parent: grandchild })
  const family = [root, child, grandchild]
  const rows = () => Promise.all(family.map((id) => stored(sink.path, id)))
  const before = await rows()
  const { operation } = await done('DELETE', `${sink.path}/${root}`)
  const trashed = await rows()
  expect(trashed.every((row) => row['deleted_at'] !== null)).toBe(true)
  const redo = await undone(operation)
  expect(await rows()).toEqual(before)
  await undone(redo)
  expect(await rows()).toEqual(trashed)
})

test('undo writes one revision and one audit row per record, in one operation', async () => {
  const id = await createOne(t, group)
  const { operation } = await done('DELETE', `${group.path}/${id}`)
  const redo = await undone(operation)
  const [revision, ...none] = await t.database.sql(
    'select action, version from revisions where operation_id = $1',
    [redo],
  )
  expect([revision, none]).toEqual([{ action: 'restore', version: 3 }, []])
  const events = await t.database.sql(
    'select action, outcome, fields from audit_events where entity_id = $1 order by seq desc limit 1',
    [id],
  )
  expect(events).toEqual([{ action: 'restore', outcome: 'done', fields: [] }])
})

describe('after another user has changed the record', () => {
  const refusal = (who: string) => ({
    status: 409,
    code: 'changed-since',
    detail: `Can’t undo: ${who} changed the record since.`,
  })

  test('undo after another user’s change is rejected; admins see that user’s name', async () => {
    const id = await createOne(t, group)
    const { operation } = await done('PUT', `${group.path}/${id}`, { name: 'Mine' })
    await done('PUT', `${group.path}/${id}`, { name: 'Theirs' }, OTHER_ADMIN)
    const row = await rowOf(t, group.path, id)
    expect((await undo(operation)).json).toMatchObject(refusal('Otto Other'))
    expect((await undo(operation, OTHER_ADMIN)).json).toMatchObject(refusal('you'))
    expect(await rowOf(t, group.path, id)).toEqual(row)
  })

  test('undo after another user’s change shows non-admins no name', async () => {
    const created = await done('POST', sink.path, { text: 'Mine' }, ALICE)
    const { operation } = await done('PUT', `${sink.path}/${created.id}`, { text: 'Again' }, ALICE)
    await done('PUT', `${sink.path}/${created.id}`, { text: 'Theirs' }, ADMIN)
    expect((await undo(operation, ALICE)).json).toMatchObject(refusal('someone'))
  })

  test('undo of a cascade changes nothing if one of its records has changed', async () => {
    const root = await createOne(t, sink)
    const child = await createOne(t, sink, ADMIN, { parent: root })
    const { operation } = await done('DELETE', `${sink.path}/${root}`)
    const redo = await undone(operation)
    await done('PUT', `${sink.path}/${child}`, { text: 'Changed' })
    expect((await undo(redo)).json).toMatchObject({ code: 'changed-since' })
    expect(await rowOf(t, sink.path, root)).toMatchObject({ deleted_at: null })
  })
})

describe('undo is rejected', () => {
  test('undo of another user’s operation is rejected exactly like an unknown one', async () => {
    const created = await done('POST', sink.path, { text: 'Mine' }, ALICE)
    const { operation } = await done('PUT', `${sink.path}/${created.id}`, { text: 'Again' }, ALICE)
    const answers = await Promise.all([operation, UNKNOWN, 'no-uuid'].map((one) => undo(one, BOB)))
    const bare = answers.map(({ status, json }) => ({ status, json: { ...json, requestId: '' } }))
    expect(bare[0]?.status).toBe(404)
    expect(bare[1]).toEqual(bare[0])
    expect(bare[2]).toEqual(bare[0])
    expect((await undo(operation, ALICE)).status).toBe(200)
  })

  test('undo is rejected for anonymous callers', async () => {
    expect((await undo(UNKNOWN, null)).status).toBe(401)
  })

  test('undo is rejected without permission for the reverse action: users can’t delete what they created', async () => {
    const { operation } = await done('POST', sink.path, { text: 'Mine' }, ALICE)
    expect((await undo(operation, ALICE)).status).toBe(403)
    await undone(operation, ADMIN)
  })

  test('undo is rejected if the record is no longer visible to the caller', async () => {
    const created = await done('POST', sink.path, { text: 'Mine' }, ALICE)
    const { operation } = await done('PUT', `${sink.path}/${created.id}`, { text: 'Again' }, ALICE)
    await t.database.sql(`update ${sink.path} set owner = 'sub-bob' where id = $1`, [created.id])
    expect((await undo(operation, ALICE)).json).toMatchObject({ code: 'operation-not-found' })
  })

  test('undo is rejected if a unique value is now in use', async () => {
    const email = 'taken@example.test'
    const id = await createOne(t, unique.model, ADMIN, { [unique.field]: email })
    const { operation } = await done('DELETE', `${unique.model.path}/${id}`)
    await createOne(t, unique.model, ADMIN, { [unique.field]: email.toUpperCase() })
    expect((await undo(operation)).json).toMatchObject({ status: 409, code: 'not-unique' })
    expect((await rowOf(t, unique.model.path, id))['deleted_at']).not.toBeNull()
  })

  test('undo of a creation is rejected if another record now refers to the record', async () => {
    const { id, operation } = await done('POST', group.path, { name: 'Acme' })
    await createOne(t, needing.model, ADMIN, { [needing.field]: id })
    expect((await undo(operation)).json).toMatchObject({ status: 409, code: 'in-use' })
  })

  test('undo is rejected if the record’s parent was deleted', async () => {
    const organisation = await createOne(t, group)
    const asset = await createOne(t, needing.model, ADMIN, { [needing.field]: organisation })
    const { operation } = await done('DELETE', `${needing.model.path}/${asset}`)
    await done('DELETE', `${group.path}/${organisation}`)
    expect((await undo(operation)).json).toMatchObject({
      status: 422,
      errors: [{ field: needing.field, message: expect.stringContaining(': record not found.') }],
    })
  })

  test('undo is rejected if a related record was purged', async () => {
    const { model, field, to } = linking
    const target = await createOne(t, to)
    const id = await createOne(t, model, ADMIN, { [field]: target })
    const { operation } = await done('PUT', `${model.path}/${id}`, { [field]: null })
    await done('DELETE', `${to.path}/${target}`)
    await done('POST', `${to.path}/${target}/purge`)
    expect((await undo(operation)).json).toMatchObject({ status: 409, code: 'relation-gone' })
  })

  test.runIf(ofProduct)(
    'undo of a creation is rejected for models without delete, even for admins',
    async () => {
      const [{ id, operation_id }] = await t.database.sql(
        `select record_id as id, operation_id from revisions where model = 'accounts' and action = 'create' limit 1`,
      )
      expect((await undo(operation_id)).json).toMatchObject({ status: 409, code: 'not-undoable' })
      const { json } = await call('GET', `accounts/${id}/history`)
      expect(json.items.at(-1)).toMatchObject({ action: 'create', operation: null })
    },
  )
})

test('of 20 concurrent undos exactly one succeeds', async () => {
  const id = await createOne(t, group)
  const { operation } = await done('PUT', `${group.path}/${id}`, { name: 'Changed' })
  const answers = await Promise.all(Array.from({ length: 20 }, () => undo(operation)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(19)
})

test('every change returns its operation, a retried creation the first one, an unchanged save none', async () => {
  const headers = { 'idempotency-key': 'operation-of-the-first' }
  const post = () => t.call('POST', `/api/${sink.path}`, ADMIN, { body: { text: 'Once' }, headers })
  const [first, again] = [await post(), await post()]
  const operation = first.headers.get('operation-id')
  expect(operation).toMatch(/^[0-9a-f-]{36}$/)
  expect(again.headers.get('operation-id')).toBe(operation)
  const saved = await call('PUT', `${sink.path}/${first.json.id}`, ADMIN, { text: 'Once' })
  expect([saved.status, saved.headers.get('operation-id')]).toEqual([200, null])
})

test('the undo route rejects methods other than POST', async () => {
  const response = await call('GET', `operations/${UNKNOWN}/undo`)
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
})
