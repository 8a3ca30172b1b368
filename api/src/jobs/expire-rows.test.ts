import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAppendOnly, storeOf } from '#platform/define-table.ts'
import { startTest, type Test } from '../../test/kit.ts'
import { allTables } from '../schema.ts'
import { PRODUCT_TABLES } from '../product.ts'
import { JOBS } from './index.ts'
import { buildRowExpiry, expireRows } from './expire-rows.ts'

const TABLES = allTables(PRODUCT_TABLES)
/** Append-only tables expire by the database clock; see engine/history/append-only.test.ts. */
const EXPIRING = TABLES.filter((table) => storeOf(table).expires && !isAppendOnly(table))
/** Maximum delay of a deletion: the poll interval plus five minutes of work. */
const MAX_DELAY = '15 minutes'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

test('the expiry job polls every ten minutes', () => {
  expect(expireRows.pollMs).toBe(600_000)
  expect(JOBS).toContain(expireRows)
})

test.each(EXPIRING.map((table) => [getTableName(table), table] as const))(
  'rows of %s expire within fifteen minutes after their retention period, never before its end',
  async (name, table) => {
    const { column, term, reduce } = storeOf(table).expires ?? { column: '', term: '' }
    const atMost = (when: string) => buildRowExpiry(t.db, TABLES, sql.raw(`(${when})`))
    const started = await t.database.sql(`select now()`)
    const start = `timestamptz '${new Date(started[0]?.['now'] as string).toISOString()}'`
    await t.database.sql(`truncate ${name}`)
    await t.database.sql(insertInto(table, column, start))
    const left = async () =>
      (
        await t.database.sql(
          `select from ${name} where ${reduce ? 'recipient is not null' : 'true'}`,
        )
      ).length

    // A date begins at midnight.
    const slack = isDate(table, column) ? '24 hours 1 second' : '1 second'
    const early = atMost(`${start} + interval '${term}' - interval '${slack}'`)
    expect(await early.due()).not.toContain(name)
    expect(await left()).toBe(1)

    const late = atMost(`${start} + interval '${term}' + interval '${MAX_DELAY}'`)
    expect(await late.due()).toContain(name)
    await late.expire(name)
    expect(await left()).toBe(0)
    expect(await late.due()).not.toContain(name)
  },
)

test('one expiry run deletes more than a batch of rows, and a second run deletes nothing', async () => {
  await t.database.sql(`truncate write_counts; insert into write_counts (caller, minute, count)
    select 'someone ' || n, now() - interval '6 minutes', 1 from generate_series(1, 2500) n`)
  await t.database.sql(`insert into write_counts values ('someone', now(), 1)`)
  expect(await t.rowExpiry.due()).toEqual(['write_counts'])
  await t.rowExpiry.expire('write_counts')
  expect(await t.database.sql('select caller from write_counts')).toEqual([{ caller: 'someone' }])
  expect(await t.rowExpiry.due()).toEqual([])
})

test('every table declares the personal data of each of its columns', () => {
  for (const table of TABLES) {
    const { holds } = storeOf(table)
    if (typeof holds === 'string') continue
    const columns = Object.values(getTableColumns(table)).map(({ name }) => name)
    expect(Object.keys(holds).toSorted()).toEqual(columns.toSorted())
  }
})

const isDate = (table: PgTable, column: string) =>
  Object.values(getTableColumns(table)).some(
    (one) => one.name === column && one.getSQLType() === 'date',
  )

/** One row with a value in every column, and `start` in `column`. */
function insertInto(table: PgTable, column: string, start: string) {
  const values = Object.values(getTableColumns(table)).map((one) => {
    if (one.name === column) return isDate(table, column) ? `(${start})::date` : start
    const type = one.getSQLType()
    if (type === 'uuid') return 'gen_random_uuid()'
    if (type === 'jsonb') return `'{}'`
    if (type === 'boolean') return 'true'
    if (type.endsWith('[]')) return `'{}'`
    if (type.startsWith('timestamp') || type === 'date') return start
    return `'1'`
  })
  return `insert into ${getTableName(table)} values (${values.join(', ')})`
}
