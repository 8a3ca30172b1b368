import {
  canSee,
  checkFilter,
  conditionsOf,
  factsOf,
  fieldOf,
  isCondition,
  isRelation,
  partsOf,
  type Access,
  type Condition,
  type Field,
  type Filter,
  type Meaning as WordMeaning,
  type Model,
  queryMessages,
} from '@gatehouse/model'
import { and, or, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { invalidQuery, unusableQuery } from '#platform/errors.ts'
import type { Table } from '#engine/build-tables.ts'
import type { Engine } from '#engine/engine.ts'
import { columnValues, isShortText, VALUES_MAX } from './column-values.ts'
import { operandOf } from './computed-columns.ts'
import { literalBinding, type Binding } from './statement-cache.ts'

export const CONDITIONS_MAX = 20
export const DEPTH_MAX = 4

/** Values of a filter's tokens, literal or deferred, and whether a relation's target is visible. */
export type Meaning = (WordMeaning | Binding) & {
  engine: Engine
  /** A relation to a record the caller may not see counts as empty. */
  leadsToVisible?: (relation: string) => SQL
}

/** A filter as SQL. Its conditions have been checked: by the start-up checks, or by `readFilter`. */
export function toSql(model: Model, table: Table, filter: Filter, meaning: Meaning): SQL {
  const parts = partsOf(filter).map((part) =>
    isCondition(part)
      ? conditionToSql(model, table, part, meaning)
      : toSql(model, table, part, meaning),
  )
  return 'all' in filter ? (and(...parts) ?? sql`true`) : (or(...parts) ?? sql`false`)
}

/** A filter from a query string: untrusted, so everything is bounded and validated. */
export function readFilter(text: string, model: Model, level: Access): Filter {
  const filter = parse(text)
  if (!isFilter(filter, DEPTH_MAX))
    throw invalidQuery(queryMessages.filterShape(DEPTH_MAX, CONDITIONS_MAX))
  const conditions = conditionsOf(filter)
  // The only limit JSON Schema can't express: a sum over all groups.
  if (conditions.length > CONDITIONS_MAX)
    throw unusableQuery(queryMessages.filterConditions(CONDITIONS_MAX))
  for (const [name] of conditions) {
    const field = fieldOf(model, name)
    // Hidden and unknown fields get the same error.
    if (!field || !canSee(field, level)) throw invalidQuery(queryMessages.unknownField(name))
  }
  const [error] = checkFilter(model, filter)
  if (error) throw invalidQuery(queryMessages.filterMistake(error))
  for (const condition of conditions) checkValue(model, condition)
  return filter
}

function conditionToSql(model: Model, table: Table, condition: Condition, meaning: Meaning) {
  const [name, operator, given] = condition
  const field = fieldOf(model, name)
  if (!field) throw new Error(`"${name}" is not a field of ${model.path}`)
  const { today, bind } = 'bind' in meaning ? meaning : literalBinding(meaning)
  const column = operandOf({ engine: meaning.engine, model, table, today }, name, field)
  const there = isRelation(field) ? meaning.leadsToVisible?.(name) : undefined
  const holds = (comparison: SQL) => (there ? sql`(${comparison} and ${there})` : comparison)
  const value = bind(condition)
  switch (operator) {
    case 'eq':
      return holds(sql`${column} = ${cast(value, field)}`)
    case 'ne':
      return sql`(${holds(sql`${column} = ${cast(value, field)}`)}) is not true`
    case 'in':
      return holds(sql`${column} = any(${castAll(value, field)})`)
    case 'empty':
      return given === true
        ? isEmpty(column, field, there)
        : sql`not (${isEmpty(column, field, there)})`
    case 'contains':
    case 'startsWith':
      return sql`${column} ilike ${value}`
    case 'has':
      return sql`${column} @> ${sql.param(value)}::text[]`
    default:
      return sql`${column} ${sql.raw(COMPARISON[operator])} ${cast(value, field)}`
  }
}

const COMPARISON = { lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

const isEmpty = (column: PgColumn | SQL, field: Field, there?: SQL): SQL => {
  if (there) return sql`(${column} is null or not ${there})`
  return factsOf(field.type).json === 'array'
    ? sql`coalesce(cardinality(${column}), 0) = 0`
    : sql`${column} is null`
}

const filterType = (field: Field) => sql.raw(columnValues(field).filterType)
const cast = (value: unknown, field: Field) => sql`${sql.param(value)}::${filterType(field)}`
const castAll = (value: unknown, field: Field) => sql`${sql.param(value)}::${filterType(field)}[]`

function checkValue(model: Model, [name, operator, value]: Condition) {
  const field = fieldOf(model, name)
  const values = Array.isArray(value) ? value : [value]
  if (values.length > VALUES_MAX) throw invalidQuery(queryMessages.filterValues(VALUES_MAX))
  if (operator === 'empty' || !field) return
  const isRight =
    Array.isArray(value) === (operator === 'in') &&
    values.every((one) => fits(one, field, operator))
  if (!isRight) throw invalidQuery(queryMessages.filterValue(name, field.type))
}

function fits(value: unknown, field: Field, operator: string) {
  if (operator === 'contains' || operator === 'startsWith' || operator === 'has')
    return isShortText(value)
  return columnValues(field).fits(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidQuery(queryMessages.filterJson(DEPTH_MAX))
  }
}

/** The shape only; names, operators and values are checked afterwards. */
function isFilter(value: unknown, depth: number): value is Filter {
  if (depth === 0 || typeof value !== 'object' || value === null) return false
  const [[key, parts] = [], ...more] = Object.entries(value)
  if (more.length > 0 || (key !== 'all' && key !== 'any') || !Array.isArray(parts)) return false
  if (parts.length > CONDITIONS_MAX) return false
  return parts.every((part) =>
    Array.isArray(part) ? isConditionShape(part) : isFilter(part, depth - 1),
  )
}

const isConditionShape = (part: unknown[]) =>
  part.length === 3 &&
  typeof part[0] === 'string' &&
  typeof part[1] === 'string' &&
  (isScalar(part[2]) || (Array.isArray(part[2]) && part[2].length > 0 && part[2].every(isScalar)))

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
