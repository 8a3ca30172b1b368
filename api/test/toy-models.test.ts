import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, startTest, type Test } from './kit.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

const call = (method: string, path: string, by: typeof ALICE, body?: object) =>
  t.call(method, `/api/${path}`, by, body ? { body } : {})

test('the engine serves toy models without the product, including fields computed in columns and SQL', async () => {
  const thing = await call('POST', 'things', ALICE, { text: 'ball' })
  expect([thing.status, thing.json.loud, thing.json.owner]).toEqual([201, 'BALL', ALICE.sub])
  for (const size of [7, 700]) await call('POST', 'boxes', ADMIN, { name: `Box ${size}`, size })
  const filter = encodeURIComponent(JSON.stringify({ all: [['isBig', 'eq', true]] }))
  const { json } = await call('GET', `boxes?filter=${filter}`, ADMIN)
  expect(json.items).toMatchObject([{ name: 'Box 700', isBig: true }])
})

test('a toy model’s action validates its form, runs once its condition holds, and can be undone', async () => {
  const { json: thing } = await call('POST', 'things', ALICE, { text: 'bear' })
  const pack = `things/${thing.id}/pack`
  expect((await call('POST', pack, ALICE, { name: 'Chest' })).status).toBe(403)
  expect((await call('POST', pack, ADMIN, {})).status).toBe(422)
  const packed = await call('POST', pack, ADMIN, { name: 'Chest' })
  expect([packed.status, packed.json.labels]).toEqual([200, { box: 'Chest' }])
  expect((await call('POST', pack, ADMIN, { name: 'Chest' })).json.code).toBe('not-now')
  const operation = packed.headers.get('operation-id')
  expect((await call('POST', `operations/${operation}/undo`, ADMIN)).status).toBe(200)
  expect((await call('GET', `boxes/${packed.json.box}`, ADMIN)).status).toBe(404)
})

test('only the keeper of a toy box sees its contents', async () => {
  const { json: box } = await call('POST', 'boxes', ADMIN, { name: 'Kept', keeper: BOB.sub })
  const { json: thing } = await call('POST', 'things', ADMIN, { text: 'kite', box: box.id })
  expect((await call('GET', `things/${thing.id}`, BOB)).json.labels).toEqual({ box: 'Kept' })
  expect((await call('GET', `things/${thing.id}`, ALICE)).status).toBe(404)
})

test('the database of the toy models has no table of the product', async () => {
  const rows = await t.database.sql(
    `select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  const names = rows.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['boxes', 'revisions', 'things']))
  for (const name of ['tickets', 'organisations', 'cookie_choices'])
    expect(names).not.toContain(name)
})
