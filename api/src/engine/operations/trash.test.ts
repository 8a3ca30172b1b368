import { defineModel, np } from '@gatehouse/model'
import { kitchensink, models } from '@gatehouse/model/models'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { ADMIN, ALICE, BOB, CONFIG, startTest, type Person, type Test } from '../../../test/kit.ts'
import { jobTools } from '../../../test/mail-worker.ts'
import { buildEngine } from '#engine/engine.ts'
import { buildTrashPurger } from './purge-expired.ts'
import { createOne, modelAt, rowOf } from '../../../test/sample-records.ts'
import { captureStatements } from '../../../test/capture-statements.ts'

const ABSENT = '018f3b1c-0000-7000-8000-0000000000ff'

const slips = defineModel({
  name: 'Slip',
  title: 'Slips',
  path: 'slips',
  displayField: 'text',
  access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'user' },
  purge: 'user',
  rowScope: { account: 'owner' },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    text: { type: 'text', label: 'Text', required: true, sortable: true, privacy: np },
    owner: { type: 'text', label: 'Owner', writableBy: 'admin', stamp: 'account', privacy: np },
  },
})

let t: Test
beforeAll(async () => {
  t = await startTest({ models: [...models, kitchensink, slips] })
})
afterAll(() => t.stop())

const call = (
  method: string,
  path: string,
  by: Person = ADMIN,
  options: { body?: object; headers?: Record<string, string> } = {},
) => t.call(method, `/api/${path}`, by, options)

const make = (path: string, changes: object = {}) => createOne(t, modelAt(path), ADMIN, changes)

async function trashed(path: string, changes: object = {}) {
  const id = await make(path, changes)
  expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
  return id
}

async function trashedSlip(by: Person, text = 'Slip') {
  const { json } = await call('POST', 'slips', by, { body: { text } })
  await call('DELETE', `slips/${json.id}`, by)
  return String(json.id)
}

const restore = (path: string, by: Person = ADMIN, body: object = {}, headers = {}) =>
  call('POST', `${path}/restore`, by, { body, headers })

const nothing = () => {}
const SILENT = { info: nothing, warn: nothing, error: nothing }

const undo = (operation: string | null) => call('POST', `operations/${operation}/undo`)

async function inTrash(path: string, ids: string[]) {
  const rows = await t.database.sql(
    `select id from ${path} where id = any($1) and deleted_at is not null`,
    [ids],
  )
  return ids.filter((id) => rows.some((row) => row.id === id))
}

async function counted<T>(run: () => Promise<T>) {
  const { result, statements } = await captureStatements(run)
  return [result, statements.length] as const
}

