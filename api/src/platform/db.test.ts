import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startPostgres, type Postgres } from '../../../tools/stack/postgres.ts'
import { cloneDatabase } from '../../test/kit.ts'
import { connectDb, type Db, type Runner } from './db.ts'

const NO_TIMEOUT = '?options=-c%20statement_timeout%3D0'

describe('a statement without a response', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  let db: Db
  beforeAll(async () => {
    database = await cloneDatabase({ isEmpty: true })
    db = connectDb(`${database.url('gatehouse_app')}${NO_TIMEOUT}`, { max: 3 })
  })
  afterAll(async () => {
    await db.close()
    await database.drop()
  })
  const sleep = (seconds: number) => db.query(sql`select pg_sleep(${seconds})`)
  const timed = async (run: Promise<unknown>) => {
    const started = performance.now()
    const code = await run.then(
      () => 'resolved',
      (error: { code: string }) => error.code,
    )
    return { code, ms: performance.now() - started }
  }

  test('a statement without a response is ended with its connection after 2.8 s; younger ones are not', async () => {
    const old = timed(sleep(20))
    await setTimeout(1_000)
    const young = timed(sleep(2.5))
    await setTimeout(200)
    expect(await timed(sleep(0))).toMatchObject({ code: 'resolved' })
    const { code, ms } = await old
    expect(code).toBe('too-slow')
    expect(ms).toBeGreaterThan(2_700)
    expect(ms).toBeLessThan(3_500)
    expect(await young).toMatchObject({ code: 'resolved' })
    expect(db.connections()).toMatchObject({ total: 2, idle: 2 })
  })

  test('a statement without a response is “database unavailable” if no other gets one, including in a transaction', async () => {
    const [alone, within] = await Promise.all([
      timed(sleep(20)),
      timed(db.transaction((tx) => tx.query(sql`select pg_sleep(20)`))),
    ])
    expect([alone.code, within.code]).toEqual(Array(2).fill('database-unavailable'))
    expect(Math.max(alone.ms, within.ms)).toBeLessThan(3_500)
    expect(await timed(sleep(0))).toMatchObject({ code: 'resolved' })
  })

  test('a statement without a response still times out after an idle period', async () => {
    await setTimeout(3_000)
    expect((await timed(sleep(20))).ms).toBeLessThan(3_500)
  })

  test('a rejected value keeps the connection in the pool', async () => {
    const pid = async () => (await db.query(sql`select pg_backend_pid() as pid`))[0]?.['pid']
    const before = await pid()
    await expect(db.query(sql`select 'x'::text::int`)).rejects.toMatchObject({ code: '22P02' })
    expect(await pid()).toBe(before)
  })
})

describe('a transaction', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  let db: Db
  beforeAll(async () => {
    database = await cloneDatabase({ isEmpty: true })
    db = connectDb(database.url('postgres'), { max: 1 })
    await db.query(sql`create table kept (value text)`)
  })
  afterAll(async () => {
    await db.close()
    await database.drop()
  })
  beforeEach(() => db.query(sql`truncate kept`))
  const insert = (value: string) => sql`insert into kept values (${value}) returning value`
  const kept = async () => (await db.query(sql`select value from kept`)).map(({ value }) => value)
  test('a transaction commits when its callback returns', async () => {
    await db.transaction((tx) => tx.query(insert('first')))
    expect(await kept()).toEqual(['first'])
    expect(await db.transaction(async () => 'nothing sent')).toBe('nothing sent')
  })

  test.each([
    ['fails', sql`select ('x' || now())::int`, '22P02'],
    ['can’t be parsed', sql`select nothing from nowhere`, '42P01'],
    ['has a value of the wrong type', sql`select ${'x'}::int`, '22P02'],
    [
      'has a value that can’t be serialised',
      sql`select ${sql.param({ big: 1n })}::jsonb`,
      undefined,
    ],
  ])('a transaction is rolled back if its last statement %s', async (_, statement, code) => {
    const failed = db.transaction(async (tx) => {
      await tx.query(insert('first'))
      await tx.query(statement, 'prepared')
    })
    await expect(failed).rejects.toMatchObject(code ? { code } : { message: /BigInt/ })
    expect(await kept()).toEqual([])
  })

  test('a prepared statement on a missing table fails the same way each time, and succeeds once the table exists', async () => {
    const statement = sql`select value from later`
    for (let time = 0; time < 2; time++)
      await expect(db.transaction((tx) => tx.query(statement, 'prepared'))).rejects.toMatchObject({
        code: '42P01',
      })
    await db.query(sql`create table later (value text)`)
    expect(await db.transaction((tx) => tx.query(statement, 'prepared'))).toEqual([])
  })

  test('a transaction rejects statements sent after it has ended', async () => {
    const used: Runner[] = []
    await db.transaction(async (tx) => {
      used.push(tx)
    })
    await expect(
      db.transaction(async (tx) => {
        used.push(tx)
        throw new Error('rejected')
      }),
    ).rejects.toThrow('rejected')
    for (const tx of used)
      await expect(tx.query(insert('late'))).rejects.toThrow('transaction already ended')
    expect(await kept()).toEqual([])
  })

  test('a transaction rejects if its caller swallows a failed statement', async () => {
    const done = db.transaction(async (tx) => {
      await tx.query(sql`select 'x'::int`).catch(() => {})
    })
    await expect(done).rejects.toThrow('statement failed before COMMIT')
  })
})

describe('a commit that no standby has confirmed', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-standby-'))
  let postgres: Postgres
  let admin: pg.Client
  let db: Db
  beforeAll(async () => {
    postgres = await startPostgres({ directory })
    admin = new pg.Client({
      connectionString: `${postgres.url('postgres', 'postgres')}?options=-c%20synchronous_commit%3Dlocal`,
    })
    await admin.connect()
    await admin.query(`create table kept (value text)`)
    await admin.query(`alter system set synchronous_standby_names = 'absent'`)
    db = connectDb(postgres.url('postgres', 'postgres'), { max: 1 })
  })
  afterAll(async () => {
    await db.close()
    await admin.end()
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  /** Ends the wait as an operator would: the commit is kept, with a warning. */
  const endWait = () =>
    vi.waitFor(async () => {
      const { rowCount } = await admin.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
      )
      expect(rowCount).toBe(1)
    })
  const isStandbyRequired = async () => {
    const { rows } = await admin.query('show synchronous_standby_names')
    expect(rows).toEqual([{ synchronous_standby_names: 'absent' }])
  }
  const insert = (value: string) => sql`insert into kept values (${value})`

  test.each([
    ['autocommit', () => db.query(insert('alone'))],
    ['transaction', () => db.transaction((tx) => tx.query(insert('within')))],
  ])('a commit that no standby has confirmed is “outcome unknown”: %s', async (_, write) => {
    await admin.query('select pg_reload_conf()')
    await vi.waitFor(isStandbyRequired)
    const writing = write().then(
      () => 'resolved',
      (error: { code: string }) => error.code,
    )
    await endWait()
    expect(await writing).toBe('outcome-unknown')
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  test('warnings other than SyncRepWaitForLSN do not make a commit unconfirmed', async () => {
    const warn = sql`do $$ begin raise warning 'odd'; end $$`
    expect(await db.query(warn)).toEqual([])
    expect(await db.transaction((tx) => tx.query(warn))).toEqual([])
  })
})
