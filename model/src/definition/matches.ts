import { isList, resolveOperand, type Meaning } from './resolve-tokens.ts'
import { factsOf, type FieldType } from './field-types.ts'
import type { Field, Value } from './fields.ts'
import { isCondition, partsOf, type Condition, type Filter } from './filter.ts'

/** The types of the fields decide how values are compared. */
type Fields = Readonly<Record<string, Pick<Field, 'type'>>>
type Values = Readonly<Record<string, unknown>>

/**
 * Whether the record satisfies the filter, with the same result as its SQL: comparisons with NULL don't match. Absent fields
 * are empty.
 */
export function matches(
  filter: Filter,
  record: Values,
  meaning: Meaning & { fields: Fields },
): boolean {
  const holds = (part: Condition | Filter) =>
    isCondition(part) ? holdsFor(part, record, meaning) : matches(part, record, meaning)
  return 'all' in filter ? partsOf(filter).every(holds) : partsOf(filter).some(holds)
}

function holdsFor(
  [name, operator, given]: Condition,
  record: Values,
  { fields, ...meaning }: Meaning & { fields: Fields },
): boolean {
  const type = Object.hasOwn(fields, name) ? fields[name]?.type : undefined
  const stored = (record[name] ?? null) as Value
  const wanted = resolveOperand(given, meaning)
  const order = (one: unknown) => compare(toComparable(stored, type), toComparable(one, type))
  switch (operator) {
    case 'eq':
      return order(wanted) === 0
    case 'ne':
      return order(wanted) !== 0
    case 'in':
      return isList(wanted) && wanted.some((one) => order(one) === 0)
    case 'empty':
      return isEmpty(stored) === given
    case 'contains':
      return stored !== null && fold(stored).includes(fold(wanted))
    case 'startsWith':
      return stored !== null && fold(stored).startsWith(fold(wanted))
    case 'has':
      return isList(stored) && [wanted].flat().every((one) => stored.includes(String(one)))
    case 'lt':
      return order(wanted) < 0
    case 'lte':
      return order(wanted) <= 0
    case 'gt':
      return order(wanted) > 0
    case 'gte':
      return order(wanted) >= 0
  }
}

const isEmpty = (value: Value) => value === null || (isList(value) && value.length === 0)

/** Case-insensitive, like ILIKE. */
const fold = (value: unknown) => String(value).toLowerCase()

type Comparable = string | number | boolean | null

function toComparable(value: unknown, type: FieldType | undefined): Comparable {
  if (value === null) return null
  const column = type && factsOf(type).column
  if (column === 'timestamp') return Date.parse(String(value))
  if (column === 'uuid') return fold(value)
  return value as Comparable
}

/** NaN if SQL yields NULL: neither equal nor ordered. */
function compare(a: Comparable, b: Comparable) {
  if (a === null || b === null) return Number.NaN
  if (a === b) return 0
  if (a < b) return -1
  return a > b ? 1 : Number.NaN
}
