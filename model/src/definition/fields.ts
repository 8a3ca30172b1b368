import { isStaff, type Access } from './access.ts'
import { factsOf, type FieldType } from './field-types.ts'
import type { FieldPrivacy } from './privacy.ts'

/** Text only. */
export const maxLengthOf = (field: Field) => field.maxLength ?? factsOf(field.type).text?.maxLength

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
  /** Its earlier names, oldest first. The column keeps the first; earlier versions of records are read through them. */
  formerly?: readonly string[]
  /** Retired field of another type that this one takes the place of. Both columns are kept the same until it is removed. */
  replaces?: string
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
  /** Numbers: the largest value. Files: how many, by default one. */
  max?: number
  /** Numbers only: distance between allowed values. */
  step?: number
  /** Unit shown beside the value. */
  unit?: string
  /** Decimal only: an amount of money in the currency of this select field, or `@site.currency`. */
  currency?: string
  /** Files only: allowed media types, such as `image/*`, judged by content; default: all. */
  accept?: readonly string[]
  /** Files only: size of the largest file; default: `FILES_MAX_MB`. */
  maxBytes?: number
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

/** How many files the field holds. */
export const maxFilesOf = ({ max = 1 }: Field) => max

/** Whether the field has a database column. */
export const isStored = (field: Field) => field.computed !== 'sql'

/** Whether search finds records by the digits of this telephone number. */
export const isSearchedPhone = (field: Field) =>
  factsOf(field.type).text?.search === 'digits' && isStored(field) && field.searchable !== false

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
  return erase !== 'null' && erase !== 'unlink' && erase !== 'file'
}

/** The given properties, as far as the field defines them. */
export const pickFacts = <K extends keyof Field>(field: Field, keys: readonly K[]) =>
  Object.fromEntries(keys.filter((key) => field[key] !== undefined).map((key) => [key, field[key]]))
