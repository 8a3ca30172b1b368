import { defineModel, extendModel, np } from '@gatehouse/model'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { models } from '@gatehouse/model/models'
import * as testing from '@gatehouse/api/testing'
import * as behaviour from './behaviour.ts'
import { ADMIN, startTest, WITH_OWNERS, type Test } from '../test/kit.ts'

// Every hook, and every function of the entry points for a site's behaviours and tests, on a model of a site.
const { conflict, defineBehaviour, defineMail, extendBehaviour, invalidRecord, paragraphs, sql } =
  behaviour

const visits = defineModel({
  name: 'Visit',
  title: 'Visits',
  path: 'visits',
  displayField: 'purpose',
  access: { list: 'user', get: 'user', create: 'admin', update: 'admin', delete: 'admin' },
  privacy: { subject: 'none', retention: 'relationship', onErase: 'null', recipients: ['mail'] },
  fields: {
    purpose: { type: 'text', label: 'Purpose', required: true, privacy: np },
    on: { type: 'date', label: 'On', default: '@today', privacy: np },
    reportDue: { type: 'date', label: 'Report due', computed: 'column', privacy: np },
    isOver: { type: 'boolean', label: 'Over', computed: 'sql', privacy: np },
    notes: { type: 'text', label: 'Notes', privacy: np },
  },
  actions: {
    confirm: {
      label: 'Confirm',
      access: 'admin',
      fields: { to: { type: 'email', label: 'To', required: true, privacy: np } },
      done: 'Confirmed.',
    },
  },
})
const noted = extendModel(visits, {
  actions: { note: { label: 'Note', access: 'admin', done: 'Noted.' } },
})

/** Hooks in the order they ran. */
const ran: string[] = []
const hooks = (when: string) =>
  Object.fromEntries(
    ['create', 'update', 'delete', 'restore', 'undo'].map((event) => [
      event,
      () => void ran.push(`${when} ${event}`),
    ]),
  )

const visitBehaviour = defineBehaviour(visits, {
  mails: {
    confirmed: defineMail({
      about: behaviour.recordIn(visits, { id: 'visitId', reference: 'purpose' }),
      async facts({
        records,
        table,
        db,
        mail: { data },
      }: behaviour.MailContext<{ visitId: string }>) {
        const visit = await records(visits).get(data.visitId)
        const [found] = await records(visits).find({ all: [['purpose', 'eq', 'Handover']] })
        const same = await records(visits).findBy('purpose', 'Handover')
        const visitTable = table(visits)
        const [row] = await db.query(
          sql<{
            purpose: string
          }>`select ${visitTable.purpose} as purpose from ${visitTable} where ${visitTable.id} = ${data.visitId}`,
        )
        const ids = [visit?.id, found?.id, same?.id]
        return row && ids.every((id) => id === data.visitId) ? row : null
      },
      text: ({ purpose }, { site }) => ({
        subject: purpose,
        text: paragraphs('See you', site.name),
      }),
    }),
  },
  validate({ record }) {
    ran.push('validate')
    if (record.purpose === 'Raise') throw invalidRecord([{ field: 'purpose', message: 'No.' }])
    return record.purpose === 'Party' ? [{ field: 'purpose', message: 'No parties.' }] : []
  },
  before: hooks('before'),
  after: hooks('after'),
  computed: {
    reportDue({ record: { on } }) {
      ran.push('computed')
      return on && new Date(Date.parse(on) + 7 * 86_400_000).toISOString().slice(0, 10)
    },
  },
  expressions: { isOver: ({ on }, { today }) => sql`${on} < ${today}` },
  actions: {
    async confirm({ record, input, mail }) {
      if (record.purpose === 'Tea') throw conflict('nothing-to-confirm', 'Nobody confirms tea.')
      await mail('confirmed', input.to, { visitId: record.id })
    },
  },
})

const noteBehaviour = extendBehaviour(noted, {
  before: { create: () => ({ notes: 'From the site' }) },
  actions: {
    note: ({ record, records }) => records(noted).update(record.id, { notes: 'Noted' }),
  },
})

