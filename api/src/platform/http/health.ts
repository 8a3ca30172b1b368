import { problemMessages } from '@gatehouse/model'
import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { FastifyInstance } from 'fastify'
import type { Db } from '#platform/db.ts'
import { unavailable } from '#platform/errors.ts'
import { migrationNames } from '#platform/migrate.ts'

type Health = {
  db: Db
  tables: PgTable[]
  readiness: { isStopping: boolean; isChecked: boolean }
}

/** Ready once the database responds and its schema matches the models. */
export function healthRoutes(app: FastifyInstance, { db, tables, readiness }: Health) {
  app.get('/healthz', { config: { isVital: true } }, () => ({ status: 'ok' }))

  app.get('/readyz', { config: { isVital: true } }, async () => {
    await requireReady()
    return { status: 'ready' }
  })

  return () =>
    requireReady().then(
      () => true,
      () => false,
    )

  async function requireReady() {
    if (readiness.isStopping) throw unavailable('stopping', problemMessages.stopping)
    const mistakes = readiness.isChecked ? [] : await checkDatabase(db, tables)
    if (mistakes.length > 0) {
      app.log.error(
        { mistakes },
        'the database schema does not match the models: if no migration was written, npm run db:migration NAME',
      )
      throw unavailable('schema-differs', problemMessages.schemaDiffers)
    }
    readiness.isChecked = true
    await db.query(sql`select 1`)
  }
}

/**
 * An undeclared column could hold data that erasure misses; a missing one would fail later. Extra columns are allowed if
 * newer code has migrated: older replicas may restart, and a release may be rolled back.
 */
async function checkDatabase(db: Db, tables: PgTable[]) {
  const rows = await db.query(
    sql<{ name: string }>`select table_name || '.' || column_name as name
      from information_schema.columns where table_schema = 'public'`,
  )
  const there = new Set(rows.map(({ name }) => name))
  const declared = tables.flatMap((table) =>
    Object.values(getTableColumns(table)).map((column) => `${getTableName(table)}.${column.name}`),
  )
  const ours = new Set(tables.map((table) => getTableName(table)))
  return [
    ...declared.filter((name) => !there.has(name)).map((name) => `${name} is missing`),
    ...((await isAhead(db)) ? [] : [...there])
      .filter((name) => ours.has(name.split('.')[0] ?? '') && !declared.includes(name))
      .map((name) => `${name} is not declared`),
  ]
}

/** The database has a migration this code doesn't know. */
async function isAhead(db: Db) {
  const rows = await db.query(
    sql`select from migrations where name <> all(${sql.param(migrationNames())})`,
  )
  return rows.length > 0
}
