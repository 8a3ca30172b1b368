import type { Model } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { tableName } from '#engine/table-names.ts'
import type { Db } from '#platform/db.ts'
import { contextOf, type Site } from '#platform/site-config.ts'

/**
 * Changes with every record of a model with pages, and every day, because articles expire. Counts and hashes versions: the newest
 * `updated_at` is the start of a transaction, which may commit after a later one.
 */
export async function changeStampOf({
  db,
  site,
  models,
}: {
  db: Db
  site: Site
  models: readonly Model[]
}) {
  const tables = models.filter(({ pages }) => pages).map(tableName)
  const states = await Promise.all(
    tables.map((table) =>
      db.query(
        sql`select count(*)::text, sum(hashtextextended(id::text, version))::text from ${sql.identifier(table)}`,
      ),
    ),
  )
  return JSON.stringify([tables, states, contextOf(site).today])
}
