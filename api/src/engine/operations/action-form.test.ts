import { defineModel, type Filter } from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineBehaviour } from '#engine/behaviour.ts'
import { ADMIN, ALICE, BOB, startTest, type Person, type Test } from '../../../test/kit.ts'

const np = { personal: false } as const
const isIdle: Filter = { all: [['note', 'empty', true]] }

const errands = defineModel({
  name: 'Errand',
  title: 'Errands',
  path: 'errands',
  displayField: 'name',
  access: { list: 'user', get: 'user', create: 'user', update: 'user', delete: 'admin' },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null' },
  fields: {
    name: { type: 'text', label: 'Name', required: true, privacy: np },
    note: { type: 'textarea', label: 'Note', privacy: np },
  },
  actions: {
    run: {
      label: 'Run',
      access: 'user',
      when: isIdle,
      fields: {
        ticket: {
          type: 'relation',
          label: 'Ticket',
          to: 'tickets',
          onDelete: 'unlink',
          privacy: np,
        },
        on: { type: 'date', label: 'On', default: '@today', privacy: np },
        words: { type: 'textarea', label: 'Words', privacy: np },
        cost: { type: 'integer', label: 'Cost', writableBy: 'admin', privacy: np },
      },
      done: 'It is on its way.',
    },
    look: { label: 'Look', access: 'user', done: 'Nothing has changed.' },
  },
})

const errandBehaviour = defineBehaviour(errands, {
  actions: {
    run: async ({ record, input, records }) => {
      await records(errands).update(record.id, { note: JSON.stringify(input) })
    },
    look: async () => {},
  },
})

let t: Test
beforeAll(async () => {
  t = await startTest({ models: [...models, errands], behaviours: [errandBehaviour] })
})
afterAll(() => t.stop())

const make = async (path: string, person: Person, body: object) => {
  const { status, json, text } = await t.call('POST', `/api/${path}`, person, { body })
  expect(status, text).toBe(201)
  return String(json.id)
}
const errand = () => make('errands', ADMIN, { name: 'Post' })
const ticketOf = (person: Person) =>
  make('tickets', person, {
    fullName: 'Someone',
    email: 'someone@example.test',
    subject: 'Printer',
    message: 'It does not print.',
  })
const run = async (person: Person, body: object, headers: Record<string, string> = {}) =>
  t.call('POST', `/api/errands/${await errand()}/run`, person, { body, headers })

test('an action’s input gets defaults and normalised texts', async () => {
  const { status, json } = await run(BOB, { words: 'one\r\ntwo' })
  expect(status).toBe(200)
  expect(JSON.parse(json.note)).toEqual({
    ticket: null,
    on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    words: 'one\ntwo',
    cost: null,
  })
})

test('a relation in an action’s input is rejected like a missing one if the record isn’t visible', async () => {
  const ticket = await ticketOf(ALICE)
  expect((await run(ALICE, { ticket })).status).toBe(200)
  const [foreign, absent] = [
    await run(BOB, { ticket }),
    await run(BOB, { ticket: crypto.randomUUID() }),
  ]
  expect(foreign.json).toMatchObject({ status: 422, errors: [{ field: 'ticket' }] })
  expect({ ...foreign.json, requestId: '' }).toEqual({ ...absent.json, requestId: '' })
})

test('an action’s form has the writable fields, and an invalid date gets an error at its field', async () => {
  expect((await run(BOB, { cost: 1 })).json).toMatchObject({ errors: [{ field: 'cost' }] })
  expect((await run(ADMIN, { cost: 1 })).status).toBe(200)
  expect((await run(BOB, { on: 'soon' })).json).toMatchObject({ errors: [{ field: 'on' }] })
})

test('an action that changes nothing returns the record and stores no key', async () => {
  const url = `/api/errands/${await errand()}/look`
  const headers = { 'idempotency-key': 'look-once' }
  const { status, json, headers: answered } = await t.call('POST', url, BOB, { headers })
  expect([status, json.version, answered.get('operation-id')]).toEqual([200, 1, null])
  const kept = await t.database.sql(`select 1 from idempotency_keys where key = 'look-once'`)
  expect(kept).toEqual([])
})