describe('the trash', () => {
  test('the trash shows deleted records with their deletion time; no other list contains them', async () => {
    const id = await trashed('organisations', { name: 'Gone Ltd' })
    const live = await make('organisations')
    const { json } = await call('GET', 'organisations?trash=true')
    expect(json.items.map((item: { id: string }) => item.id)).toEqual([id])
    expect(json.total).toEqual({ count: 1, exact: true })
    expect(Date.parse(json.items[0].deletedAt)).toBeGreaterThan(Date.now() - 60_000)
    const one = await call('GET', `organisations/${id}?trash=true`)
    expect(one.json).toMatchObject({ name: 'Gone Ltd', deletedAt: json.items[0].deletedAt })
    expect(one.headers.get('etag')).toBe('"2"')
    expect((await call('GET', `organisations/${live}?trash=true`)).status).toBe(404)
    const inUse = await call('GET', 'organisations')
    expect(inUse.json.items.map((item: { id: string }) => item.id)).not.toContain(id)
    for (const item of inUse.json.items) expect(item).not.toHaveProperty('deletedAt')
  })

  test('the trash is sorted, filtered, searched and paged like any list', async () => {
    for (const text of ['Beta slip', 'Alpha slip', 'Gamma slip']) await trashedSlip(ADMIN, text)
    const texts = async (query: string) =>
      (await call('GET', `slips?trash=true&${query}`)).json.items.map(
        (item: { text: string }) => item.text,
      )
    expect(await texts('sort=text')).toEqual(['Alpha slip', 'Beta slip', 'Gamma slip'])
    const filter = encodeURIComponent(JSON.stringify({ all: [['text', 'startsWith', 'B']] }))
    expect(await texts(`filter=${filter}`)).toEqual(['Beta slip'])
    const first = await call('GET', 'slips?trash=true&sort=text&limit=2')
    expect(await texts(`sort=text&limit=2&after=${first.json.next}`)).toEqual(['Gamma slip'])
  })

  test('the trash requires the right to delete, and shows only the caller’s rows', async () => {
    const mine = await trashedSlip(ALICE)
    expect((await call('GET', 'organisations?trash=true', ALICE)).status).toBe(403)
    expect((await call('GET', 'services?trash=true', null)).status).toBe(401)
    expect((await call('GET', `slips/${mine}?trash=true`, ALICE)).status).toBe(200)
    expect((await call('GET', `slips/${mine}?trash=true`, BOB)).status).toBe(404)
    const { json } = await call('GET', 'slips?trash=true', BOB)
    expect(json).toMatchObject({ items: [], total: { count: 0, exact: true } })
    expect((await call('GET', 'slips?trash=perhaps', ALICE)).status).toBe(400)
    expect((await call('GET', 'accounts?trash=true')).status).toBe(405)
  })

  test('the history of a record in the trash is visible to callers who may delete', async () => {
    const mine = await trashedSlip(ALICE)
    const { json } = await call('GET', `slips/${mine}/history`, ALICE)
    expect(json.items.map((step: { action: string }) => step.action)).toEqual(['delete', 'create'])
    expect((await call('GET', `slips/${mine}/history`, BOB)).status).toBe(404)
  })
})

