import { conditionsOf, isCondition } from '#definition/filter.ts'
import { isStored } from '#definition/fields.ts'
import { fieldOf, type Model, type Worklist } from '#definition/model.ts'

const NAME = /^[a-z][a-z0-9]{1,20}$/
/** Operators that can be part of an index predicate: immutable, and provable from a query. */
const OPERATORS = ['eq', 'in', 'empty']

/** `checkOwnFilters` checks their filters. */
export const checkWorklists = (model: Model): string[] => [
  ...model.worklists.flatMap((worklist) =>
    checkWorklist(model, worklist).map((mistake) => `worklist "${worklist.name}": ${mistake}`),
  ),
  ...(new Set(model.worklists.map(({ name }) => name)).size < model.worklists.length
    ? ['worklist names must be unique']
    : []),
]

function checkWorklist(model: Model, { name, by, also = [], where }: Worklist) {
  const mistakes = []
  if (!NAME.test(name)) mistakes.push('name must be 2 to 21 lower-case letters and digits')
  if (!fieldOf(model, by)?.sortable) mistakes.push(`by must be a sortable field, not "${by}"`)
  for (const other of also) {
    const field = fieldOf(model, other)
    if (!field || !isStored(field)) mistakes.push(`also must name columns, not "${other}"`)
  }
  const isPlain =
    'all' in where &&
    where.all.every((part) => isCondition(part) && OPERATORS.includes(part[1]) && !isToken(part[2]))
  if (!isPlain) mistakes.push('where must be "all" of eq, in and empty with constant values')
  for (const [asked] of conditionsOf(where)) {
    const field = fieldOf(model, asked)
    if (field && !isStored(field)) mistakes.push(`where must name columns, not "${asked}"`)
  }
  return mistakes
}

const isToken = (value: unknown) => typeof value === 'string' && value.startsWith('@')
