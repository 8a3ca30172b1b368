import type { Store } from '@gatehouse/model'
import { getTableColumns, getTableName, type BuildExtraConfigColumns, type SQL } from 'drizzle-orm'
import {
  pgTable,
  timestamp,
  type PgColumnBuilderBase,
  type PgTable,
  type PgTableExtraConfigValue,
} from 'drizzle-orm/pg-core'

/** Millisecond precision, like JavaScript: a cursor must equal the value it was created from. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: 'string' })

/** Rows expire when `column` is older than `term`, a PostgreSQL interval. */
type Expiry<Column extends string = string> = {
  column: Column
  term: string
  says?: string
  /** Reduces an expired row instead of deleting it; `where` selects rows not yet reduced. */
  reduce?: { set: SQL; where: SQL }
}

export type OwnStore<Column extends string = string> = Store<Column, Expiry<Column>> & {
  /** The application role may only read and insert; a database function deletes expired rows. */
  appendOnly?: true
}

type Columns = Record<string, PgColumnBuilderBase>

const declared = new WeakMap<PgTable, OwnStore>()

/** Defines a table outside the models. Every column must declare the personal data it holds. */
export function defineTable<Name extends string, C extends Columns>(
  name: Name,
  columns: C,
  store: OwnStore<keyof C & string>,
  extra: (t: BuildExtraConfigColumns<Name, C, 'pg'>) => PgTableExtraConfigValue[] = () => [],
) {
  const table = pgTable(name, columns, extra)
  declared.set(table, store as OwnStore)
  return table
}

export const isAppendOnly = (table: PgTable) => declared.get(table)?.appendOnly === true

/** The table's declaration, by database column names. */
export function storeOf(table: PgTable): OwnStore {
  const store = declared.get(table)
  if (!store) throw new Error(`${getTableName(table)} was not created by defineTable`)
  const columns = getTableColumns(table)
  const nameOf = (property: string) => columns[property]?.name ?? property
  return {
    ...store,
    holds:
      typeof store.holds === 'string'
        ? store.holds
        : Object.fromEntries(
            Object.entries(store.holds).map(([property, held]) => [nameOf(property), held]),
          ),
    expires: store.expires && { ...store.expires, column: nameOf(store.expires.column) },
  }
}

type Query = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

/**
 * New tables can only be read and inserted into (0026-append-only.sql). Grants update and delete on all but append-only
 * tables. Sends nothing if nothing differs.
 */
export async function grantRights(query: Query, tables: PgTable[]) {
  const growing = tables.filter(isAppendOnly).map((table) => getTableName(table))
  const rows = await query(
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
  if (changing.length > 0)
    await query(`grant update, delete on ${changing.join()} to gatehouse_app`)
  if (closed.length > 0) await query(`revoke update, delete on ${closed.join()} from gatehouse_app`)
}

/** Free space on each page, so that an update of unindexed columns writes no index (HOT). */
const FILL_PERCENT = 90
/** A search scans the full pending list, and the writer that fills it flushes it: short, and flushed earlier by a job. */
const PENDING_KB = 512

/**
 * Sets fill factors and pending list limits from declarations instead of migrations, so that a site's own tables get them too.
 * Sends nothing if nothing differs.
 */
export async function setStorage(query: Query, tables: PgTable[]) {
  const rows = await query(
    `select format('alter %s %I set (%s)', kind, relname, option) as change
      from pg_class cross join lateral (values
        ('table', 'fillfactor=${FILL_PERCENT}', relkind = 'r' and relname = any($2)),
        ('index', 'gin_pending_list_limit=${PENDING_KB}', relkind = 'i' and exists (
          select from pg_index join pg_am on pg_am.oid = relam join pg_class kept on kept.oid = indrelid
          where indexrelid = pg_class.oid and amname = 'gin' and kept.relname = any($1)))
      ) storage (kind, option, is_wanted)
      where relnamespace = 'public'::regnamespace and is_wanted and not option = any(coalesce(reloptions, '{}'))`,
    [
      tables.map((table) => getTableName(table)),
      tables.filter((table) => !isAppendOnly(table)).map((table) => getTableName(table)),
    ],
  )
  for (const { change } of rows) await query(String(change))
}
