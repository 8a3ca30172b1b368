import { FIELD_TYPES, type FieldType } from '@gatehouse/model'
import type { DefinitionField } from '#data/field.ts'

const HTML_TYPES = {
  number: 'decimal',
  range: 'decimal',
  checkbox: 'boolean',
  radio: 'select',
  'datetime-local': 'text',
  time: 'text',
  month: 'text',
  week: 'text',
  search: 'text',
  color: 'text',
  password: 'text',
  hidden: 'text',
} as const satisfies Record<string, FieldType>

const SYNONYMS: Record<string, FieldType> = { string: 'text', bool: 'boolean' }

export type InputType = FieldType | keyof typeof HTML_TYPES

/** Unknown types and selects without options are text. */
export function inputTypeOf({ type: given, options }: DefinitionField): InputType {
  const type = given.toLowerCase()
  if ((type === 'select' || type === 'radio') && !options?.length) return 'text'
  if (isOneOf(FIELD_TYPES, type) || isOneOf(HTML_TYPES, type)) return type
  return Object.hasOwn(SYNONYMS, type) ? (SYNONYMS[type] ?? 'text') : 'text'
}

/** The type of the value, which several HTML inputs share. */
export function typeOf(field: DefinitionField): FieldType {
  const type = inputTypeOf(field)
  return isOneOf(HTML_TYPES, type) ? HTML_TYPES[type] : type
}

const isOneOf = <T extends object>(types: T, type: string): type is Extract<keyof T, string> =>
  Object.hasOwn(types, type)

/** Accepts the boolean formats of other servers. */
export const isTrue = (value: unknown) =>
  ['true', '1', 'on'].includes(toInputValue(value).toLowerCase())

export const toInputValue = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)
