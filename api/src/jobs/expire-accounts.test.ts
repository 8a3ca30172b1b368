import { afterEach, expect, test } from 'vitest'
import type { Account, Directory } from '#platform/identity/directory.ts'
import { cloneDatabase } from '../../test/kit.ts'
import { connectDb } from '#platform/db.ts'
import { requireNameUpdate } from './require-name-update.ts'
import { expireAccounts } from './expire-accounts.ts'
import type { JobContext } from './job.ts'

const HOUR_MS = 3_600_000
const ago = (hours: number) => Date.now() - hours * HOUR_MS

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const account = (id: string, createdTimestamp: number, more: Partial<Account> = {}): Account => ({
  id,
  username: id,
  email: `${id}@client.test`,
  enabled: true,
  emailVerified: false,
  createdTimestamp,
  ...more,
})

/** A provider whose realm was first applied three days ago, by default. */
async function toolsWith(accounts: Account[], { begunHoursAgo = 72 } = {}) {
  const database = await cloneDatabase()
  const db = connectDb(database.url('gatehouse_app'), { max: 2 })
  closing.push(
    () => db.close(),
    () => database.drop(),
  )
  const removed: string[] = []
  const nameRequests: string[] = []
  const directory = {
    begunAt: async () => ago(begunHoursAgo),
    async *unconfirmed() {
      yield* accounts.filter(({ emailVerified }) => !emailVerified)
    },
    find: async (id: string) => accounts.find((one) => one.id === id) ?? null,
    remove: async (id: string) => void removed.push(id),
    askName: async (id: string) => void nameRequests.push(id),
  } as unknown as Directory
  return { tools: { db, directory } as JobContext, database, removed, nameRequests }
}

test('an account is removed if its address is unconfirmed for a day', async () => {
  const id = '0190a5b0-0000-7000-8000-000000000000'
  const { tools, database, removed } = await toolsWith([
    account(id, ago(25)),
    account('younger', ago(23)),
    account('older-than-the-first-apply', ago(73)),
    account('confirmed', ago(25), { emailVerified: true }),
  ])
  expect(await expireAccounts.find({ ...tools, directory: null })).toEqual([])
  expect(await expireAccounts.find(tools)).toEqual([id])
  await expireAccounts.run(id, tools)
  expect(removed).toEqual([id])
  const rows = await database.sql(`select action, entity, entity_id, actor_kind from audit_events`)
  expect(rows).toEqual([
    { action: 'expire', entity: 'accounts', entity_id: id, actor_kind: 'system' },
  ])
})

test('an unconfirmed account is kept if it has signed in, or is confirmed before the job runs', async () => {
  const late = account('late', ago(25))
  const { tools, database, removed } = await toolsWith([account('used', ago(25)), late])
  await database.sql(
    `insert into accounts (id, sub, link, last_seen_on) values (gen_random_uuid(), 'used', 'none', now())`,
  )
  expect(await expireAccounts.find(tools)).toEqual(['late'])
  late.emailVerified = true
  for (const id of ['used', 'late']) await expireAccounts.run(id, tools)
  expect(removed).toEqual([])
})

test('an invited colleague’s account expires after 73 hours, or after a day once taken off staff', async () => {
  const ids = ['technician', 'owner', 'taken-off', 'overdue']
  const { tools, database } = await toolsWith(
    [
      account('technician', ago(72.9)),
      account('owner', ago(72.9)),
      account('taken-off', ago(25)),
      account('overdue', ago(73.1)),
    ],
    { begunHoursAgo: 100 },
  )
  for (const id of ids) {
    const staff = { owner: 'owner', 'taken-off': 'none' }[id] ?? 'technician'
    await database.sql(
      `insert into accounts (id, sub, link, staff) values (gen_random_uuid(), '${id}', 'none', '${staff}')`,
    )
  }
  expect(await expireAccounts.find(tools)).toEqual(['taken-off', 'overdue'])
})

test('an account unconfirmed after 15 minutes gets the required action UPDATE_PROFILE once', async () => {
  const { tools, nameRequests } = await toolsWith([
    account('waiting', ago(0.3)),
    account('asked', ago(0.3), { requiredActions: ['UPDATE_PROFILE'] }),
    account('just-made', ago(0.1)),
    account('older-than-the-first-apply', ago(73)),
  ])
  expect(await requireNameUpdate.find(tools)).toEqual(['waiting'])
  await requireNameUpdate.run('waiting', tools)
  expect(nameRequests).toEqual(['waiting'])
})
