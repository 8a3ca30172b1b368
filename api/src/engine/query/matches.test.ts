import {
  factsOf,
  fieldsOf,
  matches,
  type Condition,
  type Field,
  type Filter,
  type Operator,
} from '@gatehouse/model'
import { kitchensink, models } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEngine, type Engine } from '#engine/engine.ts'
import { snakeCase } from '#engine/table-names.ts'
import { buildTables, type Table } from '#engine/build-tables.ts'
import type { Row } from '#platform/db.ts'
import { CONFIG, startTest, type Test } from '../../../test/kit.ts'
import { toSql } from './filter.ts'

const RUNS = 400
const ROWS = 60
const ME = 'sub-of-mine'
const CONTEXT = { today: '2026-01-31', now: '2026-01-31T10:00:00.000Z' }
const IDS = ['11111111-1111-7111-8111-1111111111ab', '22222222-2222-7222-8222-2222222222cd']

const FIELDS = fieldsOf(kitchensink)
const table = buildTables([...models, kitchensink]).get('kitchensink') as Table

let api: Test
let engine: Engine
let rows: Row[]
beforeAll(async () => {
  api = await startTest()
  const { site, owner: desk } = CONFIG
  engine = buildEngine({ db: api.db, site, desk, models: [...models, kitchensink] })
  await api.database.sql(
    `insert into organisations (id, name, country, sla_tier)
      select unnest($1::uuid[]), 'Organisation', 'IE', 'None'`,
    [IDS],
  )
  const samples = fc.sample(record, { numRuns: ROWS, seed: 20_260_131 })
  const columns = Object.keys(samples[0] ?? {}).map((name) => `"${name}"`)
  await api.database.sql(
    `insert into kitchensink (${columns.join()})
      select ${columns.join()} from jsonb_populate_recordset(null::kitchensink, $1)`,
    [JSON.stringify(samples)],
  )
  const fields = FIELDS.map(([name]) => sql`${table[name]} as ${sql.identifier(name)}`)
  rows = await api.db.query(sql`select id, ${sql.join(fields, sql`, `)} from ${table}`)
})
afterAll(() => api.stop())

test('`matches` agrees with PostgreSQL on every filter', async () => {
  const found = { some: 0, none: 0 }
  await fc.assert(
    fc.asyncProperty(filter, fc.constantFrom(ME, null), async (one, me) => {
      const meaning = { context: CONTEXT, me }
      const bySql = await api.db.query(
        sql`select id from ${table} where ${toSql(kitchensink, table, one, { ...meaning, engine })}`,
      )
      found[bySql.length > 0 ? 'some' : 'none']++
      const here = rows.filter((row) =>
        matches(one, row, { ...meaning, fields: kitchensink.fields }),
      )
      expect(idsOf(here)).toEqual(idsOf(bySql))
    }),
    { numRuns: RUNS, examples: NOBODY },
  )
  // Filters matched neither everything nor nothing.
  expect(Math.min(found.some, found.none)).toBeGreaterThan(RUNS / 20)
})

/** Rare in random filters: an anonymous `@me` compared with null. */
const NOBODY: [Filter, null][] = [
  [{ all: [['owner', 'eq', '@me']] }, null],
  [{ all: [['owner', 'ne', '@me']] }, null],
  [{ all: [['owner', 'in', ['@me']]] }, null],
]

const idsOf = (some: Row[]) => some.map((row) => String(row['id'])).sort()

/** Few distinct values, so that conditions match; any may be missing. */
function valueOf({ type, options }: Field): fc.Arbitrary<unknown> {
  switch (factsOf(type).column) {
    case 'integer':
      return fc.constantFrom(-5, 0, 3, 200)
    case 'numeric':
      return fc.constantFrom(-0.5, 0, 0.1, 1.25, 99.9)
    case 'boolean':
      return fc.boolean()
    case 'date':
      return fc.constantFrom('0001-01-01', '2026-01-24', '2026-01-31', '9999-12-31')
    case 'timestamp':
      return fc.constantFrom('1969-07-20T20:17:40.000Z', CONTEXT.now, '2026-01-31T10:00:00.001Z')
    case 'textArray':
      return fc.subarray(options?.map(({ value }) => value) ?? [])
    case 'uuidArray':
      return fc.subarray(IDS)
    case 'uuid':
      return fc.constantFrom(...IDS)
    case 'text':
      return fc.constantFrom('', 'alpha', 'Alpha', 'álpha', 'ÁLPHA', 'a_b', '50% off', 'x\\y', ME)
  }
}

const record = fc
  .record(
    Object.fromEntries(
      FIELDS.map(([name, field]) => [
        snakeCase(name),
        field.required ? valueOf(field) : fc.option(valueOf(field), { freq: 4 }),
      ]),
    ),
  )
  .chain((values) =>
    fc.uuid().map((id) => ({
      ...values,
      id,
      // Addresses are unique; a parent would have to exist first.
      email: values['email'] === null ? null : `${id}@example.test`,
      parent: null,
    })),
  )

const words: Partial<Record<Field['type'], string[]>> = {
  date: ['@today', '@today-7d', '@today+1d'],
  datetime: ['@now', '@now-2h', '@now+3d', '2026-01-31T11:00:00.001+01:00'],
  text: ['@me', 'absent'],
  relation: IDS.map((id) => id.toUpperCase()),
}

function operandOf(field: Field, operator: Operator): fc.Arbitrary<unknown> {
  if (operator === 'empty') return fc.boolean()
  if (operator === 'has') return fc.constantFrom('red', 'green', 'absent')
  if (operator === 'contains' || operator === 'startsWith')
    return fc.constantFrom('A', 'á', 'Álp', '%', '_', '\\', 'off', '@example')
  const own = fc.oneof(
    { weight: 3, arbitrary: valueOf(field) },
    ...(words[field.type] ?? []).map((one) => fc.constant(one)),
  )
  return operator === 'in' ? fc.array(own, { minLength: 1, maxLength: 3 }) : own
}

const condition = fc
  .constantFrom(...FIELDS)
  .chain(([name, field]) =>
    fc
      .constantFrom(...factsOf(field.type).operators)
      .chain((operator) =>
        operandOf(field, operator).map((value) => [name, operator, value] as Condition),
      ),
  )

const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc
    .tuple(
      fc.boolean(),
      fc.array(fc.oneof({ maxDepth: 3 }, condition, tie('filter')), { maxLength: 4 }),
    )
    .map(([isAll, parts]) => (isAll ? { all: parts } : { any: parts })),
}))
