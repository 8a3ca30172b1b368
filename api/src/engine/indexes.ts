import {
  conditionsOf,
  fieldsOf,
  hasTrash,
  isAdded,
  isAddress,
  isRelation,
  isSearchedPhone,
  isStored,
  scopeColumns,
  type Condition,
  type Field,
  type Model,
} from '@gatehouse/model'
import { isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import { index, uniqueIndex, type ExtraConfigColumn, type PgColumn } from 'drizzle-orm/pg-core'
import { columnName, tableName, uniqueName } from './table-names.ts'

export function buildIndexes(model: Model, t: Record<string, PgColumn>, isLabel: boolean) {
  const name = tableName(model)
  const live = isNull(column(t, 'deletedAt'))
  const inScope = sql`${live} and ${isNull(column(t, 'restrictedAt'))}`
  const id = column(t, 'id')
  const fields = fieldsOf(model).filter(([, field]) => isStored(field))
  const owners = (scopeColumns(model) ?? []).filter((field) => field !== 'id')
  const indexName = (field: string, kind: string) => `${name}_${columnName(model, field)}_${kind}`
  return [
    ...fields
      .filter(([, field]) => field.unique)
      .map(([name, field]) =>
        uniqueIndex(uniqueName(model, name))
          .on(uniqueKey(column(t, name), field))
          .where(live),
      ),
    ...fields
      .filter(([name, field]) => field.sortable && !isOwnOrder(field, column(t, name)))
      .map(([field]) => index(indexName(field, 'sort')).on(column(t, field), id).where(live)),
    // Not partial: a foreign key also checks rows in the trash.
    ...fields
      .filter(([, field]) => isRelation(field))
      .map(([field]) => index(indexName(field, 'relation')).on(column(t, field), id)),
    ...fields.flatMap(([field, { covers = [] }]) =>
      covers.length > 0
        ? [
            index(indexName(field, 'covers'))
              .on(column(t, field), ...covers.map((one) => column(t, one)))
              .where(live),
          ]
        : [],
    ),
    // Newest first, without scanning the trash.
    ...(model.defaultSort === null ? [index(`${name}_live`).on(id).where(live)] : []),
    // A list looks up a label for each row: a hash needs one page at any size, a tree two to four.
    ...(isLabel ? [index(`${name}_label`).using('hash', id)] : []),
    // The trash is small: its list and the job that empties it must not scan live rows.
    ...(hasTrash(model)
      ? [
          index(`${name}_trash`)
            .on(id)
            .where(isNotNull(column(t, 'deletedAt'))),
        ]
      : []),
    // For a scoped user's list and total: the predicate covers the full scope, so the total is an index-only scan.
    ...owners.map((field) =>
      index(indexName(field, 'scope')).on(column(t, field), id).where(inScope),
    ),
    ...fields
      .filter(([, field]) => field.scopedSort)
      .flatMap(([field]) =>
        owners.map((owner) =>
          index(`${name}_${columnName(model, owner)}_${columnName(model, field)}_scope`)
            .on(column(t, owner), column(t, field), id)
            .where(inScope),
        ),
      ),
    ...model.worklists.map((worklist) =>
      index(`${name}_${worklist.name}_work`)
        .on(column(t, worklist.by), id, ...(worklist.also ?? []).map((field) => column(t, field)))
        .where(
          sql.join(
            [live, ...conditionsOf(worklist.where).map((condition) => literal(t, condition))],
            sql` and `,
          ),
        ),
    ),
    ...searchIndexes(model, t),
    // Newest first: one person may have many records.
    ...fields
      .filter(([, field]) => isAddress(field) && field.searchable && !field.unique)
      .map(([name, field]) =>
        index(indexName(name, 'address'))
          .on(uniqueKey(column(t, name), field), id)
          .where(live),
      ),
    ...fields
      .filter(([, field]) => isSearchedPhone(field))
      .map(([field]) =>
        index(indexName(field, 'digits')).using(
          'gin',
          sql`${phoneKey(column(t, field))} gin_trgm_ops`,
        ),
      ),
  ]
}

/** A telephone number's digits, however it is written; `(0)` is dialled within the country only. */
export const phoneKey = (key: PgColumn): SQL =>
  sql`regexp_replace(${key}, '[(]0[)]|[^0-9]', '', 'g')`

/**
 * Whether this field alone defines a total order of live rows: unique and not null. Its unique index then serves the sort
 * too. Not for addresses: they are unique in lower case, but sorted as stored.
 */
export const isOwnOrder = (field: Field, { notNull }: PgColumn) =>
  Boolean(field.unique) && notNull && !isAddress(field)

/** A worklist's condition as a literal: index predicates take no parameters. */
function literal(t: Record<string, PgColumn>, [name, operator, value]: Condition): SQL {
  const key = column(t, name)
  if (operator === 'empty') return value === true ? sql`${key} is null` : sql`${key} is not null`
  const texts = [value].flat().map((one) => `'${String(one).replaceAll("'", "''")}'`)
  return sql`${key} in (${sql.raw(texts.join(', '))})`
}

/**
 * One trigram index over all searchable fields: any subset of its columns can be searched. Fields a site adds have their own,
 * so that neither side's migrations change the other's index.
 */
function searchIndexes(model: Model, t: Record<string, PgColumn>) {
  const searchable = fieldsOf(model).flatMap(([name, field]) => (field.searchable ? [name] : []))
  const [added, own] = [searchable.filter(isAdded), searchable.filter((name) => !isAdded(name))]
  return [
    ...trigramIndex(`${tableName(model)}_search`, own, t),
    ...trigramIndex(`${tableName(model)}_x_search`, added, t),
  ]
}

function trigramIndex(name: string, fields: string[], t: Record<string, PgColumn>) {
  const [first, ...rest] = fields.map((field) =>
    (column(t, field) as ExtraConfigColumn).op('gin_trgm_ops'),
  )
  return first ? [index(name).using('gin', first, ...rest)] : []
}

/** Email addresses are case-insensitive. */
export const uniqueKey = <K extends PgColumn | SQL>(key: K, field: Field): K | SQL =>
  isAddress(field) ? sql`lower(${key})` : key

function column(t: Record<string, PgColumn>, name: string) {
  const found = t[name]
  if (!found) throw new Error(`no column for "${name}"`)
  return found
}
