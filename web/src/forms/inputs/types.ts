import {
  FIELD_TYPES,
  type CellName,
  type FieldType,
  type FilterInputName,
  type FormatterName,
  type InputName as OwnInputName,
  type TypeFacts,
} from '@gatehouse/model'
import type { DefinitionField } from '#data/field.ts'

type HtmlType = { as: FieldType; input: string; cell?: CellName; formatter?: FormatterName }

/** HTML's input types, which other servers may name: the facts of one of our types, except for these. */
const HTML_TYPES = {
  number: { as: 'decimal', input: 'number' },
  range: { as: 'decimal', input: 'range' },
  checkbox: { as: 'boolean', input: 'checkbox' },
  radio: { as: 'select', input: 'radio' },
  'datetime-local': {
    as: 'text',
    input: 'datetimeLocal',
    cell: 'instant',
    formatter: 'instant',
  },
  time: { as: 'text', input: 'time' },
  month: { as: 'text', input: 'month' },
  week: { as: 'text', input: 'week' },
  search: { as: 'text', input: 'search' },
  color: { as: 'text', input: 'color' },
  password: { as: 'text', input: 'password' },
  hidden: { as: 'text', input: 'hidden' },
} as const satisfies Record<string, HtmlType>

const SYNONYMS: Record<string, FieldType> = { string: 'text', bool: 'boolean' }

type HtmlName = keyof typeof HTML_TYPES

/** Inputs of our types and of HTML's. */
export type InputName = OwnInputName | (typeof HTML_TYPES)[HtmlName]['input']

/** Facts whose renderers are keys of a table. */
type FieldFacts = Omit<TypeFacts, 'input' | 'cell' | 'formatter' | 'filterInput'> & {
  input: InputName
  cell: CellName
  formatter: FormatterName
  filterInput: FilterInputName
}

export function fieldFacts(field: DefinitionField): FieldFacts {
  const type = readType(field)
  if (!isOneOf(HTML_TYPES, type)) return FIELD_TYPES[type]
  const { as, ...own } = HTML_TYPES[type]
  return { ...FIELD_TYPES[as], ...own }
}

/** The type of the value, which several HTML inputs share. */
export function typeOf(field: DefinitionField): FieldType {
  const type = readType(field)
  return isOneOf(HTML_TYPES, type) ? HTML_TYPES[type].as : type
}

export const isRelation = (field: DefinitionField) => fieldFacts(field).column === 'uuid'

/** A date, with or without a time. */
export const isDate = (field: DefinitionField) =>
  ['date', 'timestamp'].includes(fieldFacts(field).column)

export const isLong = (field: DefinitionField) => fieldFacts(field).text?.isLong === true

/** Unknown types are text, and so are choices of one without options, and files of a server that doesn’t say how many. */
function readType({ type: given, options, max }: DefinitionField): FieldType | HtmlName {
  const type = given.toLowerCase()
  if (isOneOf(FIELD_TYPES, type) && FIELD_TYPES[type].column === 'uuidArray' && max === undefined)
    return 'text'
  const known = isOneOf(FIELD_TYPES, type) || isOneOf(HTML_TYPES, type) ? type : synonymOf(type)
  const base = isOneOf(HTML_TYPES, known) ? HTML_TYPES[known].as : known
  return FIELD_TYPES[base].options === 'one' && !options?.length ? 'text' : known
}

const synonymOf = (type: string) =>
  (Object.hasOwn(SYNONYMS, type) ? SYNONYMS[type] : undefined) ?? 'text'

const isOneOf = <T extends object>(types: T, type: string): type is Extract<keyof T, string> =>
  Object.hasOwn(types, type)

/** Accepts the boolean formats of other servers. */
export const isTrue = (value: unknown) =>
  ['true', '1', 'on'].includes(toInputValue(value).toLowerCase())

export const toInputValue = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)
