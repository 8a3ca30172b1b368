import type { Model } from '@gatehouse/model'
import { and, eq, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { Ownership } from '#audit.ts'
import type { Table } from '#table.ts'
import { contextOf } from '#site.ts'
import { canRead, columnOf, tableOf, targetOf, type Caller, type Engine } from './engine.ts'
import { toSql } from './filter.ts'

/** Which rows are asked for: what is in use, what is in the trash, or both. */
export type Rows = 'live' | 'trash' | 'any'

/**
 * Everything a query needs to know about a table it reads: the model, its columns (perhaps an alias), who asks. Rows in
 * use unless it says otherwise; whoever asks for others has been asked for the right to delete.
 */
export type View = {
  engine: Engine
  model: Model
  table: Table
  caller: Caller
  rows?: Rows | undefined
}

/** The rows the caller may see: the one place where that is decided, for every statement. */
export const visible = (view: View): SQL =>
  and(allowed(view), or(...scopes(view).map(holds)) ?? sql`false`) ?? sql`true`

/** One way of owning a row: a column holds this value, or some condition is true. */
type Way = { column: PgColumn; value: string } | { when: SQL }

/**
 * The same as alternatives, one per way of owning a row; a row may satisfy several. A list walks the index of each and
 * merges; with a plain OR it would walk the whole table or sort all that somebody owns.
 */
export const visibleParts = (view: View) =>
  scopes(view).map((way) => ({
    way,
    allowed: allowed(view),
    where: and(allowed(view), holds(way)),
  }))

/**
 * The same of a version, a row of the revisions that the statement calls `version`: whether the caller of today passes
 * the rule of the record as it was then. Of the record as it is now `visible` is asked as well, always.
 */
export function visibleThen(view: Pick<View, 'engine' | 'model' | 'caller'>, version: string): SQL {
  const { engine, model, caller } = view
  if (caller.level === 'admin') return sql`true`
  const kept = (name: string) => sql`${sql.identifier(version)}.${sql.identifier(name)}`
  const scope = model.rowScope
  if (scope === null) return kept('is_open')
  if ('via' in scope)
    return visibleThen({ ...view, model: targetOf(engine, model, scope.via) }, version)
  const ways = claimsOn(scope, caller).map(({ by, value }) => sql`${kept(by)} = ${value}`)
  return sql`(${kept('is_open')} and (${or(...ways) ?? sql`false`}))`
}

/** True when the record the relation leads to exists and the caller may see it. */
export function leadsToVisible(view: View, relation: string): SQL {
  const target = targetOf(view.engine, view.model, relation)
  if (!canRead(target, view.caller)) return sql`false`
  // A name of its own: a record that is visible through its parent looks further from inside this question.
  const name = `seen_${target.path}`
  const table = alias(tableOf(view.engine, target), name) as Table
  const there = visible({ ...view, model: target, table })
  return sql`exists (select 1 from ${tableOf(view.engine, target)} ${sql.identifier(name)}
    where ${eq(columnOf(table, 'id'), columnOf(view.table, relation))} and ${there})`
}

/**
 * Whose a model's rows are as they stand, for the revision that every change leaves. A child is its parent's owner's,
 * and open where both are. The trash is no part of it: who may look there is asked of the row itself.
 */
export function ownership(engine: Engine, model: Model): Ownership {
  const table = tableOf(engine, model)
  const id = sql`${columnOf(table, 'id')}`
  const scope = model.rowScope
  if (!scope || !('via' in scope))
    return { id, from: sql`${table}`, values: ownValues(engine, model) }
  const parent = targetOf(engine, model, scope.via)
  const parents = tableOf(engine, parent)
  const theParent = eq(columnOf(parents, 'id'), columnOf(table, scope.via))
  return {
    id,
    from: sql`${table} left join lateral
      (select ${ownValues(engine, parent)} from ${parents} where ${theParent}) parent (owner, org, is_open) on true`,
    values: sql`parent.owner, parent.org, ${isOpen(engine, model)} and coalesce(parent.is_open, false)`,
  }
}

function ownValues(engine: Engine, model: Model): SQL {
  const table = tableOf(engine, model)
  const { owner, org, orgManagers = org } = ownScope(model)
  const value = (field: string | undefined) => (field ? columnOf(table, field) : sql`null`)
  return sql`${value(owner)}::text, ${value(orgManagers)}::uuid, ${isOpen(engine, model)}`
}

/** To everybody but admins. Nobody in particular asks, so a filter that names whoever asks holds for none. */
const isOpen = (engine: Engine, model: Model): SQL =>
  sql`coalesce(${isPublished({ engine, model, table: tableOf(engine, model) }, null)}, false)`

type OwnScope = Exclude<NonNullable<Model['rowScope']>, { via: string }>

const ownScope = ({ rowScope }: Model): OwnScope =>
  rowScope && !('via' in rowScope) ? rowScope : {}

function allowed({ engine, model, table, caller, rows }: View): SQL | undefined {
  const state = STATES[rows ?? 'live'](columnOf(table, 'deletedAt'))
  if (caller.level === 'admin') return state
  return and(state, isPublished({ engine, model, table }, caller.visitor?.sub ?? null))
}

/** Neither restricted nor withheld from everybody but admins. */
const isPublished = (
  { engine, model, table }: Pick<View, 'engine' | 'model' | 'table'>,
  me: string | null,
) =>
  and(
    isNull(columnOf(table, 'restrictedAt')),
    model.publicFilter
      ? toSql(model, table, model.publicFilter, { context: contextOf(engine.site), me })
      : undefined,
  )

const STATES: Record<Rows, (deletedAt: PgColumn) => SQL | undefined> = {
  live: isNull,
  trash: isNotNull,
  any: () => undefined,
}

/** The alternatives of the row scope that hold for this caller; none means no row. */
function scopes(view: View): Way[] {
  const { model, table, caller, rows } = view
  const scope = model.rowScope
  if (scope === null || caller.level === 'admin') return [{ when: sql`true` }]
  // What went into the trash with its parent is seen there by whoever saw the parent.
  const parents = rows && rows !== 'live' ? 'any' : 'live'
  if ('via' in scope) return [{ when: leadsToVisible({ ...view, rows: parents }, scope.via) }]
  const ways = claimsOn(scope, caller).map(({ field, value }) => ({
    column: columnOf(table, field),
    value,
  }))
  return ways.length > 0 ? ways : [{ when: sql`false` }]
}

/** What the caller owns rows by: the field of a record that must hold the value, and where a revision keeps it. */
type Claim = { field: string; by: 'owner' | 'org'; value: string }

function claimsOn(scope: OwnScope, { visitor, link }: Caller): Claim[] {
  const organisation = link?.organisation ?? null
  const isManager = link?.portalRole === 'manager'
  const isMember = isManager || link?.portalRole === 'viewer'
  const claims: Claim[] = []
  const claim = (field: string, by: Claim['by'], value: string) => claims.push({ field, by, value })
  if (scope.owner && visitor) claim(scope.owner, 'owner', visitor.sub)
  if (scope.org && organisation && isMember) claim(scope.org, 'org', organisation)
  if (scope.orgManagers && organisation && isManager) claim(scope.orgManagers, 'org', organisation)
  return claims
}

const holds = (way: Way): SQL => ('when' in way ? way.when : eq(way.column, way.value))
