import type { Model } from '@gatehouse/model'
import { and, eq, isNull, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Table } from '#table.ts'
import { contextOf } from '#site.ts'
import { canRead, columnOf, tableOf, targetOf, type Caller, type Engine } from './engine.ts'
import { toSql } from './filter.ts'

/** Everything a query needs to know about a table it reads: the model, its columns (perhaps an alias), who asks. */
export type View = { engine: Engine; model: Model; table: Table; caller: Caller }

/** The rows the caller may see: the one place where that is decided, for every statement. */
export const visible = (view: View): SQL =>
  and(allowed(view), or(...scopes(view)) ?? sql`false`) ?? sql`true`

/**
 * The same as alternatives that exclude one another, one per way of owning a row. A list walks the index of each and
 * merges; with a plain OR it would walk the whole table or sort all that somebody owns.
 */
export function visibleParts(view: View): SQL[] {
  const parts = scopes(view)
  return parts.map(
    (part, place) =>
      and(
        allowed(view),
        part,
        ...parts.slice(0, place).map((earlier) => sql`(${earlier}) is not true`),
      ) ?? sql`false`,
  )
}

/** True when the record the relation leads to exists and the caller may see it. */
export function leadsToVisible(view: View, relation: string): SQL {
  const target = targetOf(view.engine, view.model, relation)
  if (!canRead(target, view.caller)) return sql`false`
  const table = alias(tableOf(view.engine, target), 'target') as Table
  const there = visible({ ...view, model: target, table })
  return sql`exists (select 1 from ${tableOf(view.engine, target)} "target"
    where ${eq(columnOf(table, 'id'), columnOf(view.table, relation))} and ${there})`
}

function allowed({ engine, model, table, caller }: View): SQL | undefined {
  const live = isNull(columnOf(table, 'deletedAt'))
  if (caller.level === 'admin') return live
  const published = model.publicFilter
    ? toSql(model, table, model.publicFilter, {
        context: contextOf(engine.site),
        me: caller.visitor?.sub ?? null,
      })
    : undefined
  return and(live, isNull(columnOf(table, 'restrictedAt')), published)
}

/** The alternatives of the row scope that hold for this caller; none means no row. */
function scopes(view: View): SQL[] {
  const { model, table, caller } = view
  const scope = model.rowScope
  if (scope === null || caller.level === 'admin') return [sql`true`]
  if ('via' in scope) return [leadsToVisible(view, scope.via)]
  const { visitor, link } = caller
  const organisation = link?.organisation ?? null
  const isManager = link?.portalRole === 'manager'
  const isMember = isManager || link?.portalRole === 'viewer'
  const parts: SQL[] = []
  if (scope.owner && visitor) parts.push(eq(columnOf(table, scope.owner), visitor.sub))
  if (scope.org && organisation && isMember)
    parts.push(eq(columnOf(table, scope.org), organisation))
  if (scope.orgManagers && organisation && isManager)
    parts.push(eq(columnOf(table, scope.orgManagers), organisation))
  return parts.length > 0 ? parts : [sql`false`]
}
