import { isCondition, isList, partsOf } from '@gatehouse/model'
import type { Condition, Operand, Operator, Value } from '@gatehouse/model'
import { formatDay, formatInstant } from '#base/dates.ts'
import { listMessages } from '#messages/list.ts'
import { recordMessages } from '#messages/record.ts'
import { typeOf } from '#forms/inputs/types.ts'
import type { DefinitionField } from '#data/field.ts'
import { lastDaysOf, nextDaysOf, type Chip, type Part } from './filter.ts'

/** What a filter is told with: the fields of the model, and the names of related records by their ids. */
export type Vocabulary = { fields: DefinitionField[]; names: Record<string, string> }

const NAMED_IN_A_CHIP = 2
const NAMED_IN_A_SENTENCE = 10

/** A chip: the field's label, and a few words. */
export function chipWords(chip: Chip, vocabulary: Vocabulary) {
  const [part] = chip
  if (!part) return { label: '', words: '' }
  if (!isCondition(part)) return { label: listMessages.aGroup, words: clause(part, vocabulary) }
  const [name, operator, value] = part
  const field = fieldOf(name, vocabulary)
  const next = nextDaysOf(chip)
  const last = isDate(field) ? lastDaysOf(part) : null
  const isLong = operator === 'in' && Array.isArray(value) && value.length > NAMED_IN_A_CHIP
  const words = () => {
    if (next !== null) return listMessages.nextDays(next)
    if (last !== null) return listMessages.lastDays(last)
    return isLong ? listMessages.anyOf(value.length) : predicate(part, field, vocabulary)
  }
  return { label: field.label, words: words() }
}

/** The whole filter as one sentence. */
export function sentenceOf(
  { title, q, chips }: { title: string; q: string; chips: Chip[] },
  vocabulary: Vocabulary,
) {
  const clauses = chips.map((chip) => chipClause(chip, vocabulary))
  const all = q ? [listMessages.searched(q), ...clauses] : clauses
  return all.length === 0
    ? listMessages.everything(title)
    : listMessages.sentence(title, listMessages.and(all))
}

function chipClause(chip: Chip, vocabulary: Vocabulary) {
  const [part] = chip
  const next = nextDaysOf(chip)
  if (next === null || !part || !isCondition(part))
    return chip.map((one) => clause(one, vocabulary)).join(' ')
  return `${fieldOf(part[0], vocabulary).label} ${listMessages.inNextDays(next)}`
}

function clause(part: Part, vocabulary: Vocabulary): string {
  if (!isCondition(part)) {
    const clauses = partsOf(part).map((one) => clause(one, vocabulary))
    return 'all' in part ? listMessages.and(clauses) : listMessages.or(clauses)
  }
  const field = fieldOf(part[0], vocabulary)
  const last = isDate(field) ? lastDaysOf(part) : null
  const words = last === null ? predicate(part, field, vocabulary) : listMessages.inLastDays(last)
  return `${field.label} ${words}`
}

function predicate([, operator, value]: Condition, field: DefinitionField, vocabulary: Vocabulary) {
  const words = listOf(value, field, vocabulary)
  switch (operator) {
    case 'eq':
    case 'in':
      return listMessages.is(words)
    case 'ne':
      return listMessages.isNot(words)
    case 'contains':
      return listMessages.contains(words)
    case 'startsWith':
      return listMessages.startsWith(words)
    case 'has':
      return listMessages.has(words)
    case 'empty':
      return value === true ? listMessages.isEmpty : listMessages.isFilled
    default:
      return listMessages.compared(choiceWords(operator, field), words)
  }
}

/** An operator as people say it of a field of this type. */
export function choiceWords(choice: Operator | Choice, field: DefinitionField): string {
  const ofDates: Record<string, string> = isDate(field) ? listMessages.dateChoices : {}
  const ofAll: Record<string, string> = listMessages.choices
  return ofDates[choice] ?? ofAll[choice] ?? choice
}
type Choice = keyof typeof listMessages.choices

function listOf(value: Operand, field: DefinitionField, { names }: Vocabulary) {
  if (!isList(value)) return valueWords(value, field, names)
  const shown = value.slice(0, NAMED_IN_A_SENTENCE).map((one) => valueWords(one, field, names))
  const rest = value.length - shown.length
  return listMessages.or(rest > 0 ? [...shown, listMessages.more(rest)] : shown)
}

function valueWords(value: Value, field: DefinitionField, names: Record<string, string>) {
  const text = String(value)
  if (text === '@me') return listMessages.me
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
      return field.options ? text : listMessages.quoted(text)
  }
}

function relativeWords(text: string) {
  const [, base, sign, amount, unit] = RELATIVE.exec(text) ?? []
  if (!base) return null
  if (!amount) return base === 'now' ? listMessages.now : listMessages.today
  const count = Number(amount)
  if (unit === 'h')
    return sign === '-' ? listMessages.hoursAgo(count) : listMessages.hoursAhead(count)
  return sign === '-' ? listMessages.daysAgo(count) : listMessages.daysAhead(count)
}

export const RELATIVE = /^@(today|now)(?:([+-])(\d{1,4})([dh]))?$/

export const isDate = (field: DefinitionField) => ['date', 'datetime'].includes(typeOf(field))

const fieldOf = (name: string, { fields }: Vocabulary): DefinitionField =>
  fields.find((field) => field.name === name) ?? { name, label: name, type: 'text' }
