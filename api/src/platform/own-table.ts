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
export function ownTable<Name extends string, C extends Columns>(
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
