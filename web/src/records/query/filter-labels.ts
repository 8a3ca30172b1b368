import { isCondition, isList, partsOf } from '@gatehouse/model'
import type { Condition, Operand, Operator, Value } from '@gatehouse/model'
import { filterMessages } from '#messages/filter.ts'
import { recordMessages } from '#messages/record.ts'
import { fieldFacts, isDate, isRelation } from '#forms/inputs/types.ts'
import { valueText } from '#records/shared/value-text.ts'
import type { DefinitionField } from '#data/field.ts'
import { lastDaysOf, nextDaysOf, type Chip, type FilterNode } from './filter.ts'

/** `names` are display names by record id. */
export type FilterContext = { fields: DefinitionField[]; names: Names }
export type Names = Record<string, string>

const NAMED_IN_A_CHIP = 2
const NAMED_IN_A_SENTENCE = 10

export function chipLabel(chip: Chip, context: FilterContext) {
  const [part] = chip
  if (!part) return { label: '', text: '' }
  if (!isCondition(part)) return { label: filterMessages.aGroup, text: clause(part, context) }
  const [name, operator, value] = part
  const field = fieldOf(name, context)
  const next = nextDaysOf(chip)
  const last = isDate(field) ? lastDaysOf(part) : null
  const isLong = operator === 'in' && Array.isArray(value) && value.length > NAMED_IN_A_CHIP
  const text = () => {
    if (next !== null) return filterMessages.nextDays(next)
    if (last !== null) return filterMessages.lastDays(last)
    return isLong ? filterMessages.anyOf(value.length) : predicate(part, field, context)
  }
  return { label: field.label, text: text() }
}

export function sentenceOf(
  { title, q, chips }: { title: string; q: string; chips: Chip[] },
  context: FilterContext,
) {
  const clauses = chips.map((chip) => chipClause(chip, context))
  const all = q ? [filterMessages.searched(q), ...clauses] : clauses
  return all.length === 0
    ? filterMessages.everything(title)
    : filterMessages.sentence(title, filterMessages.and(all))
}

function chipClause(chip: Chip, context: FilterContext) {
  const [part] = chip
  const next = nextDaysOf(chip)
  if (next === null || !part || !isCondition(part))
    return chip.map((one) => clause(one, context)).join(' ')
  return `${fieldOf(part[0], context).label} ${filterMessages.inNextDays(next)}`
}

function clause(part: FilterNode, context: FilterContext): string {
  if (!isCondition(part)) {
    const clauses = partsOf(part).map((one) => clause(one, context))
    return 'all' in part ? filterMessages.and(clauses) : filterMessages.or(clauses)
  }
  const field = fieldOf(part[0], context)
  const last = isDate(field) ? lastDaysOf(part) : null
  const text = last === null ? predicate(part, field, context) : filterMessages.inLastDays(last)
  return `${field.label} ${text}`
}

function predicate([, operator, value]: Condition, field: DefinitionField, context: FilterContext) {
  const text = listOf(value, field, context)
  switch (operator) {
    case 'eq':
    case 'in':
      return filterMessages.is(text)
    case 'ne':
      return filterMessages.isNot(text)
    case 'contains':
      return filterMessages.contains(text)
    case 'startsWith':
      return filterMessages.startsWith(text)
    case 'has':
      return filterMessages.has(text)
    case 'empty':
      return value === true ? filterMessages.isEmpty : filterMessages.isFilled
    default:
      return filterMessages.compared(choiceLabel(operator, field), text)
  }
}

export function choiceLabel(choice: Operator | Choice, field: DefinitionField): string {
  const ofDates: Record<string, string> = isDate(field) ? filterMessages.dateChoices : {}
  const ofAll: Record<string, string> = filterMessages.choices
  return ofDates[choice] ?? ofAll[choice] ?? choice
}
type Choice = keyof typeof filterMessages.choices

function listOf(value: Operand, field: DefinitionField, { names }: FilterContext) {
  if (!isList(value)) return operandText(value, field, names)
  const shown = value.slice(0, NAMED_IN_A_SENTENCE).map((one) => operandText(one, field, names))
  const rest = value.length - shown.length
  return filterMessages.or(rest > 0 ? [...shown, filterMessages.more(rest)] : shown)
}

function operandText(value: Value, field: DefinitionField, names: Names) {
  const text = String(value)
  if (text === '@me') return filterMessages.me
  const option = field.options?.find((one) => one.value === value)
  if (option) return option.label ?? option.value
  const { json, number } = fieldFacts(field)
  if (json === 'boolean') return value === true ? recordMessages.yes : recordMessages.no
  if (isRelation(field)) return names[text] ?? text
  if (isDate(field)) return relativeText(text) ?? formatted(value, field)
  // The currency may differ by record.
  if (number) return (field.currency ?? field.currencyField) ? text : formatted(value, field)
  return field.options ? text : filterMessages.quoted(text)
}

const formatted = (value: Value, field: DefinitionField) =>
  valueText(field, { [field.name]: value })

function relativeText(text: string) {
  const [, base, sign, amount, unit] = RELATIVE.exec(text) ?? []
  if (!base) return null
  if (!amount) return base === 'now' ? filterMessages.now : filterMessages.today
  const count = Number(amount)
  if (unit === 'h')
    return sign === '-' ? filterMessages.hoursAgo(count) : filterMessages.hoursAhead(count)
  return sign === '-' ? filterMessages.daysAgo(count) : filterMessages.daysAhead(count)
}

export const RELATIVE = /^@(today|now)(?:([+-])(\d{1,4})([dh]))?$/

const fieldOf = (name: string, { fields }: FilterContext): DefinitionField =>
  fields.find((field) => field.name === name) ?? { name, label: name, type: 'text' }
