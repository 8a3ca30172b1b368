import { factsOf, hasKnownType } from '#definition/field-types.ts'
import type { Field } from '#definition/fields.ts'
import {
  conditionsOf,
  isCondition,
  partsOf,
  type Condition,
  type Filter,
} from '#definition/filter.ts'
import { fieldOf, type Model } from '#definition/model.ts'

/** Errors in a filter, from a definition or a query string. */
export function checkFilter(model: Model, filter: Filter): string[] {
  return conditionsOf(filter).flatMap(([name, operator, value]) => {
    const field = fieldOf(model, name)
    if (!field) return [`unknown field "${name}"`]
    if (!hasKnownType(field)) return []
    if (!factsOf(field.type).operators.includes(operator))
      return [`operator "${operator}" is not possible for "${name}" (${field.type})`]
    if (operator === 'empty' && typeof value !== 'boolean')
      return [`"empty" on "${name}" must be true or false`]
    if (operator === 'in' && !Array.isArray(value)) return [`"in" on "${name}" must be a list`]
    return []
  })
}

/** Errors in a definition's filters, including values: they aren't validated again at run time. */
export function checkOwnFilters(model: Model): string[] {
  const filters = [
    model.publicFilter,
    model.deleteOnly?.when,
    ...Object.values(model.actions).map(({ when }) => when),
    ...model.worklists.map(({ where }) => where),
  ].filter((filter) => filter != null)
  return filters.flatMap((filter) => checkOwnFilter(model, filter))
}

export function checkOwnFilter(model: Model, filter: Filter): string[] {
  if (hasEmptyPart(filter)) return ['filter must have at least one condition']
  const mistakes = checkFilter(model, filter)
  return mistakes.length > 0
    ? mistakes.map((mistake) => `filter: ${mistake}`)
    : checkValues(model, filter)
}

const hasEmptyPart = (filter: Filter): boolean =>
  partsOf(filter).length === 0 ||
  partsOf(filter).some((part) => !isCondition(part) && hasEmptyPart(part))

const checkValues = (model: Model, filter: Filter) =>
  conditionsOf(filter).flatMap((condition) => {
    const field = fieldOf(model, condition[0])
    return !field || !hasKnownType(field) || isRight(field, condition)
      ? []
      : [`filter value of "${condition[0]}" must fit ${field.type}`]
  })

function isRight(field: Field, [, operator, value]: Condition) {
  if (operator === 'empty') return true
  if (operator === 'in')
    return Array.isArray(value) && value.length > 0 && value.every((one) => isValue(field, one))
  return isValue(field, value)
}

function isValue(field: Field, value: Condition[2]) {
  const facts = factsOf(field.type)
  if (facts.json === 'integer') return Number.isInteger(value)
  if (facts.json === 'number' || facts.json === 'boolean') return typeof value === facts.json
  if (typeof value !== 'string') return false
  if (facts.format === 'date') return /^(@today([+-]\d{1,4}d)?|\d{4}-\d\d-\d\d)$/.test(value)
  if (facts.format === 'date-time')
    return /^(@now([+-]\d{1,4}[dh])?|\d{4}-\d\d-\d\dT[\d:.]+Z)$/.test(value)
  if (field.options && !field.free) return field.options.some((option) => option.value === value)
  return facts.format !== 'uuid' || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
}
