import type { Model } from '@gatehouse/model'
import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import * as history from '#engine/history/tables.ts'
import * as lists from '#engine/http/tables.ts'
import { tableName } from '#engine/names.ts'
import { buildTables } from '#engine/tables.ts'
import * as writes from '#engine/write/tables.ts'
import * as platform from '#platform/tables.ts'

type Tables = Record<string, PgTable>

/** Tables beside the models', declared by the rooms that own them. */
const ENGINE_TABLES: Tables = { ...platform, ...history, ...writes, ...lists }

/** Everything the database holds, for drizzle-kit's diff. */
export const buildSchema = (models: Model[], productTables: Tables): Tables => ({
  ...Object.fromEntries(buildTables(models)),
  ...ENGINE_TABLES,
  ...productTables,
})

/** Start-up check: models whose table name clashes with one of ours. */
export const checkTables = (models: Model[], productTables: Tables) => {
  const taken = Object.values({ ...ENGINE_TABLES, ...productTables }).map((table) =>
    getTableName(table),
  )
  return models
    .filter((model) => [...taken, 'migrations'].includes(tableName(model)))
    .map((model) => `${model.path}: there is already a table called "${tableName(model)}"`)
}
