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

/** The database must answer, and hold exactly what the models declare, before a replica takes requests. */
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
      app.log.error({ mistakes }, 'the database schema does not match the models')
      throw unavailable('schema-differs', problemMessages.schemaDiffers)
    }
    readiness.isChecked = true
    await db.query(sql`select 1`)
  }
}

/**
 * A column nobody declared could hold data nobody promised to erase; one that is missing would fail later. Where newer code
 * has migrated, what is too much is that code's: the older replicas beside it may restart, and a release may be taken back.
 */
async function checkDatabase(db: Db, tables: PgTable[]) {
  const rows = await db.query(
    sql`select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  )
  const there = new Set(rows.map((row) => String(row['name'])))
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

/** The database knows a migration that this code does not. */
async function isAhead(db: Db) {
  const rows = await db.query(
    sql`select from migrations where name <> all(${sql.param(migrationNames())})`,
  )
  return rows.length > 0
}
