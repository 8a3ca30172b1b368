import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { isAppendOnly } from './own-table.ts'

type Ask = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/**
 * A new table can only be read and added to (0026-append-only.sql). What is declared decides on the rest: update and delete on
 * every table but those that only grow. Nothing is sent where nothing differs.
 */
export async function grantRights(ask: Ask, tables: PgTable[]) {
  const growing = tables.filter(isAppendOnly).map((table) => getTableName(table))
  const rows = await ask(
    `select quote_ident(relname) as name, relname = any($2) as "isGrowing"
      from pg_class cross join lateral (
        select count(*) filter (where has_table_privilege('gatehouse_app', oid, one)) as held
        from unnest(array['update', 'delete']) one) rights
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any($1)
        and held <> case when relname = any($2) then 0 else 2 end`,
    [tables.map((table) => getTableName(table)), growing],
  )
  const namesOf = (isGrowing: boolean) =>
    rows.filter((row) => row['isGrowing'] === isGrowing).map(({ name }) => String(name))
  const [changing, closed] = [namesOf(false), namesOf(true)]
  if (changing.length > 0) await ask(`grant update, delete on ${changing.join()} to gatehouse_app`)
  if (closed.length > 0) await ask(`revoke update, delete on ${closed.join()} from gatehouse_app`)
}
