import { toManifestStores, type Manifest, type Model } from '@gatehouse/model'
import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import * as history from '#engine/history/history-tables.ts'
import * as lists from '#engine/http/list-views-table.ts'
import { columnName, tableName } from '#engine/table-names.ts'
import { buildTables, RECORD_STORE } from '#engine/build-tables.ts'
import * as writes from '#engine/write/write-tables.ts'
import type { Declared } from '#platform/http/health.ts'
import { QUEUE_SCHEMA } from '#platform/migrate.ts'
import { storeOf, type OwnStore } from '#platform/define-table.ts'
import * as identity from '#platform/identity/revocation-tables.ts'
import * as platform from '#platform/platform-tables.ts'
import * as files from '#platform/files/file-tables.ts'
import * as events from '#engine/security/security-event-tables.ts'
import { EXTERNAL_STORES } from './external-stores.ts'

type Tables = Record<string, PgTable>

const ENGINE_TABLES: Tables = {
  ...platform,
  ...identity,
  ...history,
  ...events,
  ...writes,
  ...lists,
  ...files,
}

export const allTables = (productTables: Tables) =>
  Object.values({ ...ENGINE_TABLES, ...productTables })

type SchemaParts = { models: Model[]; productTables: Tables; foreignSchemas: readonly string[] }

/** All declared database objects, for readiness and the doctor. */
export const declaredSchema = ({
  models,
  productTables,
  foreignSchemas,
}: SchemaParts): Declared => ({
  tables: [...buildTables(models).values(), ...allTables(productTables)],
  optional: models.flatMap((model) =>
    Object.keys(model.retired).map((name) => `${tableName(model)}.${columnName(model, name)}`),
  ),
  schemas: [QUEUE_SCHEMA, ...foreignSchemas],
})

export const declaredStores = (productTables: Tables): Manifest['stores'] =>
  toManifestStores(tableStores(productTables), EXTERNAL_STORES)

export const tableStores = (productTables: Tables): Record<string, OwnStore> => ({
  'every record': RECORD_STORE,
  ...Object.fromEntries(
    allTables(productTables).map((table) => [getTableName(table), storeOf(table)]),
  ),
})

/** All tables, for drizzle-kit's diff. */
export const buildSchema = (models: Model[], productTables: Tables): Tables => ({
  ...Object.fromEntries(buildTables(models)),
  ...ENGINE_TABLES,
  ...productTables,
})

export const checkTables = (models: Model[], productTables: Tables) => {
  const taken = allTables(productTables).map((table) => getTableName(table))
  return models
    .filter((model) => [...taken, 'migrations'].includes(tableName(model)))
    .map((model) => `${model.path}: there is already a table called "${tableName(model)}"`)
}
