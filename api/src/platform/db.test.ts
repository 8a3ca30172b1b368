import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startPostgres, type Postgres } from '../../../tools/stack/postgres.ts'
import { cloneDatabase } from '../../test/kit.ts'
import { watched } from '../../test/statements.ts'
import { openDb, type Db, type Runner } from './db.ts'

const PATIENT = '?options=-c%20statement_timeout%3D0'

describe('a statement without an answer', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>
  let db: Db
  beforeAll(async () => {
    database = await cloneDatabase({ isEmpty: true })
    db = openDb(`${database.url('gatehouse_app')}${PATIENT}`, { max: 3 })
  })
  afterAll(async () => {
    await db.close()
    await database.drop()
  })
  const sleep = (seconds: number) => db.query(sql`select pg_sleep(${seconds})`)
  const timed = async (run: Promise<unknown>) => {
    const started = performance.now()
    const code = await run.then(
      () => 'answered',
      (error: { code: string }) => error.code,
    )
    return { code, ms: performance.now() - started }
  }

  test('is ended with its connection after 2.8 s; younger ones beside it are not', async () => {
    const old = timed(sleep(20))
    await setTimeout(1_000)
    const young = timed(sleep(2.5))
    await setTimeout(200)
    expect(await timed(sleep(0))).toMatchObject({ code: 'answered' })
    const { code, ms } = await old
    expect(code).toBe('too-slow')
    expect(ms).toBeGreaterThan(2_700)
    expect(ms).toBeLessThan(3_500)
    expect(await young).toMatchObject({ code: 'answered' })
    expect(db.connections()).toMatchObject({ total: 2, idle: 2 })
  })

  test('is “database unavailable” where nothing else was answered either, also in a transaction', async () => {
    const [alone, within, last] = await Promise.all([
      timed(sleep(20)),
      timed(db.transaction((tx) => tx.query(sql`select pg_sleep(20)`))),
      timed(db.transaction((tx) => tx.last(sql`select pg_sleep(20)`))),
    ])
    expect([alone.code, within.code, last.code]).toEqual(Array(3).fill('database-unavailable'))
    expect(Math.max(alone.ms, within.ms)).toBeLessThan(3_500)
    // The server may cancel the statement after 2 s, and the wait of its commit after 2 more.
    expect(last.ms).toBeGreaterThan(4_000)
    expect(last.ms).toBeLessThan(5_500)
    expect(await timed(sleep(0))).toMatchObject({ code: 'answered' })
  })

  test('is noticed again after a pause', async () => {
    await setTimeout(3_000)
    expect((await timed(sleep(20))).ms).toBeLessThan(3_500)
  })

  test('a refused value leaves the connection in the pool', async () => {
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
    db = openDb(database.url('postgres'), { max: 1 })
    await db.query(sql`create table kept (value text)`)
  })
  afterAll(async () => {
    await db.close()
    await database.drop()
  })
  beforeEach(() => db.query(sql`truncate kept`))
  const insert = (value: string) => sql`insert into kept values (${value}) returning value`
  const kept = async () => (await db.query(sql`select value from kept`)).map(({ value }) => value)
  test('is sent with its statements: nothing else goes out', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const rows = await db.transaction(async (tx) => [
      ...(await tx.query(insert('first'))),
      ...(await tx.last(insert('last'))),
    ])
    expect(query).toHaveBeenCalledTimes(2)
    query.mockRestore()
    expect(rows).toEqual([{ value: 'first' }, { value: 'last' }])
    expect(await kept()).toEqual(['first', 'last'])
    expect(await db.transaction((tx) => tx.last(insert('only')))).toEqual([{ value: 'only' }])
    expect(await kept()).toEqual(['first', 'last', 'only'])
  })

  test('is committed after a last statement that is not named as such', async () => {
    await db.transaction((tx) => tx.query(insert('first')))
    expect(await kept()).toEqual(['first'])
    expect(await db.transaction(async () => 'nothing sent')).toBe('nothing sent')
  })

  test.each([
    ['fails', sql`select ('x' || now())::int`, '22P02'],
    ['can’t be parsed', sql`select nothing from nowhere`, '42P01'],
    ['has a value that is none of its type', sql`select ${'x'}::int`, '22P02'],
    ['has a value that can’t be written', sql`select ${sql.param({ big: 1n })}::jsonb`, undefined],
  ])('leaves nothing where its last statement %s', async (_, statement, code) => {
    const failed = db.transaction(async (tx) => {
      await tx.query(insert('first'))
      await tx.last(statement, 'prepared')
    })
    await expect(failed).rejects.toMatchObject(code ? { code } : { message: /BigInt/ })
    expect(await kept()).toEqual([])
  })

  test('leaves nothing where its first statement fails, which fails alike the next time', async () => {
    const statement = sql`select value from later`
    for (let time = 0; time < 2; time++)
      await expect(db.transaction((tx) => tx.last(statement, 'prepared'))).rejects.toMatchObject({
        code: '42P01',
      })
    await db.query(sql`create table later (value text)`)
    expect(await db.transaction((tx) => tx.last(statement, 'prepared'))).toEqual([])
  })

  test('is over after its last statement', async () => {
    const more = db.transaction(async (tx) => {
      await tx.last(insert('last'))
      await tx.query(insert('more'))
    })
    await expect(more).rejects.toThrow('the transaction is over')
    expect(await kept()).toEqual(['last'])
  })

  describe('with something ahead of it', () => {
    const counting = (check: (rows: unknown) => void = () => {}) => ({
      statements: [{ text: `insert into kept values ('ahead') returning value`, values: [] }],
      check: ([rows]: unknown[][]) => check(rows),
      isOwn: true,
    })
    const refuse = () => {
      throw new Error('refused')
    }

    test('is one message with its first statement, and told first', async () => {
      const told: unknown[] = []
      const { result, messages } = await watched(() =>
        db.transaction(
          async (tx) => [...(await tx.query(insert('own'))), ...(await tx.last(insert('last')))],
          counting((rows) => told.push(rows)),
        ),
      )
      expect({ result, messages, told }).toEqual({
        result: [{ value: 'own' }, { value: 'last' }],
        messages: 2,
        told: [[{ value: 'ahead' }]],
      })
      expect(await kept()).toEqual(['ahead', 'own', 'last'])
    })

    test.each([
      ['refuses', () => [sql`select 1`], refuse, 'refused'],
      ['is told before a statement that fails', () => [sql`select 'x'::int`], refuse, 'refused'],
      ['comes before a statement that fails', () => [sql`select 'x'::int`], () => {}, /integer/],
      ['comes before a refusal without any statement', () => [], () => {}, 'no statement'],
      ['refuses where there is no statement', () => [], refuse, 'refused'],
    ])('stays, once, where it %s; the transaction does not', async (_, first, check, message) => {
      const failed = db.transaction(async (tx) => {
        for (const statement of first()) await tx.query(statement)
        await Promise.reject(new Error('no statement'))
      }, counting(check))
      await expect(failed).rejects.toThrow(message)
      expect(await kept()).toEqual(['ahead'])
    })

    test('is told before the commit of a statement that is first and last', async () => {
      expect(await db.transaction((tx) => tx.last(insert('own')), counting())).toHaveLength(1)
      const failed = db.transaction((tx) => tx.last(insert('refused')), counting(refuse))
      await expect(failed).rejects.toThrow('refused')
      expect(await kept()).toEqual(['ahead', 'own', 'ahead'])
    })

    test('refuses also where its refusal is passed over', async () => {
      const failed = db.transaction(async (tx) => {
        await tx.query(insert('first')).catch(() => {})
        await tx.query(insert('second')).catch(() => {})
      }, counting(refuse))
      await expect(failed).rejects.toThrow('refused')
      expect(await kept()).toEqual(['ahead'])
    })

    test('is part of it unless it is one of its own', async () => {
      const part = { ...counting(), isOwn: false }
      const failed = db.transaction(async (tx) => {
        await tx.query(insert('own'))
        throw new Error('rolled back')
      }, part)
      await expect(failed).rejects.toThrow('rolled back')
      expect(await kept()).toEqual([])
      await db.transaction((tx) => tx.last(insert('own')), part)
      expect(await kept()).toEqual(['ahead', 'own'])
    })

    test('leaves the connection as it was where it fails itself', async () => {
      const statements = [{ text: `select 'x'::int`, values: [] }]
      const broken = { statements, check: () => {}, isOwn: true }
      for (const run of [async () => 'nothing', () => Promise.reject(new Error('no statement'))]) {
        await expect(db.transaction(run, broken)).rejects.toThrow(/integer/)
        expect(await kept()).toEqual([])
      }
    })

    test('is asked alone where nothing follows, and never lets a reading through that it refuses', async () => {
      expect(await db.transaction(async () => 'nothing', counting())).toBe('nothing')
      expect(await db.after(counting(), async () => 'nothing')).toBe('nothing')
      expect(await kept()).toEqual(['ahead', 'ahead'])
      for (const read of [async () => [], (tx: Runner) => tx.query(sql`select 1`)])
        await expect(db.after(counting(refuse), read)).rejects.toThrow('refused')
    })

    test('a failure that was passed over is not taken for a commit', async () => {
      const done = db.transaction(async (tx) => {
        await tx.query(sql`select 'x'::int`).catch(() => {})
      })
      await expect(done).rejects.toThrow('has failed before its commit')
    })
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
    db = openDb(postgres.url('postgres', 'postgres'), { max: 1 })
  })
  afterAll(async () => {
    await db.close()
    await admin.end()
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  })
  /** Ends the wait as an operator would: the commit stays, with a warning. */
  const endWait = () =>
    vi.waitFor(async () => {
      const { rowCount } = await admin.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
      )
      expect(rowCount).toBe(1)
    })
  const isAsked = async () => {
    const { rows } = await admin.query('show synchronous_standby_names')
    expect(rows).toEqual([{ synchronous_standby_names: 'absent' }])
  }
  const insert = (value: string) => sql`insert into kept values (${value})`

  test.each([
    ['a statement alone', () => db.query(insert('alone'))],
    ['a transaction', () => db.transaction((tx) => tx.query(insert('within')))],
    ['a transaction’s last statement', () => db.transaction((tx) => tx.last(insert('last')))],
  ])('is “outcome unknown”: %s', async (_, write) => {
    await admin.query('select pg_reload_conf()')
    await vi.waitFor(isAsked)
    const writing = write().then(
      () => 'answered',
      (error: { code: string }) => error.code,
    )
    await endWait()
    expect(await writing).toBe('outcome-unknown')
    expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }])
  })

  test('another warning of its code is none', async () => {
    const warn = sql`do $$ begin raise warning 'odd'; end $$`
    expect(await db.query(warn)).toEqual([])
    expect(await db.transaction((tx) => tx.query(warn))).toEqual([])
  })
})