describe('restoring from the trash', () => {
  test('restoring from the trash restores the record unchanged, with a revision', async () => {
    const id = await trashed('organisations')
    const before = await rowOf(t, 'organisations', id)
    const response = await restore(`organisations/${id}`)
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"3"'])
    expect(response.json).not.toHaveProperty('deletedAt')
    const { updated_at: _, ...after } = await rowOf(t, 'organisations', id)
    expect({ ...before, ...after }).toEqual({ ...before, version: 3, deleted_at: null })
    const { json } = await call('GET', `organisations/${id}/history`)
    expect(json.items[0]).toMatchObject({
      action: 'restore',
      operation: response.headers.get('operation-id'),
    })
  })

  test('restoring from the trash needs no body', async () => {
    const id = await trashed('organisations')
    expect((await call('POST', `organisations/${id}/restore`)).status).toBe(200)
  })

  test('restoring restores records of the same deletion, and rejects a child while its parent is in the trash', async () => {
    const parent = await make('kitchensink')
    const child = await make('kitchensink', { parent })
    const grandchild = await make('kitchensink', { parent: child })
    await call('DELETE', `kitchensink/${parent}`)
    expect((await restore(`kitchensink/${child}`)).json).toMatchObject({
      status: 422,
      errors: [{ field: 'parent', message: 'Parent: record not found.' }],
    })
    const { headers } = await restore(`kitchensink/${parent}`)
    const family = [parent, child, grandchild]
    expect(await inTrash('kitchensink', family)).toEqual([])
    await undo(headers.get('operation-id'))
    expect(await inTrash('kitchensink', family)).toEqual(family)
    expect((await restore(`kitchensink/${parent}`)).status).toBe(200)
    expect(await inTrash('kitchensink', family)).toEqual([])
  })

  test('restoring leaves separately deleted records in the trash', async () => {
    const ticket = await make('tickets')
    const [before, along, since] = [
      await make('messages', { ticket }),
      await make('messages', { ticket }),
      await make('messages', { ticket }),
    ]
    await call('DELETE', `messages/${before}`)
    const deleted = await call('DELETE', `tickets/${ticket}`)
    // Restored with its ticket, then deleted separately.
    await undo(deleted.headers.get('operation-id'))
    await call('DELETE', `messages/${since}`)
    await call('DELETE', `tickets/${ticket}`)
    await restore(`tickets/${ticket}`)
    expect(await inTrash('messages', [before, along, since])).toEqual([before, since])
  })

  test('restoring leaves other roots of the same operation in the trash', async () => {
    const [one, other] = [await make('kitchensink'), await make('kitchensink')]
    const child = await make('kitchensink', { parent: other })
    await call('DELETE', `kitchensink/${one}`)
    await call('DELETE', `kitchensink/${other}`)
    // As after deleting several records in one operation.
    await t.database.sql(
      `update revisions set operation_id = (select operation_id from revisions where record_id = $1 and action = 'delete')
        where action = 'delete' and record_id = any($2)`,
      [one, [other, child]],
    )
    await restore(`kitchensink/${one}`)
    expect(await inTrash('kitchensink', [one, other, child])).toEqual([other, child])
  })

  test('a ticket with 101 messages is deleted, restored and undone completely, in at most 20 statements each', async () => {
    const ticket = await make('tickets')
    await t.database.sql(
      `insert into messages (id, ticket, body, internal, from_staff)
        select gen_random_uuid(), $1, 'Message ' || n, false, true from generate_series(1, 101) n`,
      [ticket],
    )
    const live = async () => {
      const rows = await t.database.sql(
        'select version, deleted_at is null as live from messages where ticket = $1',
        [ticket],
      )
      return rows.filter((row) => row.live).length
    }
    const [deleted, deleting] = await counted(() => call('DELETE', `tickets/${ticket}`))
    expect([deleted.status, await live()]).toEqual([204, 0])
    const [restored, restoring] = await counted(() => restore(`tickets/${ticket}`))
    expect([restored.status, await live()]).toEqual([200, 101])
    const [undone, undoing] = await counted(() => undo(restored.headers.get('operation-id')))
    expect([undone.status, await live()]).toEqual([200, 0])
    console.log(`statements: ${deleting} to delete, ${restoring} to restore, ${undoing} to undo`)
    for (const statements of [deleting, restoring, undoing])
      expect(statements).toBeLessThanOrEqual(20)
    const [revisions] = await t.database.sql(
      `select count(*)::int as count, count(distinct r.id)::int as ids from revisions r join messages m
        on r.model = 'messages' and r.record_id = m.id and m.version = 4 where m.ticket = $1`,
      [ticket],
    )
    expect(revisions).toEqual({ count: 303, ids: 303 })
  })

  test('restoring ignores `unlink` targets in the trash, which read as null', async () => {
    const contact = await make('contacts')
    const asset = await make('assets', { assignedTo: contact })
    await call('DELETE', `assets/${asset}`)
    await call('DELETE', `contacts/${contact}`)
    const { status, json } = await restore(`assets/${asset}`)
    expect([status, json.assignedTo]).toEqual([200, null])
  })

  test('restoring is rejected if a unique value is now in use', async () => {
    const email = 'taken@example.test'
    const id = await trashed('contacts', { email })
    await make('contacts', { email })
    expect((await restore(`contacts/${id}`)).json).toMatchObject({
      status: 409,
      code: 'not-unique',
      errors: [{ field: 'email' }],
    })
  })

  test('restoring from the trash honours If-Match', async () => {
    const id = await trashed('organisations', { name: 'Stale Ltd' })
    const stale = await restore(`organisations/${id}`, ADMIN, {}, { 'if-match': '"1"' })
    expect(stale.json).toMatchObject({ status: 412, current: { name: 'Stale Ltd', version: 2 } })
    expect((await restore(`organisations/${id}`, ADMIN, {}, { 'if-match': '"2"' })).status).toBe(
      200,
    )
  })

  test('restoring returns the same 404 for live, invisible and missing records, and requires the right to delete', async () => {
    const mine = await trashedSlip(ALICE)
    const { json: live } = await call('POST', 'slips', BOB, { body: { text: 'Live' } })
    const answers = []
    for (const id of [mine, live.id, ABSENT]) answers.push(await restore(`slips/${id}`, BOB))
    for (const { status, json } of answers)
      expect([status, { ...json, requestId: '' }]).toEqual([
        404,
        { ...answers[0]?.json, requestId: '' },
      ])
    expect((await restore(`organisations/${ABSENT}`, ALICE)).status).toBe(403)
    expect((await restore(`organisations/${ABSENT}`, null)).status).toBe(401)
  })
})

