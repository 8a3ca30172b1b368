import { defineModel, np } from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { defineBehaviour, extendBehaviour } from '#engine/behaviour.ts'
import { conflict } from '#platform/errors.ts'
import { ADMIN, ALICE, startTest, type Person, type Test } from '../../../test/kit.ts'

const DEEPEST = 5

const notes = defineModel({
  name: 'Note',
  title: 'Notes',
  path: 'notes',
  displayField: 'text',
  access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'user' },
  purge: 'user',
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    text: { type: 'text', label: 'Text', required: true, privacy: np },
    decided: { type: 'text', label: 'Decided', readOnly: true, privacy: np },
    length: { type: 'integer', label: 'Length', computed: 'column', privacy: np },
    size: { type: 'text', label: 'Size', computed: 'sql', privacy: np },
  },
})

const lines = defineModel({
  name: 'Line',
  title: 'Lines',
  path: 'lines',
  displayField: 'text',
  access: { list: 'admin', get: 'admin', create: 'admin', update: 'admin', delete: 'admin' },
  createPerMinute: 30,
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    text: { type: 'text', label: 'Text', required: true, privacy: np },
    note: { type: 'relation', label: 'Note', to: 'notes', onDelete: 'cascade', privacy: np },
    depth: { type: 'integer', label: 'Depth', privacy: np },
  },
})

/** Events since the test began, and the hook that rejects. */
let heard: string[] = []
let refusing = ''

function hear(...words: string[]) {
  const said = words.join(' ')
  heard.push(said)
  if (said.startsWith(refusing) && refusing !== '') throw conflict('refused', 'Not today')
}

type Heard = { event: string; record: { text: string | null } }
const hook = (phase: string, path: string) => (change: Heard) =>
  hear(phase, change.event, path, change.record.text ?? '')
const hooks = (phase: string, path: string) => {
  const run = hook(phase, path)
  return { delete: run, restore: run, undo: run }
}

const noteBehaviour = defineBehaviour(notes, {
  validate: ({ record }) => {
    hear('validate', 'notes', record.text)
    return record.text.includes('bad') && refusing !== 'nothing'
      ? [{ field: 'text', message: 'Text is bad.' }]
      : []
  },
  before: {
    create: (change) => {
      hook('before', 'notes')(change)
      return { decided: `first ${change.record.text}` }
    },
    update: hook('before', 'notes'),
    ...hooks('before', 'notes'),
  },
  after: {
    async create(change) {
      hook('after', 'notes')(change)
      if (change.record.text === 'with a line')
        await change.records(lines).create({ text: 'made', note: change.record.id })
    },
    update: hook('after', 'notes'),
    ...hooks('after', 'notes'),
  },
  computed: {
    length: ({ record }) => {
      hear('compute', 'notes', record.text)
      return record.text.length
    },
  },
  expressions: {
    size: ({ length }) => sql`case when ${length} > 5 then 'long' else 'short' end`,
  },
})

/** As a site would add it to a product model. */
const secondBehaviour = extendBehaviour(notes, {
  before: { create: ({ record }) => ({ decided: `${record.decided}, then second` }) },
})

const lineBehaviour = defineBehaviour(lines, {
  before: hooks('before', 'lines'),
  after: {
    async create({ record, records }) {
      if (record.depth !== null && record.depth > 0)
        await records(lines).create({ text: record.text, depth: record.depth - 1 })
    },
    ...hooks('after', 'lines'),
  },
})

let t: Test
beforeAll(async () => {
  t = await startTest({
    models: [...models, notes, lines],
    behaviours: [noteBehaviour, secondBehaviour, lineBehaviour],
  })
})
afterAll(() => t.stop())
beforeEach(() => {
  heard = []
  refusing = ''
})

const call = (method: string, path: string, body?: unknown, person: Person = ADMIN) =>
  t.call(method, `/api/${path}`, person, body === undefined ? {} : { body })

async function make(text: string, person: Person = ADMIN) {
  const response = await call('POST', 'notes', { text }, person)
  expect(response.status, response.text).toBe(201)
  const operation = response.headers.get('operation-id') ?? ''
  heard = []
  return { id: String(response.json.id), operation, json: response.json }
}

async function makeLine(note: string, text: string) {
  const response = await call('POST', 'lines', { text, note })
  expect(response.status, response.text).toBe(201)
  heard = []
  return String(response.json.id)
}

const undo = (operation: string) => call('POST', `operations/${operation}/undo`)

const stateOf = () =>
  t.database.sql(`select (select json_agg(n order by id) from notes n) as notes,
    (select json_agg(l order by id) from lines l) as lines,
    (select count(*) from revisions) as revisions, (select count(*) from audit_events) as audit`)

test('a creation runs before, computed, validate, write and after, in this order', async () => {
  const { status, json } = await call('POST', 'notes', { text: 'one' })
  expect(status).toBe(201)
  expect(heard).toEqual([
    'before create notes one',
    'compute notes one',
    'validate notes one',
    'after create notes one',
  ])
  expect(json).toMatchObject({ decided: 'first one, then second', length: 3, size: 'short' })
})

test('an update runs the same hooks as a creation; one that changes nothing fires no `after`', async () => {
  const { id } = await make('one')
  await call('PUT', `notes/${id}`, { text: 'other one' })
  expect(heard).toEqual([
    'before update notes other one',
    'compute notes other one',
    'validate notes other one',
    'after update notes other one',
  ])
  heard = []
  await call('PUT', `notes/${id}`, { text: 'other one' })
  expect(heard).not.toContain('after update notes other one')
})

