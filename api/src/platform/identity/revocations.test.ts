import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openDb, type Db } from '#platform/db.ts'
import { cloneDatabase, sqlOn, type Database } from '../../../test/kit.ts'
import { buildRevocations } from './revocations.ts'
import { revoke } from './revoke.ts'
import { watchRevocations } from './watch.ts'

const SILENT = { warn: () => {} }
const seconds = (ms = Date.now()) => Math.floor(ms / 1000)
const token = (changes: object = {}) => ({
  sub: 'sub-1',
  sid: 's-1',
  issuedAt: seconds(),
  ...changes,
})

let database: Database
let db: Db
const replicas: ReturnType<typeof startReplica>[] = []
beforeAll(async () => {
  database = await cloneDatabase()
  db = openDb(database.url('gatehouse_app'), { max: 2 })
})
afterAll(async () => {
  await Promise.all(replicas.map(({ stop }) => stop()))
  await db.close()
  await database.drop()
})

function startReplica(canRead = false) {
  const revocations = buildRevocations()
  const url = database.url('gatehouse_app')
  const watch = watchRevocations({ databaseUrl: url, revocations, canRead, logger: SILENT })
  return { ...watch, ...revocations }
}

test('every replica refuses tokens from before, within a second, and accepts those from after', async () => {
  const both = [startReplica(), startReplica()]
  replicas.push(...both)
  await Promise.all(both.map(({ loaded }) => loaded))
  const now = new Date()
  await revoke(db, { sub: 'sub-1' }, now)
  await setTimeout(900)
  for (const { isRevoked } of both) {
    expect(isRevoked(token({ issuedAt: seconds(now.getTime()) - 1 }))).toBe(true)
    // Tokens tell whole seconds: this one may be older.
    expect(isRevoked(token({ issuedAt: seconds(now.getTime()) }))).toBe(true)
    expect(isRevoked(token({ issuedAt: seconds(now.getTime()) + 1 }))).toBe(false)
    expect(isRevoked(token({ sub: 'sub-2' }))).toBe(false)
  }
})

test('a replica that starts later knows what was revoked, and until it does accepts nobody', async () => {
  const late = startReplica()
  replicas.push(late)
  expect(() => late.isRevoked(token())).toThrow('temporarily unavailable')
  await late.loaded
  expect(late.isRevoked(token({ issuedAt: seconds() - 60 }))).toBe(true)
})

test('a session that has ended stays ended, whenever its token was issued', async () => {
  const [one] = replicas
  await revoke(db, { sid: 's-gone' })
  await vi.waitFor(() =>
    expect(one?.isRevoked(token({ sub: 'x', sid: 's-gone', issuedAt: seconds() + 60 }))).toBe(true),
  )
  expect(one?.isRevoked(token({ sub: 'x', sid: null }))).toBe(false)
})

test('everyone can be signed out together', async () => {
  const { isRevoked, add } = buildRevocations()
  add([{ sub: null, sid: null, notBefore: new Date(10_000).toISOString() }])
  expect([10, 11].map((issuedAt) => isRevoked(token({ issuedAt })))).toEqual([true, false])
})

test('what was revoked while the connection was lost is heard after it', async () => {
  const [one] = replicas
  await sqlOn(
    database.url('postgres'),
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'gatehouse notifications' and datname = current_database()`,
  )
  await revoke(db, { sub: 'sub-lost' })
  await vi.waitFor(
    () => expect(one?.isRevoked(token({ sub: 'sub-lost', issuedAt: 0 }))).toBe(true),
    { timeout: 4_000 },
  )
})

test('one replica reads the provider’s log; when it is gone another takes over within seconds', async () => {
  const readers = [startReplica(true), startReplica(true)]
  await Promise.all(readers.map(({ loaded }) => loaded))
  await vi.waitFor(() => expect(readers.filter(({ isReader }) => isReader())).toHaveLength(1))
  const first = readers.find(({ isReader }) => isReader())
  const second = readers.find((one) => one !== first)
  await first?.stop()
  await vi.waitFor(() => expect(second?.isReader()).toBe(true), { timeout: 6_000 })
  await second?.stop()
})
