import type { DefinitionField } from '#data/field.ts'
import { INPUT_VALUES, type Typed } from './input-values.ts'
import { fieldFacts } from './types.ts'

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
  step?: number
  maxLength?: number
  /** Media types of files; empty: all. */
  accept?: readonly string[]
  maxBytes?: number
  /** JSON Schema, from our own server. */
  rules?: Record<string, unknown>
  autocomplete?: string
  /** Full width, whatever its type. */
  isWide?: boolean
}

export type FormValues = Record<string, Typed>

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

export const toInput = (field: FormField, stored: unknown): Typed =>
  INPUT_VALUES[fieldFacts(field).input].toInput(stored, field)

/** Unchanged input returns the stored value itself. */
export function fromInput(field: FormField, typed: Typed | undefined, stored?: unknown): unknown {
  if (stored !== undefined && same(toInput(field, stored), typed)) return stored
  return INPUT_VALUES[fieldFacts(field).input].fromInput(typed, field, stored)
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

export const isPassword = (field: FormField) => fieldFacts(field).input === 'password'

/** Values of a native form post: strings only, a tick is "on". */
export const fromFormData = (fields: FormField[], data: FormData): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter(({ name }) => data.has(name))
      .map((field) => {
        const { json } = fieldFacts(field)
        if (json === 'array') return [field.name, data.getAll(field.name).map(String)]
        const text = String(data.get(field.name))
        return [
          field.name,
          fromInput(field, json === 'boolean' ? text === 'on' || text === 'true' : text),
        ]
      }),
  )

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
