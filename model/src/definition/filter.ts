import type { Operator } from './field-types.ts'
import type { Value } from './fields.ts'

/** Default page size. */
export const PAGE_SIZE = 25
/** Trigram indexes need at least three characters. */
export const SEARCH_MIN_LENGTH = 3
export const SEARCH_MAX_LENGTH = 100

/** A value, or the list operand of `in`. */
export type Operand = Value | readonly number[]

/**
 * A condition is `[field, operator, value]`, used by `publicFilter`, `deleteOnly`, worklists, an action's `when` and the
 * `filter` of a list. Values may be `@today`, `@today-7d`, `@now-2h` or `@me`. `empty` takes true or false, `in` a list.
 */
export type Condition = readonly [field: string, operator: Operator, value: Operand]
/** A filter is a list of conditions or filters of which all, or any, must hold. */
export type Filter =
  { all: readonly (Condition | Filter)[] } | { any: readonly (Condition | Filter)[] }

export const partsOf = (filter: Filter) => ('all' in filter ? filter.all : filter.any)

export const isCondition = (part: Condition | Filter): part is Condition => Array.isArray(part)

/** Every condition of a filter, at any depth. */
export const conditionsOf = (filter: Filter): Condition[] =>
  partsOf(filter).flatMap((part) => (isCondition(part) ? [part] : conditionsOf(part)))
