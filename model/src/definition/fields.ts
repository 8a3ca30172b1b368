import { isStaff, type Access } from './access.ts'
import { WEB_ADDRESS } from './text-patterns.ts'
import type { FieldPrivacy } from './privacy.ts'

const EQUALITY = ['eq', 'ne', 'in', 'empty'] as const
const ORDER = [...EQUALITY, 'lt', 'lte', 'gt', 'gte'] as const
const TEXT = [...EQUALITY, 'contains', 'startsWith'] as const

/**
 * Filter operators; each field type allows some of them. `eq`, `ne`: equal, not equal. `in`: one of a list. `empty`: takes true
 * or false. `lt`, `lte`, `gt`, `gte`: less, at most, greater, at least. `contains`, `startsWith`: ignore case. `has`: a
 * multiselect with this option.
 */
export type Operator = (typeof ORDER)[number] | (typeof TEXT)[number] | 'has'

type TypeFacts = {
  /** Type in JSON. */
  json: 'string' | 'integer' | 'number' | 'boolean' | 'array'
  /** Type of the database column. */
  column: 'text' | 'integer' | 'numeric' | 'boolean' | 'date' | 'timestamp' | 'textArray' | 'uuid'
  /** Operators a filter may use. */
  operators: readonly Operator[]
  /** Plain text: searchable, redactable, with a maximum length. */
  maxLength?: number
  /** JSON Schema format. */
  format?: 'email' | 'uri' | 'date' | 'date-time' | 'uuid'
  /** JSON Schema pattern. */
  pattern?: string
  /** The largest number of the column; ensures that every number is exact in JavaScript. */
  limit?: number
  /** Default step. */
  step?: number
  /** Long texts are omitted from lists: a page of 25 must not read 25 documents. */
  long?: true
  /** Whether a field of this type may be `sortable`. */
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
    // Shown as a link, so only URLs that a browser opens as a page may be stored (no javascript:, no data:).
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

/** `tone` is shown to staff as an icon and a colour beside the label. */
export type Option = { value: string; label?: string; tone?: Tone }
export const TONES = ['danger', 'warning', 'info', 'success', 'neutral'] as const
export type Tone = (typeof TONES)[number]

export type Value = string | number | boolean | readonly string[] | null

export type Field = {
  /** One of the field types. */
  type: FieldType
  /** Name shown in forms, lists and messages. */
  label: string
  /** Whether the value is personal data, and why it is kept; has no default. */
  privacy: FieldPrivacy
  /** Sentence shown below the input. */
  help?: string
  /** A value, or `@today`, `@now`, `@site.country`, `@site.currency`. */
  default?: Exclude<Value, null>
  /** Select and multiselect only: the allowed values, each with an optional label and tone. */
  options?: readonly Option[]
  /** Select only: options are ordered from least to most. */
  scale?: boolean
  /** Multiselect only: free tags; options are suggestions. */
  free?: boolean
  /** Relation only: path of the target model. */
  to?: string
  /** Effect of deleting the target record; `restrict` rejects the deletion. */
  onDelete?: 'restrict' | 'unlink' | 'cascade'
  /** Relation only: columns added to its index, for what the target computes or counts from all records that refer to it. */
  covers?: readonly string[]
  /** Must have a value. */
  required?: boolean
  /** Required field only: may be omitted on creation if this other field has a value, by callers who may write the other. */
  requiredUnless?: string
  /** For behaviours only: absent from responses, forms, filters and history. */
  hidden?: boolean
  /** Lowest level that reads it; default: every caller who sees the record. */
  visibleTo?: Access
  /** Lowest level that writes it; default: every caller who may write the record. */
  writableBy?: Access
  /** Only the server writes it. */
  readOnly?: boolean
  /** Set at creation; never changed afterwards, not even by undo. The relation of `rowScope: { via }` is always immutable. */
  immutable?: boolean
  /**
   * Filled in by the server from the creator: a claim, or `name`. Admins send their own value instead, except for `isStaff` and
   * `author` (a client's name, the site's for staff), which apply to all callers.
   */
  stamp?: string
  /** Numbers only: the smallest value. */
  min?: number
  /** Numbers only: the largest value. */
  max?: number
  /** Numbers only: distance between allowed values. */
  step?: number
  /** Unit shown beside the value. */
  unit?: string
  /** Decimal only: an amount of money in the currency of this select field, or `@site.currency`. */
  currency?: string
  /** Text only: replaces the maximum length of the type. */
  maxLength?: number
  /** Text only: JSON Schema pattern; `help` explains it to users. */
  pattern?: string
  /** No two records have the same value. */
  unique?: boolean
  /** Lists can be sorted by it. */
  sortable?: boolean
  /** Also sortable for scoped users; needs an index per ownership column. */
  scopedSort?: boolean
  /** The search of a list finds its text. Telephone numbers are found by their digits unless this is false. */
  searchable?: boolean
  /** Numbered by the database. */
  sequence?: boolean
  /** Computed by the model's behaviour: stored on every change, or in SQL when read. */
  computed?: 'column' | 'sql'
}

/** Whether the field has a database column. */
export const isStored = (field: Field) => field.computed !== 'sql'

/** Whether search finds records by the digits of this telephone number. */
export const isSearchedPhone = (field: Field) =>
  field.type === 'tel' && isStored(field) && field.searchable !== false

/** Whether the server fills the field in even for admins, so no caller may send a value. */
export const isStampedForAll = ({ stamp }: Field) => stamp === 'isStaff' || stamp === 'author'

/** Whether the server fills the field in. A sent value is ignored, or rejected if no caller may ever send one. */
export const isStamped = (field: Field, level: Access) =>
  Boolean(field.stamp) && (!isStaff(level) || isStampedForAll(field))

/** Whether only the server writes the field. */
export const isServerOnly = (field: Field) =>
  Boolean(field.readOnly || field.computed || field.sequence || field.hidden)

/** Whether the column is NOT NULL: required, unless erasure sets it to NULL. */
export const isNotNull = (field: Field, onErase: string) => {
  if (field.sequence) return true
  if (!field.required) return false
  const erase = field.privacy.personal ? (field.privacy.erase ?? onErase) : null
  return erase !== 'null' && erase !== 'unlink'
}

/** The given properties, as far as the field defines them. */
export const pickFacts = <K extends keyof Field>(field: Field, keys: readonly K[]) =>
  Object.fromEntries(keys.filter((key) => field[key] !== undefined).map((key) => [key, field[key]]))
