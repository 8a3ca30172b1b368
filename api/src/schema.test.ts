import { kitchensink, models } from '@gatehouse/model/models'
import { expect, test } from 'vitest'
import { cloneDatabase, ddlOf } from '../test/kit.ts'
import { checkTables } from './schema.ts'
import { PRODUCT_TABLES } from './product.ts'

test('a model can’t take the name of an existing table', () => {
  expect(checkTables([...models, kitchensink], PRODUCT_TABLES)).toEqual([])
  expect(checkTables([{ ...kitchensink, path: 'audit-events' }], PRODUCT_TABLES)).toEqual([
    'audit-events: there is already a table called "audit_events"',
  ])
  expect(checkTables([{ ...kitchensink, path: 'migrations' }], PRODUCT_TABLES)).toEqual([
    'migrations: there is already a table called "migrations"',
  ])
})

test('every foreign key has an index that includes the trash', async () => {
  const database = await cloneDatabase()
  try {
    await database.sql(await ddlOf(models, [...models, kitchensink]))
    const keys = await database.sql(
      `select conrelid::regclass::text as table, attname as column, exists (
          select from pg_index where indrelid = conrelid and indkey[0] = attnum and indpred is null and indisvalid) as served
        from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
        where contype = 'f' and connamespace = 'public'::regnamespace`,
    )
    expect(keys.length).toBeGreaterThan(13)
    expect(keys.filter(({ served }) => !served)).toEqual([])
  } finally {
    await database.drop()
  }
})
