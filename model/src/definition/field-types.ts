import { WEB_ADDRESS } from './text-patterns.ts'

const EQUALITY = ['eq', 'ne', 'in', 'empty'] as const
const ORDER = [...EQUALITY, 'lt', 'lte', 'gt', 'gte'] as const
const TEXT = [...EQUALITY, 'contains', 'startsWith'] as const

/**
 * Filter operators; each field type allows some of them. `eq`, `ne`: equal, not equal. `in`: one of a list. `empty`: takes true
 * or false. `lt`, `lte`, `gt`, `gte`: less, at most, greater, at least. `contains`, `startsWith`: ignore case. `has`: a
 * multiselect with this option.
 */
export type Operator = (typeof ORDER)[number] | (typeof TEXT)[number] | 'has'

/** Text that is typed: searchable, with a maximum length. */
type TextFacts = {
  /** Default maximum length. */
  maxLength: number
  /** JSON Schema pattern; null allows any characters of a line or of lines. */
  pattern: string | null
  /** Has lines. Omitted from lists: a page of 25 must not read 25 documents. */
  isLong: boolean
  /** Any words: may be declared as free text, redacted or replaced by a pseudonym. */
  isFreeText: boolean
  /** How search compares it: by words, as a complete email address in any case, or also by the digits of a telephone number. */
  search: 'words' | 'address' | 'digits'
}

type NumberFacts = {
  /** The largest number of the column; ensures that every number is exact in JavaScript. */
  limit: number
  /** Default step; null if the JSON type implies it. */
  step: number | null
}

/** What the code decides by type. Every fact is required, so that a new type states all of them. */
export type TypeFacts = {
  /** Type in JSON. */
  json: 'string' | 'integer' | 'number' | 'boolean' | 'array'
  /** Type of the database column. */
  column:
    | 'text'
    | 'integer'
    | 'numeric'
    | 'boolean'
    | 'date'
    | 'timestamp'
    | 'textArray'
    | 'uuid'
    | 'uuidArray'
  /** Operators a filter may use. */
  operators: readonly Operator[]
  /** JSON Schema format. */
  format: 'email' | 'uri' | 'date' | 'date-time' | 'uuid' | null
  text: TextFacts | null
  number: NumberFacts | null
  /** Whether a value is one of the field's options, or a list of them. */
  options: 'one' | 'many' | null
  /** Whether a field may be `sortable`. */
  canSort: boolean
  /** Whether a field may be `unique`. */
  canBeUnique: boolean
  /** Form input: a name in the tables of web/src/forms/inputs. */
  input: string
  /** Element in lists and on pages: a name in web/src/records/shared/cell.tsx. */
  cell: string
  /** A value as words: a name in web/src/records/shared/value-text.ts. */
  formatter: string
  /** Input of the filter editor: a name in web/src/records/filter/value-input.tsx. */
  filterInput: string
}

