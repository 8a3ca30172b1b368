import type { Model } from '@gatehouse/model'
import { and, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { CountRow } from '#platform/db.ts'
import { contextOf } from '#platform/site-config.ts'
import type { RecordRow } from '#engine/compiled.ts'
import type { Table } from '#engine/tables.ts'
import type { Caller } from '#engine/caller.ts'
import { columnOf, compiledFor, tableOf, type Engine } from '#engine/engine.ts'
import { escapeLike, toSql } from './filter.ts'
import type { ListQuery } from './list-query.ts'
import { isDescendingNow, hasOwnerIndex, ownedSegment, segments } from './keyset.ts'
import { selectionOf } from './expressions.ts'
import { leadsToVisible, visibleParts } from './visibility.ts'

/** A list query and its caller. */
export type ListRequest = { engine: Engine; model: Model; caller: Caller; query: ListQuery }

/** The statement of a page: one limited index scan per kind of ownership and per segment of the order, merged. */
export function pageStatement(asked: ListRequest): SQL<RecordRow> {
  const { engine, model, caller, query } = asked
  const table = tableOf(engine, model)
  const { rows } = query
  const columns = selectionOf({ engine, model, table }, compiledFor(asked).list, rows)
  const direction = sql.raw(isDescendingNow(query) ? 'desc' : 'asc')
  const inOrder = (keys: SQLWrapper[]) =>
    sql.join(
      keys.map((key) => sql`${key} ${direction}`),
      sql`, `,
    )
  const limit = query.limit + 1
  const wanted = conditions(asked)
  const parts = visibleParts({ engine, model, table, caller, rows })
  const scans = parts.flatMap(({ way, allowed, where }) => {
    const isOwnedScan = 'column' in way && hasOwnerIndex(model, query)
    const scanned = isOwnedScan
      ? [ownedSegment(model, table, query, way)]
      : segments(model, table, query)
    const mine = isOwnedScan ? allowed : where
    return scanned.map(
      (segment) => sql<RecordRow>`
        select ${columns}, ${sql.raw(`${segment.rank}`)} as "$rank" from ${table}
        where ${and(mine, segment.where, ...wanted)} order by ${inOrder(segment.keys)} limit ${limit}`,
    )
  })
  const [only] = scans
  if (scans.length === 1 && only) return only
  const merged = sql.join(
    scans.map((scan) => sql`(${scan})`),
    sql` union all `,
  )
  const keys = [...new Set([query.sort.field, 'id'])].map((name) => sql.identifier(name))
  // A row owned in two ways is found by two scans. Deduplicating here is free; excluding it in the second scan would mean
  // reading everything the first one found.
  const distinct =
    parts.length === 1 ? sql`` : sql`distinct on ("$rank", ${sql.join(keys, sql`, `)})`
  return sql<RecordRow>`select ${distinct} * from (${merged}) merged order by "$rank", ${inOrder(keys)} limit ${limit}`
}

/** How many there are, counting no further than the cap; without a cap, exactly. */
export function countStatement(asked: ListRequest, cap: number | null): SQL<CountRow> {
  const { engine, model, caller, query } = asked
  const table = tableOf(engine, model)
  const limit = cap === null ? sql`` : sql`limit ${cap}`
  const wanted = conditions(asked)
  const scans = visibleParts({ engine, model, table, caller, rows: query.rows }).map(
    ({ where }) => sql`(select id from ${table} where ${and(where, ...wanted)} ${limit})`,
  )
  return sql<CountRow>`select count(*) as count from (${sql.join(scans, sql` union `)}) counted`
}

function conditions({ engine, model, caller, query }: ListRequest) {
  const table = tableOf(engine, model)
  const view = { engine, model, table, caller }
  return [
    query.filter &&
      toSql(model, table, query.filter, {
        engine,
        context: contextOf(engine.site),
        me: caller.visitor?.sub ?? null,
        leadsToVisible: (relation) => leadsToVisible(view, relation),
      }),
    query.search && searchCondition(table, compiledFor(view).searched, query.search),
  ].filter((condition) => condition !== null && condition !== '')
}

const searchCondition = (table: Table, names: string[], text: string) =>
  or(...names.map((name) => sql`${columnOf(table, name)} ilike ${`%${escapeLike(text)}%`}`)) ??
  sql`false`
