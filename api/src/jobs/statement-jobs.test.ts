import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, sqlOn, startTest, type Test } from '../../test/kit.ts'
import { JOBS } from './index.ts'
import { flushSearchIndex, updateLastContacts } from './statement-jobs.ts'
import type { JobContext } from './job.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

const asApp = (text: string) => sqlOn(t.database.url('gatehouse_app'), text)
const create = (name: string) =>
  t.call('POST', '/api/organisations', ADMIN, { body: { name, country: 'IE' } })

test('the worker flushes the search indexes’ pending lists, which the application role cannot do directly', async () => {
  expect((await create('Waiting to be indexed')).status).toBe(201)
  await expect(
    asApp(`select gin_clean_pending_list('organisations_search')`),
  ).rejects.toMatchObject({ code: '42501' })
  const tools = { db: t.db } as JobContext
  for (const id of await flushSearchIndex.find(tools)) await flushSearchIndex.run(id, tools)
  expect(await asApp('select clean_search() as pages')).toEqual([{ pages: '0' }])
  expect((await create('Another')).status).toBe(201)
  expect(await asApp('select clean_search() > 0 as "isCleaned"')).toEqual([{ isCleaned: true }])
})

test('search indexes have short pending lists', async () => {
  const rows = await asApp(
    `select relname, reloptions from pg_class join pg_am on pg_am.oid = relam
      where amname = 'gin' and relnamespace = 'public'::regnamespace`,
  )
  expect(rows.length).toBeGreaterThan(5)
  for (const { reloptions } of rows) expect(reloptions).toEqual(['gin_pending_list_limit=512'])
})

test('the worker updates last contacts every ten minutes and queues nothing', async () => {
  let runs = 0
  const tools = { updateLastContacts: () => Promise.resolve(++runs) } as unknown as JobContext
  expect([await updateLastContacts.find(tools), runs]).toEqual([[], 1])
  expect([JOBS.includes(updateLastContacts), updateLastContacts.pollMs]).toEqual([true, 600_000])
})
