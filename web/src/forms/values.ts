import { FIELD_TYPES, type FieldType } from '@gatehouse/model'
import type { DefinitionField } from '#models.ts'

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
      toInput(field, record ? record[field.name] : field.default),
    ]),
  )

/** A type nobody knows is a text. */
export const typeOf = ({ type }: DefinitionField): FieldType =>
  Object.hasOwn(FIELD_TYPES, type) ? (type as FieldType) : 'text'

/** A stored value as its input shows it. */
export function toInput(field: FormField, value: unknown): string | boolean | string[] {
  const type = typeOf(field)
  if (type === 'boolean') return value === true || value === 'true'
  if (type === 'multiselect') return Array.isArray(value) ? value.map(toText) : []
  if (value === null || value === undefined) return ''
  if (type === 'datetime') return toLocal(toText(value))
  if (type === 'date') return toText(value).replace(/^(\d{4}-\d{2}-\d{2})T.*$/s, '$1')
  return toText(value)
}

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
  // What can't be read goes out as it is: the server says what is wrong with it.
  if (type === 'integer' || type === 'decimal')
    return Number.isNaN(Number(text)) ? text : Number(text)
  if (type === 'datetime') return toInstant(text) ?? text
  return text
}

/** The body of a request: the form's fields, each as its type wants it. */
export const toBody = (
  fields: FormField[],
  values: FormValues,
  record: Record<string, unknown> = {},
) =>
  Object.fromEntries(
    fields.map((field) => [field.name, fromInput(field, values[field.name], record[field.name])]),
  )

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
