import { afterAll, beforeAll, expect, test } from 'vitest'
import { setTimeout } from 'node:timers/promises'
import { connectDb, type Db } from '#platform/db.ts'
import {
  ADMIN,
  ALICE,
  cloneDatabase,
  startTest,
  type Database,
  type Test,
} from '../../../test/kit.ts'
import { fixture } from '../../../test/fixture.ts'
import { buildSecurityLog } from './security-log.ts'
import { recordSecurityEvents } from './store-events.ts'

const SILENT = { warn: () => {} }
const events = (database: Database) =>
  database.sql(`select kind, outcome, model, record, sid, source_id,
      (select sub from subject_refs where ref = actor_ref) as actor,
      (select sub from subject_refs where ref = about_ref) as about
    from security_events order by id`)

let database: Database
let db: Db
beforeAll(async () => {
  database = await cloneDatabase()
  db = connectDb(database.url('gatehouse_app'), { max: 2 })
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

test('a security event is written within a second, once even if recorded repeatedly, and counted by hour', async () => {
  const at = new Date('2026-02-03T04:05:06Z')
  const event = {
    kind: 'denied',
    outcome: 'forbidden',
    actor: { sub: 'sub-1' },
    at,
    once: 'a',
  } as const
  for (const replica of [1, 2]) {
    const log = buildSecurityLog({ db, logger: SILENT })
    for (const time of [1, 2]) log.record({ ...event, sid: `session ${replica}${time}` })
    await setTimeout(1_000)
    expect(await events(database)).toMatchObject([{ kind: 'denied', actor: 'sub-1', about: null }])
    await log.close()
  }
  const [row] = await events(database)
  // Hashed: neither the session nor the deduplication key can be read back.
  expect([row?.['sid'], row?.['source_id']]).toEqual([
    expect.stringMatching(/^[\w-]{43}$/),
    expect.stringMatching(/^[\w-]{43}$/),
  ])
  expect(await database.sql('select * from security_event_counts')).toMatchObject([
    { hour: new Date('2026-02-03T04:00:00Z'), kind: 'denied', count: 1 },
  ])
})

test('closing the security log flushes buffered events', async () => {
  const log = buildSecurityLog({ db, logger: SILENT })
  for (let n = 0; n < 600; n++) log.record({ kind: 'read', actor: { sub: 'sub-2' } })
  await log.close()
  const [row] = await database.sql(`select count(*)::int from security_events where kind = 'read'`)
  expect(row).toEqual({ count: 600 })
})

test('while the database is unavailable, security events are buffered up to a limit and no request fails', async () => {
  let isAway = true
  const away: Db['query'] = (...statement) =>
    isAway ? Promise.reject(new Error('away')) : db.query(...statement)
  const warnings: object[] = []
  const log = buildSecurityLog({
    db: { query: away },
    logger: { warn: (facts: object) => warnings.push(facts) } as never,
    bufferedMax: 3,
  })
  for (let n = 0; n < 5; n++) log.record({ kind: 'exported', actor: { sub: 'sub-3' } })
  await setTimeout(700)
  isAway = false
  await setTimeout(1_500)
  const [row] = await database.sql(
    `select count(*)::int from security_events where kind = 'exported'`,
  )
  expect(row).toEqual({ count: 3 })
  expect(warnings).toContainEqual({ lost: 2 })
  await log.close()
})

test('a security event is committed with its change, or not at all', async () => {
  const event = { kind: 'purged', actor: { ref: null }, model: 'tickets' } as const
  await db
    .transaction(async (tx) => {
      await recordSecurityEvents(tx, [event])
      throw new Error('no')
    })
    .catch(() => {})
  expect(await database.sql(`select from security_events where kind = 'purged'`)).toEqual([])
})

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

test('rejected requests and step-ups of signed-in callers are recorded without a name', async () => {
  for (let n = 0; n < 3; n++) await t.call('GET', '/api/system', ALICE)
  const weak = { ...ADMIN, acr: 'session' }
  await t.call('GET', '/api/system', weak)
  await t.call('GET', '/api/system')
  await setTimeout(1_000)
  const rows = await events(t.database)
  expect(rows.filter(({ kind }) => kind === 'denied')).toMatchObject([
    { outcome: 'forbidden', actor: ALICE.sub },
    { outcome: 'proof', actor: ADMIN.sub },
  ])
  // ALICE's tokens contain a recent step-up.
  expect(rows.filter(({ kind }) => kind === 'step-up')).toMatchObject([{ actor: ALICE.sub }])
  expect(JSON.stringify(rows)).not.toContain(ALICE.name)
})

test('a purge records a security event', async () => {
  const { path } = fixture.group
  const created = await t.call('POST', `/api/${path}`, ADMIN, {
    body: { name: 'Gone' },
  })
  expect(created.status).toBe(201)
  await t.call('DELETE', `/api/${path}/${created.json.id}`, ADMIN)
  expect((await t.call('POST', `/api/${path}/${created.json.id}/purge`, ADMIN)).status).toBe(204)
  const rows = await events(t.database)
  expect(rows.filter(({ kind }) => kind === 'purged')).toMatchObject([
    { actor: ADMIN.sub, model: path, record: created.json.id },
  ])
})
