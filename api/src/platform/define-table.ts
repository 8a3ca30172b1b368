import type { Store } from '@gatehouse/model'
import { getTableColumns, getTableName, type BuildExtraConfigColumns, type SQL } from 'drizzle-orm'
import {
  pgTable,
  timestamp,
  type PgColumnBuilderBase,
  type PgTable,
  type PgTableExtraConfigValue,
} from 'drizzle-orm/pg-core'

/** Milliseconds, as JavaScript has them: a cursor must compare equal to the value it was made from. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: 'string' })

/** Rows leave when `column` is older than `term`, an interval of PostgreSQL's. */
type Expiry<Column extends string = string> = {
  column: Column
  term: string
  says?: string
  /** What is left of the row, where it doesn't leave whole, and which rows are still to be reduced. */
  reduce?: { set: SQL; where: SQL }
}

export type OwnStore<Column extends string = string> = Store<Column, Expiry<Column>> & {
  /** The application's role may read rows and add some. Whatever removes them is a function of the database. */
  appendOnly?: true
}

type Columns = Record<string, PgColumnBuilderBase>

const declared = new WeakMap<PgTable, OwnStore>()

/** A table beside those of the models. What it holds about people is part of it: a column can't be added without saying. */
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

/** What is declared of a table of ours, by the names the database has for its columns. */
export function storeOf(table: PgTable): OwnStore {
  const store = declared.get(table)
  if (!store) throw new Error(`${getTableName(table)} is not made by ownTable`)
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

/** Room on each page for the next version of its rows: an update that changes no indexed column then writes no index. */
const FILL_PERCENT = 90
/** A search reads the pending list whole, and the writer who fills it empties it: short, and emptied by a job before. */
const PENDING_KB = 512

/**
 * Tables whose rows change keep room; search indexes keep their pending lists short. Derived from what is declared rather than
 * written in migrations, so that a site's own tables have it too. Nothing is sent where nothing differs.
 */
export async function setStorage(ask: Ask, tables: PgTable[]) {
  const rows = await ask(
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
  for (const { change } of rows) await ask(String(change))
}
