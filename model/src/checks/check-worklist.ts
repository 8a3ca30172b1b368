import { conditionsOf, isCondition } from '#definition/filter.ts'
import { isStored } from '#definition/fields.ts'
import { fieldOf, type Model, type Worklist } from '#definition/model.ts'

const NAME = /^[a-z][a-z0-9]{1,20}$/
/** What PostgreSQL can tell from a question to be part of an index, and does not change with the day. */
const OPERATORS = ['eq', 'in', 'empty']

/** Mistakes in the lists people work through; their filters are looked at with the others. */
export const checkWorklists = (model: Model): string[] => [
  ...model.worklists.flatMap((worklist) =>
    checkWorklist(model, worklist).map((mistake) => `worklist "${worklist.name}" ${mistake}`),
  ),
  ...(new Set(model.worklists.map(({ name }) => name)).size < model.worklists.length
    ? ['two worklists have the same name']
    : []),
]

function checkWorklist(model: Model, { name, by, also = [], where }: Worklist) {
  const mistakes = []
  if (!NAME.test(name)) mistakes.push('has a name that can not be used')
  if (!fieldOf(model, by)?.sortable) mistakes.push(`is sorted by "${by}", which is not sortable`)
  for (const other of also) {
    const field = fieldOf(model, other)
    if (!field || !isStored(field)) mistakes.push(`keeps "${other}", which is no column`)
  }
  const isPlain =
    'all' in where &&
    where.all.every((part) => isCondition(part) && OPERATORS.includes(part[1]) && !isToken(part[2]))
  if (!isPlain) mistakes.push('may only say all of eq, in and empty, with values that stay')
  for (const [asked] of conditionsOf(where)) {
    const field = fieldOf(model, asked)
    if (field && !isStored(field)) mistakes.push(`asks for "${asked}", which is no column`)
  }
  return mistakes
}

const isToken = (value: unknown) => typeof value === 'string' && value.startsWith('@')
