import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ADMIN,
  ALICE,
  BOB,
  startTest,
  expireAllRows,
  type Person,
  type Test,
} from '../../../test/kit.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

const remember = (person: Person, model: string, body: object) =>
  t.call('PUT', `/api/me/views/${model}`, person, { body })
const viewsOf = async (person: Person) => (await t.call('GET', '/api/me/views', person)).json
const view = { columns: ['subject', 'status'], limit: 50, density: 'compact' }

test('list preferences are stored per person', async () => {
  expect((await remember(ALICE, 'tickets', view)).status).toBe(204)
  expect(await viewsOf(ALICE)).toEqual({ tickets: view })
  expect(await viewsOf(BOB)).toEqual({})
  const changed = { columns: null, limit: null, density: 'comfortable' }
  await remember(ALICE, 'tickets', changed)
  expect(await viewsOf(ALICE)).toEqual({ tickets: changed })
})

test('anonymous visitors have no list preferences', async () => {
  expect((await remember(null, 'tickets', view)).status).toBe(401)
  expect((await t.call('GET', '/api/me/views', null)).status).toBe(401)
})

test('unknown and invisible models return the same 404', async () => {
  const hidden = await remember(ALICE, 'privacyrequests', view)
  const absent = await remember(ALICE, 'nosuchmodel', view)
  expect([hidden.status, hidden.json.detail]).toEqual([404, absent.json.detail])
})

test('hidden and unknown columns return the same 400', async () => {
  const ask = async (column: string) =>
    (await remember(ALICE, 'tickets', { ...view, columns: [column] })).json.detail
  expect(await ask('internalNotes')).toBe('Unknown field "internalNotes".')
  expect(await ask('nosuchfield')).toBe('Unknown field "nosuchfield".')
})

test.each([
  { ...view, limit: 0 },
  { ...view, limit: 101 },
  { ...view, density: 'tiny' },
  { ...view, columns: [] },
  { ...view, more: 1 },
])('an invalid list view returns 422: %j', async (body) => {
  expect((await remember(ALICE, 'tickets', body)).status).toBe(422)
})

test.each([
  [{}, ['columns is required', 'limit is required', 'density is required']],
  [{ limit: 50 }, ['columns is required', 'density is required']],
  [{ ...view, columns: 'subject' }, ['columns must be a list']],
  [{ ...view, columns: [] }, ['columns needs at least one entry']],
  [{ ...view, columns: ['subject', 'subject'] }, ['columns contains the same value twice']],
  [{ ...view, limit: 'many' }, ['limit must be a whole number']],
  [{ ...view, density: 'tiny' }, ['density must be one of the options']],
  [{ ...view, more: 1 }, ['more can’t be set']],
])('an invalid list view returns an error per field: %j', async (body, expected) => {
  const { json } = await remember(ALICE, 'tickets', body)
  const found = json.errors.map(({ message }: { message: string }) => message)
  expect(found).toEqual(expected.map((text) => `"${text.replace(' ', '" ')}.`))
  expect(json.errors.map(({ field }: { field: string }) => field)).toEqual(
    expected.map((text) => text.split(' ')[0]),
  )
})

test('list preferences unused for a year are deleted, others kept', async () => {
  await remember(ALICE, 'tickets', view)
  await remember(BOB, 'tickets', view)
  await t.database.sql(
    `update list_views set used_on = current_date - interval '13 months' where sub = $1`,
    [BOB.sub],
  )
  await expireAllRows(t)
  expect(await viewsOf(ALICE)).toEqual({ tickets: view })
  expect(await viewsOf(BOB)).toEqual({})
})

test('menu counts equal the totals of the caller’s lists', async () => {
  const body = { fullName: 'A', email: 'a@example.test', subject: 'VPN', message: 'Slow' }
  await t.call('POST', '/api/tickets', ALICE, { body })
  const counts = async (person: Person) => (await t.call('GET', '/api/models/counts', person)).json
  expect((await counts(ALICE)).tickets).toEqual({ count: 1, exact: true })
  expect((await counts(BOB)).tickets).toEqual({ count: 0, exact: true })
  expect(Object.keys(await counts(null)).toSorted()).toEqual(['articles', 'services'])
  expect(Object.keys(await counts(ADMIN))).not.toContain('accounts')
})