describe('restoring a version', () => {
  async function history() {
    const id = await make('organisations', { name: 'First', notes: 'one', city: 'Cork' })
    await call('PUT', `organisations/${id}`, ADMIN, { body: { name: 'Second', notes: 'two' } })
    await call('PUT', `organisations/${id}`, ADMIN, { body: { city: 'Galway' } })
    return `organisations/${id}`
  }

  test('restoring a version resets all fields to it, as a new change', async () => {
    const path = await history()
    const { status, json, headers } = await restore(path, ADMIN, { version: 1 })
    expect([status, json.version]).toEqual([200, 4])
    expect(json).toMatchObject({ name: 'First', notes: 'one', city: 'Cork' })
    const steps = (await call('GET', `${path}/history`)).json.items
    expect(steps[0]).toMatchObject({
      action: 'update',
      version: 4,
      operation: headers.get('operation-id'),
    })
  })

  test('restoring a version resets only the named fields', async () => {
    const path = await history()
    const { json } = await restore(path, ADMIN, { version: 2, fields: ['city'] })
    expect(json).toMatchObject({ name: 'Second', city: 'Cork', version: 4 })
    const one = await restore(path, ADMIN, { version: 1, fields: ['notes'] })
    expect(one.json).toMatchObject({ name: 'Second', notes: 'one', version: 5 })
  })

  test('restoring the current version changes nothing', async () => {
    const path = await history()
    const { json, headers } = await restore(path, ADMIN, { version: 3 })
    expect([json.version, headers.get('operation-id')]).toEqual([3, null])
  })

  test('restoring a version works across a deletion and restore', async () => {
    const path = await history()
    await call('DELETE', path)
    await restore(path)
    expect((await restore(path, ADMIN, { version: 1 })).json).toMatchObject({ name: 'First' })
  })

  test('restoring a version honours If-Match, and rejects unknown versions', async () => {
    const path = await history()
    const stale = await restore(path, ADMIN, { version: 1 }, { 'if-match': '"1"' })
    expect(stale.json).toMatchObject({ status: 412, current: { name: 'Second' } })
    for (const version of [4, 99])
      expect((await restore(path, ADMIN, { version })).json).toMatchObject({
        status: 422,
        errors: [{ field: 'version', message: 'There is no such version.' }],
      })
    for (const body of [{ version: 0 }, { version: '1' }, { fields: ['name'] }, { colour: 1 }])
      expect((await restore(path, ADMIN, body)).status).toBe(422)
  })

  test('restoring a version is validated like an update: missing relations, values in use', async () => {
    const organisation = await make('organisations')
    const id = await make('contacts', { email: 'first@example.test', organisation })
    const body = { email: 'second@example.test', organisation: null }
    await call('PUT', `contacts/${id}`, ADMIN, { body })
    await call('DELETE', `organisations/${organisation}`)
    const gone = await restore(`contacts/${id}`, ADMIN, { version: 1 })
    expect(gone.json).toMatchObject({ status: 422, errors: [{ field: 'organisation' }] })
    await make('contacts', { email: 'first@example.test' })
    const taken = await restore(`contacts/${id}`, ADMIN, { version: 1, fields: ['email'] })
    expect(taken.json).toMatchObject({ status: 409, code: 'not-unique' })
  })

  test('restoring hidden, stamped and unknown fields gets the same error', async () => {
    const { json } = await call('POST', 'kitchensink', ALICE, { body: { text: 'Mine' } })
    const path = `kitchensink/${json.id}`
    await call('PUT', path, ADMIN, { body: { secret: 'new', text: 'Ours' } })
    const texts = []
    for (const name of ['secret', 'owner', 'colour']) {
      const refused = await restore(path, ALICE, { version: 1, fields: [name] })
      expect(refused.status).toBe(422)
      texts.push(JSON.stringify(refused.json.errors).replaceAll(name, ''))
    }
    expect(new Set(texts).size).toBe(1)
    const done = await restore(path, ALICE, { version: 1 })
    expect(done.json).toMatchObject({ text: 'Mine' })
    expect(await rowOf(t, 'kitchensink', json.id)).toMatchObject({ secret: 'new' })
  })
})