/** One row per field type. A new type: a row here, then a renderer wherever the compiler asks for one (decision 61). */
export const FIELD_TYPES = {
  text: {
    json: 'string',
    column: 'text',
    operators: TEXT,
    format: null,
    text: {
      maxLength: 200,
      pattern: null,
      isLong: false,
      isFreeText: true,
      search: 'words',
    },
    number: null,
    options: null,
    canSort: true,
    canBeUnique: true,
    input: 'line',
    cell: 'text',
    formatter: 'plain',
    filterInput: 'text',
  },
  textarea: {
    json: 'string',
    column: 'text',
    operators: ['contains', 'empty'],
    format: null,
    text: {
      maxLength: 10_000,
      pattern: null,
      isLong: true,
      isFreeText: true,
      search: 'words',
    },
    number: null,
    options: null,
    canSort: false,
    canBeUnique: false,
    input: 'lines',
    cell: 'lines',
    formatter: 'plain',
    filterInput: 'text',
  },
  markdown: {
    json: 'string',
    column: 'text',
    operators: ['contains', 'empty'],
    format: null,
    text: {
      maxLength: 50_000,
      pattern: null,
      isLong: true,
      isFreeText: true,
      search: 'words',
    },
    number: null,
    options: null,
    canSort: false,
    canBeUnique: false,
    input: 'markdown',
    cell: 'markdown',
    formatter: 'plain',
    filterInput: 'text',
  },
  email: {
    json: 'string',
    column: 'text',
    operators: TEXT,
    format: 'email',
    text: {
      maxLength: 254,
      pattern: null,
      isLong: false,
      isFreeText: false,
      search: 'address',
    },
    number: null,
    options: null,
    canSort: true,
    canBeUnique: true,
    input: 'email',
    cell: 'email',
    formatter: 'plain',
    filterInput: 'text',
  },
  tel: {
    json: 'string',
    column: 'text',
    operators: TEXT,
    format: null,
    text: {
      maxLength: 40,
      pattern: '^\\+?[0-9][0-9 ()./-]{2,38}$',
      isLong: false,
      isFreeText: false,
      search: 'digits',
    },
    number: null,
    options: null,
    canSort: false,
    canBeUnique: true,
    input: 'tel',
    cell: 'tel',
    formatter: 'plain',
    filterInput: 'text',
  },
  url: {
    json: 'string',
    column: 'text',
    operators: TEXT,
    format: 'uri',
    text: {
      maxLength: 2_000,
      // Shown as a link, so only URLs that a browser opens as a page may be stored (no javascript:, no data:).
      pattern: WEB_ADDRESS,
      isLong: false,
      isFreeText: false,
      search: 'words',
    },
    number: null,
    options: null,
    canSort: false,
    canBeUnique: true,
    input: 'url',
    cell: 'url',
    formatter: 'plain',
    filterInput: 'text',
  },
  integer: {
    json: 'integer',
    column: 'integer',
    operators: ORDER,
    format: null,
    text: null,
    number: { limit: 2_147_483_647, step: null },
    options: null,
    canSort: true,
    canBeUnique: true,
    input: 'integer',
    cell: 'text',
    formatter: 'number',
    filterInput: 'number',
  },
  decimal: {
    json: 'number',
    column: 'numeric',
    operators: ORDER,
    format: null,
    text: null,
    number: { limit: 99_999_999_999, step: 0.01 },
    options: null,
    canSort: true,
    canBeUnique: true,
    input: 'decimal',
    cell: 'text',
    formatter: 'number',
    filterInput: 'number',
  },
  boolean: {
    json: 'boolean',
    column: 'boolean',
    operators: ['eq', 'empty'],
    format: null,
    text: null,
    number: null,
    options: null,
    canSort: true,
    canBeUnique: false,
    input: 'toggle',
    cell: 'yesNo',
    formatter: 'plain',
    filterInput: 'yesNo',
  },
  date: {
    json: 'string',
    column: 'date',
    operators: ORDER,
    format: 'date',
    text: null,
    number: null,
    options: null,
    canSort: true,
    canBeUnique: true,
    input: 'date',
    cell: 'text',
    formatter: 'day',
    filterInput: 'when',
  },
  datetime: {
    json: 'string',
    column: 'timestamp',
    operators: ORDER,
    format: 'date-time',
    text: null,
    number: null,
    options: null,
    canSort: true,
    canBeUnique: true,
    input: 'instant',
    cell: 'instant',
    formatter: 'instant',
    filterInput: 'when',
  },
  select: {
    json: 'string',
    column: 'text',
    operators: EQUALITY,
    format: null,
    text: null,
    number: null,
    options: 'one',
    canSort: true,
    canBeUnique: true,
    input: 'select',
    cell: 'option',
    formatter: 'option',
    filterInput: 'text',
  },
  multiselect: {
    json: 'array',
    column: 'textArray',
    operators: ['has', 'empty'],
    format: null,
    text: null,
    number: null,
    options: 'many',
    canSort: false,
    canBeUnique: false,
    input: 'multiselect',
    cell: 'text',
    formatter: 'list',
    filterInput: 'text',
  },
  relation: {
    json: 'string',
    column: 'uuid',
    operators: EQUALITY,
    format: 'uuid',
    text: null,
    number: null,
    options: null,
    canSort: false,
    canBeUnique: true,
    input: 'relation',
    cell: 'relation',
    formatter: 'label',
    filterInput: 'relation',
  },
  // Its value is a list of IDs; names, types and sizes are labels.
  file: {
    json: 'array',
    column: 'uuidArray',
    operators: ['empty'],
    format: null,
    text: null,
    number: null,
    options: null,
    canSort: false,
    canBeUnique: false,
    input: 'files',
    cell: 'files',
    formatter: 'files',
    filterInput: 'text',
  },
} as const satisfies Record<string, TypeFacts>

export type FieldType = keyof typeof FIELD_TYPES

/** Names of the renderers: each has a table in web whose keys are exactly these. */
export type InputName = RendererOf<'input'>
export type CellName = RendererOf<'cell'>
export type FormatterName = RendererOf<'formatter'>
export type FilterInputName = RendererOf<'filterInput'>

type RendererOf<K extends keyof TypeFacts> = (typeof FIELD_TYPES)[FieldType][K]

export const factsOf = (type: FieldType): TypeFacts => FIELD_TYPES[type]

type Typed = { type: FieldType }

/** For start-up checks: a definition may name an unknown type. */
export const hasKnownType = ({ type }: Typed) => Object.hasOwn(FIELD_TYPES, type)

const knownFacts = (field: Typed | undefined) =>
  field && hasKnownType(field) ? factsOf(field.type) : undefined

/** Refers to a record. */
export const isRelation = (field: Typed | undefined) => knownFacts(field)?.column === 'uuid'

/** Holds files. */
export const isFile = (field: Typed | undefined) => knownFacts(field)?.column === 'uuidArray'

/** An email address: compared without regard to case. */
export const isAddress = (field: Typed | undefined) => knownFacts(field)?.text?.search === 'address'

/** One line of any words. */
export function isPlainLine(field: Typed | undefined) {
  const { isFreeText = false, isLong = false } = knownFacts(field)?.text ?? {}
  return isFreeText && !isLong
}
