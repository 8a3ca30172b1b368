import { queryMessages } from '@gatehouse/model'
import { invalidQuery } from '#platform/errors.ts'

/** Parameters of a list. */
const KNOWN = ['q', 'filter', 'sort', 'limit', 'trash', 'total', 'after', 'before'] as const

/** What other systems call them. */
const OTHER_NAMES: Record<string, (typeof KNOWN)[number]> = {
  search: 'q',
  query: 'q',
  where: 'filter',
  order: 'sort',
  sort_by: 'sort',
  per_page: 'limit',
  page: 'after',
  offset: 'after',
}

/** Of the web page's address, which it passes on: these resemble a parameter by chance. */
const OF_THE_PAGE = ['toast', 'modal', 'list']

/** Of a misspelt name from the one meant. */
const DISTANCE_MAX = 2

/**
 * Rejects a misspelt parameter, which would otherwise return every row. Other unknown ones are ignored: the web page passes its
 * own on, such as `utm_source`.
 */
export function rejectUnknownParams(query: Record<string, unknown>) {
  for (const name of Object.keys(query)) {
    if (isKnown(name) || OF_THE_PAGE.includes(name)) continue
    const meant = meantBy(name)
    if (meant) throw invalidQuery(queryMessages.unknownParam(name, meant))
  }
}

const isKnown = (name: string) => (KNOWN as readonly string[]).includes(name)

function meantBy(name: string) {
  const lower = name.toLowerCase()
  if (Object.hasOwn(OTHER_NAMES, lower)) return OTHER_NAMES[lower]
  const [nearest] = KNOWN.map((known) => ({ known, distance: distanceBetween(lower, known) }))
    // A name of one letter is at most two from every name of two.
    .filter(({ known, distance }) => distance <= DISTANCE_MAX && distance < known.length)
    .toSorted((a, b) => a.distance - b.distance)
  return nearest?.known
}

/** Letters to insert, delete or replace; Infinity where the lengths alone say more than DISTANCE_MAX. */
function distanceBetween(a: string, b: string) {
  if (Math.abs(a.length - b.length) > DISTANCE_MAX) return Infinity
  let above = Array.from({ length: b.length + 1 }, (_none, column) => column)
  for (const [row, letter] of Array.from(a).entries()) {
    const line = [row + 1]
    for (const [column, other] of Array.from(b).entries())
      line.push(
        Math.min(
          (above[column] ?? 0) + (letter === other ? 0 : 1),
          (above[column + 1] ?? 0) + 1,
          (line[column] ?? 0) + 1,
        ),
      )
    above = line
  }
  return above[b.length] ?? Infinity
}