describe('purging', () => {
  const purge = (path: string, by: Person = ADMIN) => call('POST', `${path}/purge`, by)
  const revisionsOf = (id: string) =>
    t.database.sql('select 1 from revisions where record_id = $1', [id])

  test('purging leaves only audit rows', async () => {
    const id = await trashed('organisations')
    const response = await purge(`organisations/${id}`)
    expect([response.status, response.text]).toEqual([204, ''])
    expect(await rowOf(t, 'organisations', id)).toBeUndefined()
    expect(await revisionsOf(id)).toEqual([])
    const events = await t.database.sql(
      'select action, actor_kind, fields from audit_events where entity_id = $1 order by seq',
      [id],
    )
    expect(events.map(({ action }) => action)).toEqual(['create', 'delete', 'purge'])
    expect(events.at(-1)).toEqual({ action: 'purge', actor_kind: 'admin', fields: [] })
    expect((await restore(`organisations/${id}`)).status).toBe(404)
  })

  test('purging deletes cascaded records with their revisions, with an audit row each', async () => {
    const parent = await make('kitchensink')
    const child = await make('kitchensink', { parent })
    const grandchild = await make('kitchensink', { parent: child })
    await call('PUT', `kitchensink/${parent}`, ADMIN, { body: { parent: grandchild } })
    await call('DELETE', `kitchensink/${parent}`)
    expect((await purge(`kitchensink/${parent}`)).status).toBe(204)
    for (const id of [parent, child, grandchild]) {
      expect(await rowOf(t, 'kitchensink', id)).toBeUndefined()
      expect(await revisionsOf(id)).toEqual([])
    }
    const events = await t.database.sql(
      `select 1 from audit_events where action = 'purge' and entity_id = any($1)`,
      [[parent, child, grandchild]],
    )
    expect(events).toHaveLength(3)
  })

  test('purging is rejected while a record in the trash refers to the record', async () => {
    const organisation = await make('organisations')
    const asset = await make('assets', { organisation })
    await call('DELETE', `assets/${asset}`)
    await call('DELETE', `organisations/${organisation}`)
    expect((await purge(`organisations/${organisation}`)).json).toMatchObject({
      status: 409,
      code: 'in-use',
    })
    await purge(`assets/${asset}`)
    expect((await purge(`organisations/${organisation}`)).status).toBe(204)
  })

  /** A contact in the trash, and this many tickets linked to it. */
  async function linked(tickets: number) {
    const contact = await make('contacts')
    await t.database.sql(
      `insert into tickets (id, full_name, email, subject, contact_type, message, contact)
        select gen_random_uuid(), 'Ann', 'ann@example.test', 'Linked', 'Query', 'Hello', $1 from generate_series(1, $2::int)`,
      [contact, tickets],
    )
    await call('DELETE', `contacts/${contact}`)
    return contact
  }

  const linksTo = async (contact: string) =>
    (await t.database.sql('select 1 from tickets where contact = $1', [contact])).length

  const countsOf = (id: string) =>
    t.database.sql(`select counts from audit_events where action = 'purge' and entity_id = $1`, [
      id,
    ])

  test('purging counts unlinked records, without new versions of them', async () => {
    const contact = await linked(100)
    expect((await purge(`contacts/${contact}`)).status).toBe(204)
    expect(await countsOf(contact)).toEqual([{ counts: { unlinked: { tickets: 100 } } }])
    const versions = await t.database.sql(
      `select distinct version from tickets where subject = 'Linked'`,
    )
    expect(versions).toEqual([{ version: 1 }])
  })

  test('purging in one request is rejected above 100 links; the job removes 100 at a time', async () => {
    const contact = await linked(1_203)
    const refused = await purge(`contacts/${contact}`)
    expect(refused.json).toMatchObject({ status: 409, code: 'too-many-links' })
    expect(refused.json.detail).toMatch(/^1,203 records link to this one/)
    expect(await linksTo(contact)).toBe(1_203)
    await t.database.sql(
      `update contacts set deleted_at = now() - interval '31 days' where id = $1`,
      [contact],
    )
    await t.trash.empty('contacts', SILENT)
    expect(await rowOf(t, 'contacts', contact)).toBeUndefined()
    expect(await countsOf(contact)).toEqual([{ counts: { unlinked: { tickets: 1_203 } } }])
    expect(await t.database.sql('select 1 from purges')).toEqual([])
  })

  test('purging includes links removed by earlier runs in the count', async () => {
    const contact = await linked(250)
    await t.database.sql(
      `update contacts set deleted_at = now() - interval '31 days' where id = $1`,
      [contact],
    )
    const [ticket] = await t.database.sql(
      'select id from tickets where contact = $1 order by id desc limit 1',
      [contact],
    )
    const release = await t.database.hold(
      `select from tickets where id = '${ticket.id}' for update`,
    )
    await t.trash.empty('contacts', SILENT)
    await release()
    expect(await linksTo(contact)).toBe(50)
    await t.trash.empty('contacts', SILENT)
    expect(await countsOf(contact)).toEqual([{ counts: { unlinked: { tickets: 250 } } }])
  })

  test('purging skips restricted records, and those they would be deleted with', async () => {
    const ticket = await make('tickets')
    const message = await make('messages', { ticket })
    await call('DELETE', `tickets/${ticket}`)
    await t.database.sql('update messages set restricted_at = now() where id = $1', [message])
    expect((await purge(`tickets/${ticket}`)).json).toMatchObject({ code: 'restricted' })
    await t.database.sql('update messages set restricted_at = null where id = $1', [message])
    expect((await purge(`tickets/${ticket}`)).status).toBe(204)
  })

  test('purging requires a visible record in the trash', async () => {
    const live = await make('organisations')
    expect((await purge(`organisations/${live}`)).status).toBe(404)
    const mine = await trashedSlip(ALICE)
    expect((await purge(`slips/${mine}`, BOB)).status).toBe(404)
    expect((await purge(`slips/${mine}`, ALICE)).status).toBe(204)
  })

  test('purging requires a separate right', async () => {
    const id = await trashed('organisations')
    expect((await purge(`organisations/${id}`, ALICE)).status).toBe(403)
    expect((await purge(`organisations/${id}`, null)).status).toBe(401)
    expect((await purge(`accounts/${id}`)).status).toBe(405)
    expect((await call('GET', `organisations/${id}/purge`)).headers.get('allow')).toBe('POST')
  })

  test('a retried creation of a purged record returns 410', async () => {
    const headers = { 'idempotency-key': 'made-and-purged' }
    const post = () => call('POST', 'slips', ADMIN, { body: { text: 'Once' }, headers })
    const { json } = await post()
    await call('DELETE', `slips/${json.id}`)
    await purge(`slips/${json.id}`)
    expect((await post()).json).toMatchObject({ status: 410, code: 'record-erased' })
  })
})

