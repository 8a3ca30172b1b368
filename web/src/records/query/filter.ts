import { isCondition, partsOf, type Condition, type Filter } from '@gatehouse/model'

export type FilterNode = Condition | Filter
/** A chip: a condition, a nested group, or the two ends of "the next 30 days". */
export type Chip = FilterNode[]

/** Parses the URL's filter. Untrusted: an invalid one is ignored here, and the API reports it. */
export function readFilter(text: string | null): Filter | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isFilter(value) ? value : null
  } catch {
    return null
  }
}

export const writeFilter = (filter: Filter | null) => filter && JSON.stringify(filter)

/** Chips are ANDed, so nested `all` is flattened. */
export const toChips = (filter: Filter | null): Chip[] =>
  filter === null ? [] : pair(flatten(filter))

export function toFilter(chips: Chip[]): Filter | null {
  const parts = chips.flat()
  const [first] = parts
  if (first === undefined) return null
  return parts.length === 1 && !isCondition(first) ? first : { all: parts }
}

const flatten = (filter: Filter): FilterNode[] =>
  'all' in filter || filter.any.length === 1
    ? partsOf(filter).flatMap((part) => (isCondition(part) ? [part] : flatten(part)))
    : [filter]

function pair(parts: FilterNode[]): Chip[] {
  const chips: Chip[] = []
  for (const part of parts) {
    const last = chips.at(-1)
    if (last?.length === 1 && nextDaysOf([...last, part]) !== null) last.push(part)
    else chips.push([part])
  }
  return chips
}

export const nextDays = (field: string, base: 'today' | 'now', days: number): Chip => [
  [field, 'gte', `@${base}`],
  [field, 'lte', `@${base}+${days}d`],
]

/** N of "the next N days", or null. */
export function nextDaysOf([from, to]: Chip): number | null {
  if (!from || !to || !isCondition(from) || !isCondition(to)) return null
  const base = /^@(today|now)$/.exec(String(from[2]))?.[1]
  const end = /^@(today|now)\+([1-9]\d{0,3})d$/.exec(String(to[2]))
  const isPair =
    from[0] === to[0] && from[1] === 'gte' && to[1] === 'lte' && base && end?.[1] === base
  return isPair ? Number(end[2]) : null
}

/** N of "the last N days", or null. */
export function lastDaysOf(part: FilterNode | undefined): number | null {
  if (!part || !isCondition(part) || part[1] !== 'gte') return null
  const days = /^@(?:today|now)-([1-9]\d{0,3})d$/.exec(String(part[2]))?.[1]
  return days === undefined ? null : Number(days)
}

function isFilter(value: unknown): value is Filter {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const [[key, parts] = [], ...more] = Object.entries(value)
  return (
    more.length === 0 &&
    (key === 'all' || key === 'any') &&
    Array.isArray(parts) &&
    parts.every((part) => isConditionShape(part) || isFilter(part))
  )
}

const isConditionShape = (part: unknown) =>
  Array.isArray(part) &&
  part.length === 3 &&
  typeof part[0] === 'string' &&
  typeof part[1] === 'string'
