import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { connectDb, type Db } from '#platform/db.ts'
import { cloneDatabase, sqlOn, type Database } from '../../../test/kit.ts'
import { buildTokenCheck } from './check-token.ts'
import { buildRevocations, type Revocation } from './revocations.ts'
import { revoke, revokeSessions } from './revoke.ts'
import { REVOCATION_HOURS } from './session-life.ts'
import { watchRevocations } from './watch-revocations.ts'

const SILENT = { warn: () => {} }
const seconds = (ms = Date.now()) => Math.floor(ms / 1000)
const token = (changes: object = {}) => ({
  sub: 'sub-1',
  sid: 's-1',
  issuedAt: seconds(),
  firstStepAt: null,
  ...changes,
})

const row = (changes: Partial<Revocation> = {}): Revocation => ({
  sub: 'sub-1',
  sid: null,
  notBefore: new Date().toISOString(),
  endsSessions: false,
  sparedSid: null,
  ...changes,
})

let database: Database
let db: Db
const replicas: ReturnType<typeof startReplica>[] = []
beforeAll(async () => {
  database = await cloneDatabase()
  db = connectDb(database.url('gatehouse_app'), { max: 2 })
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

test('every replica rejects tokens issued before a revocation within a second, and accepts later ones', async () => {
  const both = [startReplica(), startReplica()]
  replicas.push(...both)
  await Promise.all(both.map(({ loaded }) => loaded))
  const now = new Date()
  await revoke(db, { sub: 'sub-1' }, now)
  await setTimeout(900)
  for (const { isRevoked } of both) {
    expect(isRevoked(token({ issuedAt: seconds(now.getTime()) - 1 }))).toBe(true)
    // Tokens have whole seconds: this one may be older.
    expect(isRevoked(token({ issuedAt: seconds(now.getTime()) }))).toBe(true)
    expect(isRevoked(token({ issuedAt: seconds(now.getTime()) + 1 }))).toBe(false)
    expect(isRevoked(token({ sub: 'sub-2' }))).toBe(false)
  }
})

test('a replica that starts after a revocation applies it, and accepts no token until it has loaded', async () => {
  const late = startReplica()
  replicas.push(late)
  expect(() => late.isRevoked(token())).toThrow('temporarily unavailable')
  await late.loaded
  expect(late.isRevoked(token({ issuedAt: seconds() - 60 }))).toBe(true)
})

test('tokens of a revoked session are rejected, even if issued later', async () => {
  const [one] = replicas
  await revoke(db, { sid: 's-gone' })
  await vi.waitFor(() =>
    expect(one?.isRevoked(token({ sub: 'x', sid: 's-gone', issuedAt: seconds() + 60 }))).toBe(true),
  )
  expect(one?.isRevoked(token({ sub: 'x', sid: null }))).toBe(false)
})

test('a revocation without sub and sid revokes the tokens of all accounts', async () => {
  const { isRevoked, add } = buildRevocations()
  add([row({ sub: null, notBefore: new Date(10_000).toISOString() })])
  expect([10, 11].map((issuedAt) => isRevoked(token({ issuedAt })))).toEqual([true, false])
})

test('revocations made while the LISTEN connection was lost apply once it is back', async () => {
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

test('one replica reads the provider’s log, and another takes over within 6 seconds after it stops', async () => {
  const readers = [startReplica(true), startReplica(true)]
  await Promise.all(readers.map(({ loaded }) => loaded))
  await vi.waitFor(() => expect(readers.filter(({ isReader }) => isReader())).toHaveLength(1))
  const first = readers.find(({ isReader }) => isReader())
  const second = readers.find((one) => one !== first)
  await first?.stop()
  await vi.waitFor(() => expect(second?.isReader()).toBe(true), { timeout: 6_000 })
  await second?.stop()
})

describe('revoked sessions', () => {
  const NOW = seconds()
  const ENDED = new Date(NOW * 1_000).toISOString()
  const refusal = (rows: Revocation[], changes: object) => {
    const { add, refusalOf } = buildRevocations()
    add(rows)
    return refusalOf(token({ issuedAt: NOW + 60, ...changes }))
  }
  const ended = (changes: Partial<Revocation> = {}) =>
    row({ endsSessions: true, notBefore: ENDED, ...changes })

  test('a token is rejected if the first step of its sign-in precedes the revocation, even if issued later', () => {
    expect(refusal([ended()], { firstStepAt: NOW - 1 })).toBe('revived')
    expect(refusal([ended()], { firstStepAt: NOW - 1, sid: 's-without-a-session-yet' })).toBe(
      'revived',
    )
    expect(refusal([ended()], { firstStepAt: NOW - 1, issuedAt: NOW - 1 })).toBe('revoked')
    expect(refusal([ended()], { firstStepAt: NOW + 1 })).toBeNull()
    expect(refusal([ended({ sub: null })], { firstStepAt: NOW - 1 })).toBe('revived')
  })

  test('a token without a first step is checked by its time of issue and session ID', () => {
    expect(refusal([ended()], { issuedAt: NOW })).toBe('revoked')
    expect(refusal([ended()], {})).toBeNull()
    expect(refusal([ended({ sid: 's-1' })], {})).toBe('revived')
  })

  test('the spared session continues until it is ended too', () => {
    const spared = ended({ sparedSid: 's-1' })
    expect(refusal([spared], { firstStepAt: NOW - 60 })).toBeNull()
    expect(refusal([spared], { firstStepAt: NOW - 60, sid: 's-2' })).toBe('revived')
    const elsewhere = ended({ sparedSid: 's-2' })
    expect(refusal([spared, elsewhere], { firstStepAt: NOW - 60 })).toBe('revived')
    expect(refusal([spared, ended({ sid: 's-1' })], { firstStepAt: NOW - 60 })).toBe('revived')
  })

  test('a new sign-in is accepted even if the provider reuses the ID of the ended session', () => {
    expect(refusal([ended({ sid: 's-1' })], { firstStepAt: NOW + 1 })).toBeNull()
  })

  test('a token revocation rejects tokens by their time of issue, and keeps their sessions', () => {
    const promoted = row({ notBefore: ENDED })
    expect(refusal([promoted], { firstStepAt: NOW - 60, issuedAt: NOW })).toBe('revoked')
    expect(refusal([promoted], { firstStepAt: NOW - 60 })).toBeNull()
  })

  test('a token is rejected if its first step is older than the retention period of revocations', () => {
    const tooOld = NOW - REVOCATION_HOURS * 3_600
    expect(refusal([], { firstStepAt: tooOld - 1 })).toBe('revived')
    expect(refusal([], { firstStepAt: tooOld + 60 })).toBeNull()
  })

  test('thousands of sign-outs of one account are merged by time, and all their sessions are rejected', () => {
    const { add, refusalOf } = buildRevocations()
    const all = Array.from({ length: 5_000 }, (_, n) =>
      ended({ sid: `s-${n}`, notBefore: new Date((NOW - 5_000 + n) * 1_000).toISOString() }),
    )
    add(all)
    for (const n of [0, 2_500, 4_999])
      expect(refusalOf(token({ sid: `s-${n}`, firstStepAt: NOW - 5_001 + n }))).not.toBeNull()
    expect(refusalOf(token({ sid: 's-new', firstStepAt: NOW }))).toBeNull()
    expect(refusalOf(token({ sub: 'sub-2', sid: 's-x', firstStepAt: 1 + NOW - 6_000 }))).toBeNull()
  })

  test('a revocation is evicted once no session it applies to can be left', () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const { add, isRevoked } = buildRevocations()
      add([ended({ sid: 's-1' })])
      vi.setSystemTime(Date.now() + (REVOCATION_HOURS - 0.1) * 3_600_000)
      add([])
      expect(isRevoked(token({ issuedAt: seconds() }))).toBe(true)
      vi.setSystemTime(Date.now() + 720_000)
      add([])
      expect(isRevoked(token({ issuedAt: seconds() }))).toBe(false)
    } finally {
      vi.useRealTimers()
    }
  })

  test('a revoked session that still issues tokens is ended at the provider, at most once a minute', () => {
    const sids: string[] = []
    const { add, refusalOf } = buildRevocations()
    add([ended()])
    const directory = { endSession: async (sid: string) => void sids.push(sid) as never }
    const isRefused = buildTokenCheck({ revocations: { refusalOf }, directory, logger: SILENT })
    const revived = token({ issuedAt: NOW + 60, firstStepAt: NOW - 1 })
    expect([isRefused(revived), isRefused(revived)]).toEqual([true, true])
    // Issued before: the ID may belong to a new session by now.
    expect(isRefused(token({ sid: 's-2', issuedAt: NOW - 1, firstStepAt: NOW - 1 }))).toBe(true)
    expect(sids).toEqual(['s-1'])
  })
})

test('revokeSessions revokes sessions seen here and those the provider names, except the spared one', async () => {
  const late = startReplica()
  replicas.push(late)
  await database.sql(
    `insert into sessions_seen (id, sid, sub, browser, system)
      select gen_random_uuid(), sid, 'sub-s', 'Firefox', 'Linux' from unnest(array['seen', 'spared']) sid`,
  )
  await revokeSessions(db, { sub: 'sub-s', sids: ['named', 'spared'], spared: 'spared' })
  const isRevoked = (sid: string, firstStepAt: number | null = null) =>
    late.isRevoked(token({ sub: 'sub-s', sid, issuedAt: seconds() + 60, firstStepAt }))
  await vi.waitFor(() => expect(isRevoked('seen')).toBe(true))
  expect(['named', 'spared', 'other'].map((sid) => isRevoked(sid))).toEqual([true, false, false])
  expect(['spared', 'other'].map((sid) => isRevoked(sid, seconds() - 5))).toEqual([false, true])
  expect(await database.sql(`select sid from sessions_seen where sub = 'sub-s'`)).toEqual([
    { sid: 'spared' },
  ])
})

test('a starting replica loads 50,000 revocations before its query times out', async () => {
  await database.sql(
    `insert into revocations (id, sub, sid, not_before, ends_sessions)
      select gen_random_uuid(), 'sub-' || n % 1000, 's-' || n, now(), true from generate_series(1, 50000) n`,
  )
  const late = startReplica()
  replicas.push(late)
  await late.loaded
  expect(late.isRevoked(token({ sub: 'sub-0', sid: 's-50000', issuedAt: seconds() + 60 }))).toBe(
    true,
  )
})
