import { expect, test } from 'vitest'
import type { Directory } from '#platform/identity/directory.ts'
import { cloneDatabase } from '../../test/kit.ts'
import { openDb } from '#platform/db.ts'
import { expireAccounts } from './expire-accounts.ts'
import type { Tools } from './job.ts'

const ID = '0190a5b0-0000-7000-8000-000000000000'

test('only accounts younger than the release, unconfirmed for a day and useless to anyone expire, with an audit row', async () => {
  const database = await cloneDatabase()
  const db = openDb(database.url('gatehouse_app'), { max: 2 })
  await database.sql(
    `update migrations set applied_at = now() - interval '3 days' where name = '0023-staff.sql'`,
  )
  const spans: { after: number; before: number }[] = []
  const removed: string[] = []
  let isUsable = true
  const directory = {
    unconfirmed: async (span: { after: number; before: number }) => {
      spans.push(span)
      return [ID]
    },
    isUsable: async () => isUsable,
    remove: async (id: string) => void removed.push(id),
  } as unknown as Directory
  const tools = { db, directory } as Tools

  expect(await expireAccounts.find({ ...tools, directory: null })).toEqual([])
  expect(await expireAccounts.find(tools)).toEqual([ID])
  expect(spans.map(({ after, before }) => Math.round((before - after) / 3_600_000))).toEqual([48])

  await expireAccounts.run(ID, tools)
  expect(removed).toEqual([])
  isUsable = false
  await expireAccounts.run(ID, tools)
  expect(removed).toEqual([ID])
  const rows = await database.sql(`select action, entity, entity_id, actor_kind from audit_events`)
  expect(rows).toEqual([
    { action: 'expire', entity: 'accounts', entity_id: ID, actor_kind: 'system' },
  ])
  await db.close()
  await database.drop()
})
