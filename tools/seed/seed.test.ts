import { canWrite } from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, SITE, startTest, type Test } from '../../api/test/kit.ts'
import { demoAccounts } from '../stack/demo-accounts.ts'
import { removeSamples } from './remove.ts'
import { writeSamples } from './write.ts'

let t: Test
let added: number
const EIGHT = models.filter(({ menu, path }) => menu && path !== 'privacyrequests')
/** Models with samples that are not in the menu. */
const MESSAGES = models.filter(({ path }) => path === 'messages')

beforeAll(async () => {
  t = await startTest({ models })
  added = await writeSamples({ db: t.db, site: SITE })
}, 120_000)
afterAll(() => t.stop())

const listAs = async (path: string, visitor: typeof ADMIN) => {
  const { status, json } = await t.call('GET', `/api/${path}?limit=100`, visitor)
  expect(status).toBe(200)
  return json.items as Record<string, unknown>[]
}
const demo = (username: string) => {
  const account = demoAccounts().find((one) => one.username === username)
  return { sub: account?.sub ?? '', name: username, role: 'user' as const }
}

test('the sample data has at least 60 records in all eight models, each marked as a sample', async () => {
  const lists = await Promise.all([...EIGHT, ...MESSAGES].map(({ path }) => listAs(path, ADMIN)))
  expect(lists).toHaveLength(9)
  for (const list of lists) expect(list.length).toBeGreaterThanOrEqual(6)
  expect(lists.flat()).toHaveLength(added)
  expect(added).toBeGreaterThanOrEqual(60)
  expect(lists.flat().every(({ sample }) => sample === true)).toBe(true)
})

test('each sample record has a revision and an audit row by the system, from the same transaction', async () => {
  const [revisions] = await t.database.sql(
    `select count(*)::int as count, count(distinct operation_id)::int as operations from revisions where action = 'create' and actor_ref is null`,
  )
  const [audit] = await t.database.sql(
    `select count(*)::int as count, count(distinct at)::int as moments from audit_events where actor_kind = 'system' and actor_ref is null`,
  )
  expect(revisions).toEqual({ count: added, operations: 1 })
  expect(audit).toEqual({ count: added, moments: 1 })
})

test('seeding again adds nothing, even after one sample was changed and one deleted', async () => {
  const [ticket] = await listAs('tickets', ADMIN)
  const [article] = await listAs('articles', ADMIN)
  await t.call('PUT', `/api/tickets/${String(ticket?.['id'])}`, ADMIN, {
    body: { priority: 'Low' },
  })
  await t.call('DELETE', `/api/articles/${String(article?.['id'])}`, ADMIN)
  expect(await writeSamples({ db: t.db, site: SITE })).toBe(0)
})

test.each([...EIGHT, ...MESSAGES].map((model) => [model.path, model] as const))(
  '%s: the forms accept every sample unchanged',
  async (path, model) => {
    const writable = Object.entries(model.fields).filter(([, field]) => canWrite(field, 'owner'))
    for (const { id } of await listAs(path, ADMIN)) {
      const { json } = await t.call('GET', `/api/${path}/${String(id)}`, ADMIN)
      const body = Object.fromEntries(writable.map(([name]) => [name, json[name]]))
      const saved = await t.call('PUT', `/api/${path}/${String(id)}`, ADMIN, { body })
      expect(saved.text).toBe(JSON.stringify(json))
    }
  },
)

test('the sample catalogue has eight services with summary, description and contents', async () => {
  const { json } = await t.call('GET', '/api/services?limit=100')
  expect(json.items).toHaveLength(8)
  for (const { id, summary, includes } of json.items) {
    const { json: service } = await t.call('GET', `/api/services/${id}`)
    const words = service.description.match(/\b[\w’']+/g).length
    expect(summary.length).toBeLessThanOrEqual(160)
    expect(words, service.name).toBeGreaterThanOrEqual(120)
    expect(words, service.name).toBeLessThanOrEqual(200)
    expect(includes.length).toBeGreaterThanOrEqual(4)
    expect(includes.length).toBeLessThanOrEqual(6)
  }
})

test('the demo accounts see what their roles allow', async () => {
  const seen = async (username: string) =>
    Object.fromEntries(
      await Promise.all(
        ['organisations', 'contracts', 'assets', 'tickets'].map(
          async (path) => [path, (await listAs(path, demo(username))).length] as const,
        ),
      ),
    )
  expect(await seen('bob')).toEqual({ organisations: 0, contracts: 0, assets: 0, tickets: 2 })
  expect(await seen('carol')).toEqual({ organisations: 1, contracts: 0, assets: 4, tickets: 2 })
  expect(await seen('dave')).toEqual({ organisations: 1, contracts: 3, assets: 4, tickets: 5 })
})

test('removing the samples deletes them and their revisions, except those a real record depends on', async () => {
  const [organisation] = await listAs('organisations', ADMIN)
  const asset = { name: 'real-01', kind: 'Laptop', organisation: organisation?.['id'] }
  const { status } = await t.call('POST', '/api/assets', ADMIN, { body: asset })
  expect(status).toBe(201)

  expect(await removeSamples(t.db)).toEqual({ removed: added - 1, kept: 1 })
  const left = await t.database.sql(
    `select model, action from revisions where model <> 'accounts' order by model`,
  )
  expect(left.map(({ model }) => model)).toEqual(['assets', 'organisations'])
  for (const { path } of EIGHT) {
    const expected = path === 'assets' || path === 'organisations' ? 1 : 0
    expect(await listAs(path, ADMIN), path).toHaveLength(expected)
  }
})
