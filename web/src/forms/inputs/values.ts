import type { DefinitionField } from '#data/field.ts'
import { asShown } from './shown.ts'
import { inputTypeOf, typeOf } from './types.ts'

/** A field of a form: what the server's form metadata says of it. Only name, label and type are certain. */
export type FormField = DefinitionField & {
  required?: boolean
  /** Asked for when the record is created, and not afterwards. */
  immutable?: boolean
  help?: string
  free?: boolean
  min?: number
  max?: number
  step?: number
  maxLength?: number
  /** What our own server holds a value against: a JSON Schema. */
  rules?: Record<string, unknown>
  /** What the browser may fill in: `name`, `email`. */
  autocomplete?: string
  /** Takes the whole width, whatever its type. */
  isWide?: boolean
}

/** What a form holds while it is open: texts, ticks and lists. */
export type FormValues = Record<string, string | boolean | string[]>

/** The fields that differ between what a form began with and what it holds. */
export const changedFields = (fields: FormField[], start: FormValues, values: FormValues) =>
  fields.filter(({ name }) => !same(start[name], values[name])).map(({ name }) => name)

/** What a form begins with: the record, or on creation the defaults. */
export const startValues = (fields: FormField[], record?: Record<string, unknown>): FormValues =>
  Object.fromEntries(
    fields.map((field) => [
      field.name,
      record ? toInput(field, record[field.name]) : defaultOf(field),
    ]),
  )

/** A password that the server suggests is no secret of anybody's yet. */
const defaultOf = (field: FormField) =>
  toInput(isPassword(field) ? { ...field, type: 'text' } : field, field.default)

/** A stored value as its input shows it. */
export function toInput(field: FormField, value: unknown): string | boolean | string[] {
  const type = inputTypeOf(field)
  if (typeOf(field) === 'boolean') return isTrue(value)
  if (type === 'multiselect') return Array.isArray(value) ? value.map(toText) : []
  if (isPassword(field)) return ''
  const text = value === null || value === undefined ? '' : toText(value)
  const isInstant = type === 'datetime' || (type === 'datetime-local' && hasZone(text))
  return asShown(field, isInstant ? toLocal(text) : text)
}

/** Other servers store ticks as they like. */
export const isTrue = (value: unknown) => ['true', '1', 'on'].includes(toText(value).toLowerCase())

const hasZone = (value: unknown) =>
  typeof value === 'string' && /T.*(Z|[+-]\d{2}:?\d{2})$/.test(value)

/** What was typed, as the API takes it. What shows the stored value unchanged stays the stored value. */
export function fromInput(
  field: FormField,
  typed: string | boolean | string[] | undefined,
  stored?: unknown,
): unknown {
  if (stored !== undefined && same(toInput(field, stored), typed)) return stored
  const type = typeOf(field)
  if (type === 'boolean') return typed === true
  if (type === 'multiselect') return Array.isArray(typed) ? typed : []
  const text = typeof typed === 'string' ? typed : ''
  if (text === '') return null
  const inputType = inputTypeOf(field)
  // Nobody types it: it keeps the type it has.
  if (inputType === 'hidden' && toInput(field, field.default) === text) return field.default
  if (inputType === 'datetime-local' && hasZone(stored)) return toInstant(text) ?? text
  if (type === 'select')
    return (
      field.options?.find(({ value, sent }) => value === text && sent !== undefined)?.sent ?? text
    )
  // What can't be read goes out as it is: the server says what is wrong with it.
  if (type === 'integer' || type === 'decimal')
    return Number.isNaN(Number(text)) ? text : Number(text)
  if (type === 'datetime') return toInstant(text) ?? text
  return text
}

/** The body of a request: the form's fields, each as its type wants it. What a record doesn't hold, it isn't given unasked. */
export const toBody = (fields: FormField[], values: FormValues, record?: Record<string, unknown>) =>
  Object.fromEntries(
    fields
      .filter(
        (field) =>
          !record || field.name in record || !same(values[field.name], toInput(field, undefined)),
      )
      .map((field) => [field.name, fromInput(field, values[field.name], record?.[field.name])]),
  )

/** On a record that is there already a password is left alone unless a new one is typed. */
export const keptIfEmpty = (field: FormField): FormField =>
  isPassword(field) ? { ...field, required: false } : field

export const isPassword = (field: FormField) => inputTypeOf(field) === 'password'

/** Values that came as a plain form submission: every one a text, a tick is "on". */
export const fromFormData = (fields: FormField[], data: FormData): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter(({ name }) => data.has(name))
      .map((field) => {
        const type = typeOf(field)
        if (type === 'multiselect') return [field.name, data.getAll(field.name).map(String)]
        const text = String(data.get(field.name))
        return [
          field.name,
          fromInput(field, type === 'boolean' ? text === 'on' || text === 'true' : text),
        ]
      }),
  )

const toText = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function toInstant(local: string) {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** An instant as a datetime-local input shows it, in the reader's own time zone. */
function toLocal(instant: string) {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}