let t: Test
beforeAll(async () => {
  t = await startTest({
    models: [...models, noted],
    behaviours: [visitBehaviour, noteBehaviour],
    settings: WITH_OWNERS,
  })
})
afterAll(() => t.stop())

const admin = () => t.as(ADMIN)
const create = (purpose: string) => admin().records(noted).create({ purpose })
/** Hooks that a call runs. */
async function hooksOf(run: () => Promise<unknown>) {
  ran.length = 0
  await run()
  return [...ran]
}

test('each event of a record runs its hooks, in order', async () => {
  const written = (event: string) => [`before ${event}`, 'computed', 'validate', `after ${event}`]
  let id = ''
  expect(await hooksOf(async () => ({ id } = await create('Survey')))).toEqual(written('create'))
  const update = () => admin().request('PUT', `visits/${id}`, { purpose: 'Repair' })
  let operation = ''
  expect(
    await hooksOf(async () => {
      const { headers } = await update()
      operation = headers.get('operation-id') ?? ''
    }),
  ).toEqual(written('update'))
  const undo = () => admin().request('POST', `operations/${operation}/undo`)
  expect(await hooksOf(undo)).toEqual(['before undo', 'validate', 'after undo'])
  expect(await hooksOf(() => admin().records(noted).delete(id))).toEqual([
    'before delete',
    'after delete',
  ])
  const restore = () => admin().request('POST', `visits/${id}/restore`, {})
  expect(await hooksOf(restore)).toEqual(['before restore', 'validate', 'after restore'])
})

test('values of a site’s hook, computed columns and expressions are in the record', async () => {
  t.clock.set('2026-03-02T12:00:00Z')
  const { id } = await create('Audit')
  expect(await admin().records(noted).get(id)).toMatchObject({
    on: '2026-03-02',
    reportDue: '2026-03-09',
    isOver: false,
    notes: 'From the site',
  })
  t.clock.set('2026-03-03T12:00:00Z')
  expect(
    await admin()
      .records(noted)
      .list({ filter: { all: [['isOver', 'eq', true]] } }),
  ).toEqual([expect.objectContaining({ id, isOver: true })])
  t.clock.reset()
  expect(await admin().records(noted).update(id, { on: '2026-04-01' })).toMatchObject({
    reportDue: '2026-04-08',
  })
})

test('what a rule rejects is an error with the status, code and field of the response', async () => {
  await expect(create('Party')).rejects.toThrow(testing.RejectedError)
  await expect(create('Party')).rejects.toMatchObject({
    status: 422,
    errors: [{ field: 'purpose', message: 'No parties.' }],
  })
  await expect(create('Raise')).rejects.toThrow('purpose: No.')
  await expect(t.as('public').records(noted).list()).rejects.toMatchObject({ status: 401 })
  await expect(t.as('user').records(noted).create({ purpose: 'x' })).rejects.toMatchObject({
    status: 403,
  })
})

test('actions of product and site run, and a mail is written from typed records and raw SQL', async () => {
  const { id } = await create('Handover')
  expect(await admin().act(noted, id, 'note')).toMatchObject({ notes: 'Noted' })
  await admin().act(noted, id, 'confirm', { to: 'ann@copper.example' })
  expect(await t.mails()).toEqual([
    { to: 'ann@copper.example', subject: 'Handover', text: expect.stringMatching(/^See you\n\n/) },
  ])
  expect(await t.mails()).toEqual([])
  const tea = await create('Tea')
  await expect(
    admin().act(noted, tea.id, 'confirm', { to: 'ann@copper.example' }),
  ).rejects.toMatchObject({ status: 409, code: 'nothing-to-confirm' })
})

test('the entry points export what these tests and the sample’s use', () => {
  expect(Object.keys(behaviour).toSorted()).toEqual([
    'conflict',
    'defineBehaviour',
    'defineMail',
    'extendBehaviour',
    'invalidRecord',
    'paragraphs',
    'recordIn',
    'sql',
  ])
  expect(Object.keys(testing).toSorted()).toEqual(['RejectedError', 'startTestSite'])
})
