import { isCondition, isList, partsOf } from '@gatehouse/model'
import type { Condition, Operand, Operator, Value } from '@gatehouse/model'
import { formatDay, formatInstant } from '#base/dates.ts'
import { filterMessages } from '#messages/filter.ts'
import { recordMessages } from '#messages/record.ts'
import { typeOf } from '#forms/inputs/types.ts'
import type { DefinitionField } from '#data/field.ts'
import { lastDaysOf, nextDaysOf, type Chip, type Part } from './filter.ts'

/** What a filter is told with: the fields of the model, and the names of related records by their ids. */
export type Vocabulary = { fields: DefinitionField[]; names: Names }
export type Names = Record<string, string>

const NAMED_IN_A_CHIP = 2
const NAMED_IN_A_SENTENCE = 10

/** A chip: the field's label, and a few words. */
export function chipWords(chip: Chip, vocabulary: Vocabulary) {
  const [part] = chip
  if (!part) return { label: '', words: '' }
  if (!isCondition(part)) return { label: filterMessages.aGroup, words: clause(part, vocabulary) }
  const [name, operator, value] = part
  const field = fieldOf(name, vocabulary)
  const next = nextDaysOf(chip)
  const last = isDate(field) ? lastDaysOf(part) : null
  const isLong = operator === 'in' && Array.isArray(value) && value.length > NAMED_IN_A_CHIP
  const words = () => {
    if (next !== null) return filterMessages.nextDays(next)
    if (last !== null) return filterMessages.lastDays(last)
    return isLong ? filterMessages.anyOf(value.length) : predicate(part, field, vocabulary)
  }
  return { label: field.label, words: words() }
}

/** The whole filter as one sentence. */
export function sentenceOf(
  { title, q, chips }: { title: string; q: string; chips: Chip[] },
  vocabulary: Vocabulary,
) {
  const clauses = chips.map((chip) => chipClause(chip, vocabulary))
  const all = q ? [filterMessages.searched(q), ...clauses] : clauses
  return all.length === 0
    ? filterMessages.everything(title)
    : filterMessages.sentence(title, filterMessages.and(all))
}

function chipClause(chip: Chip, vocabulary: Vocabulary) {
  const [part] = chip
  const next = nextDaysOf(chip)
  if (next === null || !part || !isCondition(part))
    return chip.map((one) => clause(one, vocabulary)).join(' ')
  return `${fieldOf(part[0], vocabulary).label} ${filterMessages.inNextDays(next)}`
}

function clause(part: Part, vocabulary: Vocabulary): string {
  if (!isCondition(part)) {
    const clauses = partsOf(part).map((one) => clause(one, vocabulary))
    return 'all' in part ? filterMessages.and(clauses) : filterMessages.or(clauses)
  }
  const field = fieldOf(part[0], vocabulary)
  const last = isDate(field) ? lastDaysOf(part) : null
  const words = last === null ? predicate(part, field, vocabulary) : filterMessages.inLastDays(last)
  return `${field.label} ${words}`
}

function predicate([, operator, value]: Condition, field: DefinitionField, vocabulary: Vocabulary) {
  const words = listOf(value, field, vocabulary)
  switch (operator) {
    case 'eq':
    case 'in':
      return filterMessages.is(words)
    case 'ne':
      return filterMessages.isNot(words)
    case 'contains':
      return filterMessages.contains(words)
    case 'startsWith':
      return filterMessages.startsWith(words)
    case 'has':
      return filterMessages.has(words)
    case 'empty':
      return value === true ? filterMessages.isEmpty : filterMessages.isFilled
    default:
      return filterMessages.compared(choiceWords(operator, field), words)
  }
}

/** An operator as people say it of a field of this type. */
export function choiceWords(choice: Operator | Choice, field: DefinitionField): string {
  const ofDates: Record<string, string> = isDate(field) ? filterMessages.dateChoices : {}
  const ofAll: Record<string, string> = filterMessages.choices
  return ofDates[choice] ?? ofAll[choice] ?? choice
}
type Choice = keyof typeof filterMessages.choices

function listOf(value: Operand, field: DefinitionField, { names }: Vocabulary) {
  if (!isList(value)) return valueWords(value, field, names)
  const shown = value.slice(0, NAMED_IN_A_SENTENCE).map((one) => valueWords(one, field, names))
  const rest = value.length - shown.length
  return filterMessages.or(rest > 0 ? [...shown, filterMessages.more(rest)] : shown)
}

function valueWords(value: Value, field: DefinitionField, names: Names) {
  const text = String(value)
  if (text === '@me') return filterMessages.me
  const option = field.options?.find((one) => one.value === value)
  if (option) return option.label ?? option.value
  switch (typeOf(field)) {
    case 'boolean':
      return value === true ? recordMessages.yes : recordMessages.no
    case 'date':
      return relativeWords(text) ?? formatDay(text)
    case 'datetime':
      return relativeWords(text) ?? formatInstant(text)
    case 'relation':
      return names[text] ?? text
    case 'integer':
    case 'decimal':
      return field.unit ? `${text} ${field.unit}` : text
    default:
      return field.options ? text : filterMessages.quoted(text)
  }
}

function relativeWords(text: string) {
  const [, base, sign, amount, unit] = RELATIVE.exec(text) ?? []
  if (!base) return null
  if (!amount) return base === 'now' ? filterMessages.now : filterMessages.today
  const count = Number(amount)
  if (unit === 'h')
    return sign === '-' ? filterMessages.hoursAgo(count) : filterMessages.hoursAhead(count)
  return sign === '-' ? filterMessages.daysAgo(count) : filterMessages.daysAhead(count)
}

export const RELATIVE = /^@(today|now)(?:([+-])(\d{1,4})([dh]))?$/

export const isDate = (field: DefinitionField) => ['date', 'datetime'].includes(typeOf(field))

const fieldOf = (name: string, { fields }: Vocabulary): DefinitionField =>
  fields.find((field) => field.name === name) ?? { name, label: name, type: 'text' }
