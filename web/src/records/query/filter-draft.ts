import { isCondition, type Operator, type Value } from '@gatehouse/model'
import { fieldFacts, isDate, isRelation } from '#forms/inputs/types.ts'
import { fromInput, toInput } from '#forms/inputs/values.ts'
import type { DefinitionField } from '#data/field.ts'
import type { Names } from './filter-labels.ts'
import { lastDaysOf, nextDays, nextDaysOf, type Chip } from './filter.ts'

/** Conditions of a field: its operators, empty or not, relative periods. */
export type Choice = Operator | 'filled' | 'last' | 'next'

/** A condition being edited: values as strings. */
export type Draft = { field: string; choice: Choice; values: string[] }

export type ValueProps = {
  field: DefinitionField
  choice: Choice
  values: string[]
  names: Names
  /** Reports the display name of a choice, for the chip. */
  onNamed: (names: Names) => void
  onChange: (values: string[]) => void
}

export const toggleValue = (values: string[], value: string, isOn: boolean) =>
  isOn ? [...values, value] : values.filter((one) => one !== value)

export function choicesOf(field: DefinitionField): Choice[] {
  const { operators, options } = fieldFacts(field)
  const choices = operators.flatMap((one): Choice[] =>
    one === 'empty' ? ['empty', 'filled'] : [one],
  )
  if (isDate(field)) return ['last', 'next', ...choices]
  // Several of many choices are the usual condition.
  return options === 'one' || isRelation(field)
    ? ['in', ...choices.filter((one) => one !== 'in')]
    : choices
}

export const valueCount = (choice: Choice): 'none' | 'one' | 'many' => {
  if (choice === 'empty' || choice === 'filled') return 'none'
  return choice === 'in' ? 'many' : 'one'
}

/** A chip as a draft; null if the editor can't show it. */
export function toDraft(chip: Chip, fields: DefinitionField[]): Draft | null {
  const [part, ...more] = chip
  if (!part || !isCondition(part)) return null
  const [name, operator, value] = part
  const field = fields.find((one) => one.name === name)
  if (!field) return null
  const next = nextDaysOf(chip)
  if (more.length > 0) return next === null ? null : draft('next', [String(next)])
  if (operator === 'empty') return draft(value === true ? 'empty' : 'filled', [])
  const last = isDate(field) ? lastDaysOf(part) : null
  if (last !== null) return draft('last', [String(last)])
  const isKnown = choicesOf(field).includes(operator)
  if (!isKnown || Array.isArray(value) !== (operator === 'in')) return null
  return draft(
    operator,
    [value].flat().map((one) => toText(one, field)),
  )

  function draft(choice: Choice, values: string[]): Draft {
    return { field: name, choice, values }
  }
}

/** The draft as a chip; null if incomplete. */
export function fromDraft({ choice, values }: Draft, field: DefinitionField): Chip | null {
  const { name } = field
  const base = fieldFacts(field).column === 'date' ? 'today' : 'now'
  const [first = ''] = values
  if (choice === 'empty' || choice === 'filled') return [[name, 'empty', choice === 'empty']]
  if (choice === 'last' || choice === 'next') {
    const days = /^[1-9]\d{0,3}$/.test(first) ? Number(first) : null
    if (days === null) return null
    return choice === 'last' ? [[name, 'gte', `@${base}-${days}d`]] : nextDays(name, base, days)
  }
  const read = values.map((text) => toValue(text, field))
  if (read.length === 0 || read.some((one) => one === null)) return null
  return [[name, choice, choice === 'in' ? (read as string[]) : (read[0] ?? null)]]
}

/** Numbers as a form shows and reads them. */
const toText = (value: Value, field: DefinitionField) =>
  String(fieldFacts(field).number ? toInput(field, value) : value)

function toValue(text: string, field: DefinitionField): Value {
  const { json, number } = fieldFacts(field)
  if (text.trim() === '') return null
  if (json === 'boolean') return text === 'true'
  if (!number) return text
  const value = fromInput(field, text)
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
