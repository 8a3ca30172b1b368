import type { DefinitionField } from '#data/field.ts'
import { normaliseInputValue } from './normalised-value.ts'
import { inputTypeOf, isTrue, toInputValue, typeOf } from './types.ts'

/** A field of the server's form metadata. Only name, label and type are guaranteed. */
export type FormField = DefinitionField & {
  required?: boolean
  /** On creation, not required if this other field has a value. */
  requiredUnless?: string
  /** Writable on creation only. */
  immutable?: boolean
  help?: string
  free?: boolean
  min?: number
  max?: number
  step?: number
  maxLength?: number
  /** JSON Schema, from our own server. */
  rules?: Record<string, unknown>
  autocomplete?: string
  /** Full width, whatever its type. */
  isWide?: boolean
}

export type FormValues = Record<string, string | boolean | string[]>

export const changedFields = (fields: FormField[], start: FormValues, values: FormValues) =>
  fields.filter(({ name }) => !same(start[name], values[name])).map(({ name }) => name)

export const startValues = (fields: FormField[], record?: Record<string, unknown>): FormValues =>
  Object.fromEntries(
    fields.map((field) => [
      field.name,
      record ? toInput(field, record[field.name]) : defaultOf(field),
    ]),
  )

/** A default password may be shown: it is not in use yet. */
const defaultOf = (field: FormField) =>
  toInput(isPassword(field) ? { ...field, type: 'text' } : field, field.default)

export function toInput(field: FormField, value: unknown): string | boolean | string[] {
  const type = inputTypeOf(field)
  if (typeOf(field) === 'boolean') return isTrue(value)
  if (type === 'multiselect') return Array.isArray(value) ? value.map(toInputValue) : []
  if (isPassword(field)) return ''
  const text = value === null || value === undefined ? '' : toInputValue(value)
  const isInstant = type === 'datetime' || (type === 'datetime-local' && hasZone(text))
  return normaliseInputValue(field, isInstant ? toLocal(text) : text)
}

const hasZone = (value: unknown) =>
  typeof value === 'string' && /T.*(Z|[+-]\d{2}:?\d{2})$/.test(value)

/** Unchanged input returns the stored value itself. */
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
  // Hidden inputs are never edited: the original type is kept.
  if (inputType === 'hidden' && toInput(field, field.default) === text) return field.default
  if (inputType === 'datetime-local' && hasZone(stored)) return toInstant(text) ?? text
  if (type === 'select')
    return (
      field.options?.find(({ value, sent }) => value === text && sent !== undefined)?.sent ?? text
    )
  // Unparsable input is sent unchanged: the server reports the error.
  if (type === 'integer' || type === 'decimal')
    return Number.isNaN(Number(text)) ? text : Number(text)
  if (type === 'datetime') return toInstant(text) ?? text
  return text
}

/** The request body: every field as shown. An empty password keeps the stored one. */
export const toBody = (fields: FormField[], values: FormValues, record?: Record<string, unknown>) =>
  Object.fromEntries(
    fields
      .filter(
        (field) =>
          !record || !isPassword(field) || field.name in record || values[field.name] !== '',
      )
      .map((field) => [field.name, fromInput(field, values[field.name], record?.[field.name])]),
  )

/** On edit, an empty password keeps the stored one. */
export const optionalOnEdit = (field: FormField): FormField =>
  isPassword(field) ? { ...field, required: false } : field

export const isPassword = (field: FormField) => inputTypeOf(field) === 'password'

/** Values of a native form post: strings only, a tick is "on". */
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

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function toInstant(local: string) {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** An instant for a datetime-local input, in the reader's time zone. */
function toLocal(instant: string) {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}
