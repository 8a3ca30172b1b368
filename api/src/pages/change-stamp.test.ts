import { articles, services, tickets } from '@gatehouse/model/models'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ADMIN, startTest, type Test } from '../../test/kit.ts'
import { changeStampOf } from './change-stamp.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())
afterEach(() => vi.useRealTimers())

const SITE = { timezone: 'Europe/Dublin', country: 'IE', currency: 'EUR' } as never
const stamp = (models = [services, articles]) => changeStampOf({ db: t.db, site: SITE, models })
const call = async (method: string, path: string, body?: object) => {
  const headers = method === 'PUT' ? { 'if-match': '*' } : {}
  const { status, json } = await t.call(method, `/api/${path}`, ADMIN, { body, headers })
  expect(status).toBeLessThan(300)
  return json
}
const article = (slug: string) => ({ title: 'News', slug, kind: 'Guide', body: 'Text.' })

test('the change stamp differs after every change of a record with a page, and stays without one', async () => {
  const seen = [await stamp()]
  const changed = async (method: string, path: string, body?: object) => {
    const json = await call(method, path, body)
    seen.push(await stamp())
    return json
  }
  const { id } = await changed('POST', 'articles', article('one'))
  await changed('PUT', `articles/${id}`, { title: 'Other news' })
  await changed('DELETE', `articles/${id}`)
  await changed('POST', `articles/${id}/restore`)
  await changed('DELETE', `articles/${id}`)
  await changed('POST', `articles/${id}/purge`)
  // As many records, and as many versions, as after the first.
  await changed('POST', 'articles', article('two'))
  // The last but one has no record, like the first.
  expect(new Set(seen).size).toBe(seen.length - 1)
  expect(await stamp()).toBe(seen.at(-1))
})

test('the change stamp notices a transaction that commits after a later one', async () => {
  const { id } = await call('POST', 'articles', article('late'))
  const { id: other } = await call('POST', 'articles', article('early'))
  const update = (one: string) =>
    `update articles set version = version + 1, updated_at = now() where id = '${one}'`
  const late = new pg.Client({ connectionString: t.database.url('gatehouse_migrate') })
  await late.connect()
  await late.query('begin')
  await late.query(update(id))
  await t.database.sql(update(other))
  const before = await stamp()
  await late.query('commit')
  await late.end()
  expect(await stamp()).not.toBe(before)
})

test('the change stamp ignores models without pages', async () => {
  const before = await stamp([{ ...services, pages: null }, tickets] as never)
  await call('POST', 'articles', article('ignored'))
  expect(await stamp([{ ...services, pages: null }, tickets] as never)).toBe(before)
})

test('the change stamp differs after midnight in the site’s time zone', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-07-01T22:59:59Z') })
  const before = await stamp()
  vi.setSystemTime(Date.parse('2026-07-01T23:00:00Z'))
  expect(await stamp()).not.toBe(before)
})
