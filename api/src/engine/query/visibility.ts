import { isStaff, type Claim, type Model } from '@gatehouse/model'
import { and, eq, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { RecordState } from '#engine/compile-models.ts'
import type { Table } from '#engine/build-tables.ts'
import { contextOf } from '#platform/site-config.ts'
import { canRead, type Caller } from '#engine/caller.ts'
import { columnOf, tableOf, targetOf, type Engine } from '#engine/engine.ts'
import { toSql } from './filter.ts'
import type { Binding } from './statement-cache.ts'

/**
 * A table as a query reads it: model, columns (perhaps an alias), caller. Live rows unless `rows` says otherwise; the right
 * to delete has been checked by then.
 */
export type TableView = {
  engine: Engine
  model: Model
  table: Table
  caller: Caller
  rows?: RecordState | undefined
  /** For cached statements; the caller then has deferred claims. */
  binding?: Binding
}

/** The rows the caller may see. The only place that decides visibility. */
export const visible = (view: TableView): SQL =>
  and(allowed(view), or(...scopes(view).map(toCondition)) ?? sql`false`) ?? sql`true`

type OwnershipRule = { column: PgColumn; value: string } | { when: SQL }

/**
 * `visible` as alternatives, one per ownership rule; a row may satisfy several. A list scans the index of each and merges;
 * a plain OR would scan the full table or sort everything the caller owns.
 */
export const visibleParts = (view: TableView) =>
  scopes(view).map((ownershipRule) => ({
    ownershipRule: ownershipRule,
    allowed: allowed(view),
    where: and(allowed(view), toCondition(ownershipRule)),
  }))

/**
 * `visible` for a revision under the alias `version`: whether today's caller passes the rule on the record as it
 * was then. The current record must always be `visible` too.
 */
export function visibleAtVersion(
  view: Pick<TableView, 'engine' | 'model' | 'caller'>,
  version: string,
): SQL {
  const { engine, model, caller } = view
  if (isStaff(caller.level)) return sql`true`
  const versionColumn = (name: string) => sql`${sql.identifier(version)}.${sql.identifier(name)}`
  const scope = model.rowScope
  if (scope === null) return versionColumn('is_open')
  if ('via' in scope)
    return visibleAtVersion({ ...view, model: targetOf(engine, model, scope.via) }, version)
  const ownershipRules = claimsOn(view, scope).map(
    ({ keptIn, value }) => sql`${versionColumn(keptIn)} = ${value}`,
  )
  return sql`(${versionColumn('is_open')} and (${or(...ownershipRules) ?? sql`false`}))`
}

export function targetIsVisible(view: TableView, relation: string): SQL {
  const target = targetOf(view.engine, view.model, relation)
  if (!canRead(target, view.caller)) return sql`false`
  // Aliased: visibility through a parent nests further subqueries.
  const name = `seen_${target.path}`
  const table = alias(tableOf(view.engine, target), name) as Table
  const there = visible({ ...view, model: target, table })
  return sql`exists (select 1 from ${tableOf(view.engine, target)} ${sql.identifier(name)}
    where ${eq(columnOf(table, 'id'), columnOf(view.table, relation))} and ${there})`
}

/** Ownership as SQL: `values` (owner, org, is_open) per row of `from`. */
export type Ownership = { from: SQL; id: SQL; values: SQL }

/**
 * Current ownership of a model's rows, stored with every revision. The trash doesn't matter here: access to it is checked on
 * the row itself.
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
  const { values, join } = withParent(
    isOpen(engine, model),
    sql`select ${ownValues(engine, parent)} from ${parents} where ${theParent}`,
  )
  return { id, from: sql`${table} ${join}`, values }
}

/** A child belongs to its parent's owner, and is open if both are. */
export const withParent = (isChildOpen: SQL, parent: SQL) => ({
  values: sql`parent.owner, parent.org, ${isChildOpen} and coalesce(parent.is_open, false)`,
  join: sql`left join lateral (${parent}) parent (owner, org, is_open) on true`,
})

/** Ownership of rows just written, for RETURNING: the table still shows their previous state. */
export function writtenOwnership(engine: Engine, model: Model, binding: Binding): SQL {
  const { owner, org, isOpen } = ownParts(engine, model, binding)
  const via = parentOf(engine, model)?.via
  const parent = via ? sql`, ${columnOf(tableOf(engine, model), via)} as parent` : sql``
  return sql`${owner} as owner, ${org} as org, ${isOpen} as is_open${parent}`
}

export function parentOf(engine: Engine, model: Model) {
  const scope = model.rowScope
  return scope && 'via' in scope
    ? { model: targetOf(engine, model, scope.via), via: scope.via }
    : null
}

/** Owner, organisation and openness of a model's rows, without their parents'. */
export function ownValues(engine: Engine, model: Model, binding?: Binding): SQL {
  const { owner, org, isOpen } = ownParts(engine, model, binding)
  return sql`${owner}, ${org}, ${isOpen}`
}

/** The scope's columns, under the names that revisions store them in. */
function ownParts(engine: Engine, model: Model, binding?: Binding) {
  const table = tableOf(engine, model)
  const value = (column: Column) => {
    const scoped = Object.entries(ownScope(model)).find(
      ([name]) => engine.identity.claims[name]?.keptIn === column,
    )
    return scoped ? columnOf(table, scoped[1]) : sql`null`
  }
  return {
    owner: sql`${value('owner')}::text`,
    org: sql`${value('org')}::uuid`,
    isOpen: isOpen(engine, model, binding),
  }
}

/** Whether non-admins may see it in general; @me matches no caller here. */
const isOpen = (engine: Engine, model: Model, binding?: Binding): SQL =>
  sql`coalesce(${isPublished({ engine, model, table: tableOf(engine, model), ...(binding ? { binding } : {}) }, null)}, false)`

/** Claims and the fields that must hold their values. */
type OwnScope = Record<string, string>
type Column = NonNullable<Claim['keptIn']>
type ScopeInput = Pick<TableView, 'engine' | 'caller'>

const ownScope = ({ rowScope }: Model): OwnScope =>
  rowScope && !('via' in rowScope) ? rowScope : {}

function allowed(view: TableView): SQL | undefined {
  const { table, caller, rows } = view
  const state = STATES[rows ?? 'live'](columnOf(table, 'deletedAt'))
  return isStaff(caller.level) ? state : and(state, isPublished(view, caller.visitor?.sub ?? null))
}

const isPublished = (
  { engine, model, table, binding }: Pick<TableView, 'engine' | 'model' | 'table' | 'binding'>,
  me: string | null,
) =>
  and(
    isNull(columnOf(table, 'restrictedAt')),
    model.publicFilter
      ? toSql(model, table, model.publicFilter, {
          engine,
          ...(binding ?? { context: contextOf(engine.site), me }),
        })
      : undefined,
  )

const STATES: Record<RecordState, (deletedAt: PgColumn) => SQL | undefined> = {
  live: isNull,
  trash: isNotNull,
  any: () => undefined,
}

/** The alternatives of the row scope that hold for this caller; none means no row. */
function scopes(view: TableView): OwnershipRule[] {
  const { model, table, caller, rows } = view
  const scope = model.rowScope
  if (scope === null || isStaff(caller.level)) return [{ when: sql`true` }]
  // Children deleted with their parent remain visible in the trash to callers who could see the parent.
  const parents = rows && rows !== 'live' ? 'any' : 'live'
  if ('via' in scope) return [{ when: targetIsVisible({ ...view, rows: parents }, scope.via) }]
  const ownershipRules = claimsOn(view, scope).map(({ field, value }) => ({
    column: columnOf(table, field),
    value,
  }))
  return ownershipRules.length > 0 ? ownershipRules : [{ when: sql`false` }]
}

/** A claim of the caller: the field that must have the value, and the revision column that stores it. */
type OwnClaim = { field: string; keptIn: Column; value: string }

const claimsOn = ({ engine, caller }: ScopeInput, scope: OwnScope): OwnClaim[] =>
  Object.entries(scope).flatMap(([name, field]) => {
    const keptIn = engine.identity.claims[name]?.keptIn
    return keptIn ? (caller.claims[name] ?? []).map((value) => ({ field, keptIn, value })) : []
  })

const toCondition = (ownershipRule: OwnershipRule): SQL =>
  'when' in ownershipRule ? ownershipRule.when : eq(ownershipRule.column, ownershipRule.value)