test('restoring a version fires update hooks', async () => {
  const { id } = await make('one')
  await call('PUT', `notes/${id}`, { text: 'two' })
  heard = []
  expect((await call('POST', `notes/${id}/restore`, { version: 1 })).json.text).toBe('one')
  expect(heard.filter((one) => !one.startsWith('compute'))).toEqual([
    'before update notes one',
    'validate notes one',
    'after update notes one',
  ])
})

test('a cascade fires for each record on delete and restore, and purging fires nothing', async () => {
  const { id } = await make('parent')
  await makeLine(id, 'a')
  await makeLine(id, 'b')
  expect((await call('DELETE', `notes/${id}`)).status).toBe(204)
  const both = (event: string) =>
    ['before', 'after'].flatMap((phase) => [
      `${phase} ${event} notes parent`,
      `${phase} ${event} lines a`,
      `${phase} ${event} lines b`,
    ])
  expect(heard).toEqual(both('delete'))
  heard = []
  expect((await call('POST', `notes/${id}/restore`)).status).toBe(200)
  expect(heard.filter((one) => !one.startsWith('validate'))).toEqual(both('restore'))
  await call('DELETE', `notes/${id}`)
  heard = []
  expect((await call('POST', `notes/${id}/purge`)).status).toBe(204)
  expect(heard).toEqual([])
})

test('undo restores values and runs only validate and undo hooks, once per record', async () => {
  const { id, operation } = await make('with a line')
  const [line] = await t.database.sql(`select id from lines where note = '${id}'`)
  expect((await undo(operation)).json.undone).toHaveLength(2)
  expect(heard.toSorted()).toEqual([
    'after undo lines made',
    'after undo notes with a line',
    'before undo lines made',
    'before undo notes with a line',
  ])
  expect((await call('GET', `lines/${line.id}`)).status).toBe(404)

  const { id: other } = await make('one')
  const { headers } = await call('PUT', `notes/${other}`, { text: 'two' })
  heard = []
  await undo(headers.get('operation-id') ?? '')
  expect(heard).toEqual(['before undo notes one', 'validate notes one', 'after undo notes one'])
})

describe('an error in a hook', () => {
  const setUp = async () => {
    const { id } = await make('parent')
    await makeLine(id, 'child')
    return id
  }
  const changes: Record<string, () => Promise<() => ReturnType<typeof call>>> = {
    create: async () => () => call('POST', 'notes', { text: 'with a line' }),
    update: async () => {
      const id = await setUp()
      return () => call('PUT', `notes/${id}`, { text: 'changed' })
    },
    delete: async () => {
      const id = await setUp()
      return () => call('DELETE', `notes/${id}`)
    },
    restore: async () => {
      const id = await setUp()
      await call('DELETE', `notes/${id}`)
      return () => call('POST', `notes/${id}/restore`)
    },
    undo: async () => {
      const { operation } = await make('with a line')
      return () => undo(operation)
    },
  }
  const cases = Object.keys(changes).flatMap((event) =>
    ['before', 'after'].map((phase) => [phase, event] as const),
  )

  test.each(cases)('an error in the %s %s hook rolls back the operation', async (phase, event) => {
    const run = await changes[event]?.()
    const before = await stateOf()
    refusing = `${phase} ${event}`
    const response = await run?.()
    expect([response?.status, response?.json.code]).toEqual([409, 'refused'])
    expect(await stateOf()).toEqual(before)
  })

  test('an error from validate returns 422 at its field on write and restore', async () => {
    expect((await call('POST', 'notes', { text: 'bad' })).json.errors).toEqual([
      { field: 'text', message: 'Text is bad.' },
    ])
    refusing = 'nothing'
    const { id } = await make('bad')
    await call('DELETE', `notes/${id}`)
    refusing = ''
    const before = await stateOf()
    expect((await call('POST', `notes/${id}/restore`)).status).toBe(422)
    expect(await stateOf()).toEqual(before)
  })

  test('an error from validate returns 409 not-undoable on undo', async () => {
    refusing = 'nothing'
    const { id } = await make('bad')
    refusing = ''
    const { headers } = await call('PUT', `notes/${id}`, { text: 'good' })
    const before = await stateOf()
    const response = await undo(headers.get('operation-id') ?? '')
    expect([response.status, response.json.code]).toEqual([409, 'not-undoable'])
    expect(response.json.detail).toContain('Text is bad.')
    expect(await stateOf()).toEqual(before)
  })
})

describe('records of another model in hooks', () => {
  test('hooks create records of another model without permission checks, by the caller, in the same operation', async () => {
    const { id } = await make('with a line', ALICE)
    const rows = await t.database.sql(
      `select r.model, (select sub from subject_refs where ref = r.actor_ref) as sub from revisions r
        where operation_id = (select operation_id from revisions where record_id = '${id}') order by model`,
    )
    expect(rows).toEqual([
      { model: 'lines', sub: ALICE.sub },
      { model: 'notes', sub: ALICE.sub },
    ])
  })

  test(`behaviours trigger each other at most ${DEEPEST} levels deep`, async () => {
    const created = async (depth: number) =>
      (await call('POST', 'lines', { text: `deep ${depth}`, depth })).status
    const count = async (depth: number) =>
      (await t.database.sql(`select 1 from lines where text = 'deep ${depth}'`)).length
    expect([await created(DEEPEST), await count(DEEPEST)]).toEqual([201, DEEPEST + 1])
    expect([await created(DEEPEST + 1), await count(DEEPEST + 1)]).toEqual([500, 0])
  })
})