describe('after 30 days in the trash', () => {
  const age = (path: string, id: string, days: number) =>
    t.database.sql(
      `update ${path} set deleted_at = now() - $2::int * interval '1 day' where id = $1`,
      [id, days],
    )

  test('a record is purged after 30 days, and not a day earlier', async () => {
    const [old, recent, live] = [
      await trashed('organisations'),
      await trashed('organisations'),
      await make('organisations'),
    ]
    await age('organisations', old, 31)
    await age('organisations', recent, 29)
    const worker = startWorker({
      databaseUrl: t.database.url('gatehouse_app'),
      tools: jobTools(t),
    })
    await vi.waitFor(async () => expect(await rowOf(t, 'organisations', old)).toBeUndefined(), {
      timeout: 25_000,
      interval: 100,
    })
    await worker.stop()
    expect(await rowOf(t, 'organisations', recent)).toMatchObject({ id: recent })
    expect(await rowOf(t, 'organisations', live)).toMatchObject({ id: live })
    const events = await t.database.sql(
      `select actor_kind, actor_ref, request_id from audit_events where action = 'purge' and entity_id = $1`,
      [old],
    )
    expect(events).toEqual([{ actor_kind: 'system', actor_ref: null, request_id: 'empty-trash' }])
  })

  test('the purge job processes several batches in one run, and records still referred to don’t block the rest', async () => {
    const organisation = await make('organisations')
    const asset = await make('assets', { organisation })
    await call('DELETE', `assets/${asset}`)
    await call('DELETE', `organisations/${organisation}`)
    await age('organisations', organisation, 40)
    await t.database.sql(
      `insert into organisations (id, name, country, sla_tier, deleted_at)
        select gen_random_uuid(), 'Bulk', 'IE', 'None', now() - interval '35 days' from generate_series(1, 250)`,
    )
    await t.trash.empty('organisations', SILENT)
    const rows = await t.database.sql(
      `select id from organisations where deleted_at < now() - interval '30 days'`,
    )
    expect(rows).toEqual([{ id: organisation }])
  })

  test('a locked record is skipped and logged, shown on System after three failures, and purged later', async () => {
    const ids: string[] = []
    for (let place = 0; place < 5; place++) ids.push(await trashedSlip(ADMIN))
    const locked = ids[2] ?? ''
    for (const id of ids) await age('slips', id, 31)
    const named = async () => (await call('GET', 'system')).json.trash.refused
    const release = await t.database.hold(`select from slips where id = '${locked}' for key share`)
    const warned: object[] = []
    const logger = { ...SILENT, warn: (facts: object) => void warned.push(facts) }
    for (let run = 1; run <= 3; run++) {
      await t.trash.empty('slips', logger)
      expect(await inTrash('slips', ids)).toEqual([locked])
      expect((await named()).count).toBe(run < 3 ? 0 : 1)
    }
    expect((await named()).records).toMatchObject([
      { model: 'slips', id: locked, refusals: 3, reason: 'locked' },
    ])
    expect(warned).toEqual(Array(3).fill({ model: 'slips', id: locked, reason: 'locked' }))
    await release()
    await t.trash.empty('slips', logger)
    expect(await rowOf(t, 'slips', locked)).toBeUndefined()
    expect(await named()).toEqual({ count: 0, records: [] })
  })

  test('a restored record is no longer reported as a failed purge', async () => {
    const id = await trashedSlip(ADMIN)
    await age('slips', id, 31)
    const release = await t.database.hold(`select from slips where id = '${id}' for update`)
    for (let run = 1; run <= 3; run++) await t.trash.empty('slips', SILENT)
    await release()
    await restore(`slips/${id}`)
    await t.trash.empty('slips', SILENT)
    expect((await call('GET', 'system')).json.trash.refused.count).toBe(0)
  })

  test('a purge run that runs out of time resumes immediately where it stopped', async () => {
    const ids: string[] = []
    for (let place = 0; place < 3; place++) ids.push(await trashedSlip(ADMIN))
    for (const id of ids) await age('slips', id, 31)
    const engine = buildEngine({
      db: t.db,
      site: CONFIG.site,
      models: [slips],
      desk: { email: '', alertEmail: '' },
    })
    const trash = buildTrashPurger(engine, { runMaxMs: -1 })
    for (let run = 1; run <= 3; run++) {
      expect(await trash.due()).toEqual(['slips'])
      await trash.empty('slips', SILENT)
      expect(await inTrash('slips', ids)).toEqual(ids.slice(run))
    }
    await trash.empty('slips', SILENT)
    expect(await trash.due()).toEqual([])
  })

  test('the purge job queries every hour, not every second', async () => {
    const id = await trashedSlip(ADMIN)
    await age('slips', id, 31)
    await setTimeout(10)
    expect(await t.trash.due()).toEqual([])
  })
})
