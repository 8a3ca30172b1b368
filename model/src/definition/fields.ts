import { isStaff, type Access } from './access.ts'
import { WEB_ADDRESS } from './text-patterns.ts'
import type { FieldPrivacy } from './privacy.ts'

const EQUALITY = ['eq', 'ne', 'in', 'empty'] as const
const ORDER = [...EQUALITY, 'lt', 'lte', 'gt', 'gte'] as const
const TEXT = [...EQUALITY, 'contains', 'startsWith'] as const

/** All filter operators; FIELD_TYPES says which a type allows. */
export type Operator = (typeof ORDER)[number] | (typeof TEXT)[number] | 'has'

type TypeFacts = {
  json: 'string' | 'integer' | 'number' | 'boolean' | 'array'
  column: 'text' | 'integer' | 'numeric' | 'boolean' | 'date' | 'timestamp' | 'textArray' | 'uuid'
  operators: readonly Operator[]
  /** Plain text: searchable, redactable, with a maximum length. */
  maxLength?: number
  format?: 'email' | 'uri' | 'date' | 'date-time' | 'uuid'
  pattern?: string
  /** The largest number a column holds; also keeps every number exact in JavaScript. */
  limit?: number
  /** Default step. */
  step?: number
  /** Long texts stay out of lists: a page of 25 must not read 25 documents. */
  long?: true
  sortable?: true
}

/** One row per field type: column, JSON type, operators. The inputs are in web/src/forms. */
export const FIELD_TYPES = {
  text: { json: 'string', column: 'text', operators: TEXT, maxLength: 200, sortable: true },
  textarea: {
    json: 'string',
    column: 'text',
    operators: ['contains', 'empty'],
    maxLength: 10_000,
    long: true,
  },
  markdown: {
    json: 'string',
    column: 'text',
    operators: ['contains', 'empty'],
    maxLength: 50_000,
    long: true,
  },
  email: {
    json: 'string',
    column: 'text',
    operators: TEXT,
    maxLength: 254,
    format: 'email',
    sortable: true,
  },
  tel: {
    json: 'string',
    column: 'text',
    operators: TEXT,
    maxLength: 40,
    pattern: '^\\+?[0-9][0-9 ()./-]{2,38}$',
  },
  url: {
    json: 'string',
    column: 'text',
    operators: TEXT,
    maxLength: 2_000,
    format: 'uri',
    // A link is shown to people: only what a browser opens as a page may be stored (no javascript:, no data:).
    pattern: WEB_ADDRESS,
  },
  integer: {
    json: 'integer',
    column: 'integer',
    operators: ORDER,
    limit: 2_147_483_647,
    sortable: true,
  },
  decimal: {
    json: 'number',
    column: 'numeric',
    operators: ORDER,
    limit: 99_999_999_999,
    step: 0.01,
    sortable: true,
  },
  boolean: { json: 'boolean', column: 'boolean', operators: ['eq', 'empty'], sortable: true },
  date: { json: 'string', column: 'date', operators: ORDER, format: 'date', sortable: true },
  datetime: {
    json: 'string',
    column: 'timestamp',
    operators: ORDER,
    format: 'date-time',
    sortable: true,
  },
  select: { json: 'string', column: 'text', operators: EQUALITY, sortable: true },
  multiselect: { json: 'array', column: 'textArray', operators: ['has', 'empty'] },
  relation: { json: 'string', column: 'uuid', operators: EQUALITY, format: 'uuid' },
} as const satisfies Record<string, TypeFacts>

export type FieldType = keyof typeof FIELD_TYPES

export const factsOf = (type: FieldType): TypeFacts => FIELD_TYPES[type]

/** For start-up checks: a definition may name an unknown type. */
export const hasKnownType = (field: Field) => Object.hasOwn(FIELD_TYPES, field.type)

/** Text only. */
export const maxLengthOf = (field: Field) => field.maxLength ?? factsOf(field.type).maxLength

/** `tone` is what a value means to staff; shown as an icon and a colour beside the label. */
export type Option = { value: string; label?: string; tone?: Tone }
export const TONES = ['danger', 'warning', 'info', 'success', 'neutral'] as const
export type Tone = (typeof TONES)[number]

export type Value = string | number | boolean | readonly string[] | null

export type Field = {
  type: FieldType
  label: string
  privacy: FieldPrivacy
  help?: string
  /** A value, or `@today`, `@now`, `@site.country`, `@site.currency`. */
  default?: Exclude<Value, null>
  options?: readonly Option[]
  /** Of a select: options are ordered, from least to most. */
  scale?: boolean
  /** Of a multiselect: free tags; options are suggestions. */
  free?: boolean
  /** Of a relation: the path of the model it leads to. */
  to?: string
  /** What deleting the record it leads to does; `restrict` refuses the deletion. */
  onDelete?: 'restrict' | 'unlink' | 'cascade'
  /** Of a relation: columns kept beside it in an index, for what the other record computes from all that lead to it. */
  covers?: readonly string[]
  required?: boolean
  /** Of a required field: anyone who may write this other one may leave it out on creation where the other has a value. */
  requiredUnless?: string
  /** In no response, form, filter or history: for behaviours alone. */
  hidden?: boolean
  visibleTo?: Access
  writableBy?: Access
  /** Only the server writes it. */
  readOnly?: boolean
  /** Set at creation; never changed afterwards, not even by undo. The relation of `rowScope: { via }` always is. */
  immutable?: boolean
  /**
   * What the server fills in from the creator: the name of a claim, or `name`. Not for admins, whose own value counts.
   * `isStaff` and `author` (a client's name, the site's for staff) apply to everyone.
   */
  stamp?: string
  min?: number
  max?: number
  step?: number
  unit?: string
  maxLength?: number
  /** Of a text: JSON Schema pattern; `help` explains it to people. */
  pattern?: string
  unique?: boolean
  sortable?: boolean
  /** Sortable for scoped users too; costs an index per kind of ownership. */
  scopedSort?: boolean
  searchable?: boolean
  /** Numbered by the database. */
  sequence?: boolean
  /** Computed by the model's behaviour: stored on every change, or in SQL when read. */
  computed?: 'column' | 'sql'
}

/** True where the database keeps a column for the field. */
export const isStored = (field: Field) => field.computed !== 'sql'

/** True where the server fills the field in for admins too, and nobody may send a value. */
export const isStampedForAll = ({ stamp }: Field) => stamp === 'isStaff' || stamp === 'author'

/** The server fills these in. A value that was sent is ignored, or refused where nobody may ever send one. */
export const isStamped = (field: Field, level: Access) =>
  Boolean(field.stamp) && (!isStaff(level) || isStampedForAll(field))

/** True where nobody but the server ever writes the field. */
export const isServerOnly = (field: Field) =>
  Boolean(field.readOnly || field.computed || field.sequence || field.hidden)

/** True where the column is NOT NULL: required, unless erasing a person needs the NULL. */
export const isNotNull = (field: Field, onErase: string) => {
  if (field.sequence) return true
  if (!field.required) return false
  const erase = field.privacy.personal ? (field.privacy.erase ?? onErase) : null
  return erase !== 'null' && erase !== 'unlink'
}

/** The facts that the field defines. */
export const pickFacts = <K extends keyof Field>(field: Field, keys: readonly K[]) =>
  Object.fromEntries(keys.filter((key) => field[key] !== undefined).map((key) => [key, field[key]]))
