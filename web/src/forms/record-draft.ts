import { useEffect, useEffectEvent } from 'react'
import { session } from '#base/storage.ts'
import type { InputLabel } from '#forms/inputs/record-inputs.tsx'
import { changedFields, isPassword, type FormField, type FormValues } from '#forms/inputs/values.ts'

/** Unsaved values of the changed fields, and display names of relations and files among them. */
export type Labels = Record<string, InputLabel>
export type UnsavedValues = { values: FormValues; labels: Labels }

export type RecordDraft = UnsavedValues & {
  record: Record<string, unknown> | null
  etag: string | null
}

type FormState = { start: FormValues; values: FormValues; labels: Labels }

/** Reports unsaved values on every change; null when there are none. Returns the changed names. */
export function useUnsavedValues(
  fields: FormField[],
  { start, values, labels }: FormState,
  onTyped?: (typed: UnsavedValues | null) => void,
) {
  const changed = changedFields(fields, start, values)
  const storable = changed.filter((name) => namesForDraft(fields).includes(name))
  const state = JSON.stringify(
    changed.length > 0 ? { values: only(values, storable), labels: only(labels, storable) } : null,
  )
  const report = useEffectEvent((now: string) => onTyped?.(JSON.parse(now)))
  useEffect(() => report(state), [state])
  return changed
}

/** The record's fields that the form compares with. */
export const recordForDraft = (fields: FormField[], record: Record<string, unknown>) =>
  only(record, [...namesForDraft(fields), 'labels', 'version'])

/** Drafts are stored in plain text, so passwords are excluded. */
const namesForDraft = (fields: FormField[]) =>
  fields.filter((field) => !isPassword(field)).map(({ name }) => name)

const only = <T>(from: Record<string, T>, names: string[]) =>
  Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])))

export function writeDraft(key: string, draft: RecordDraft | null) {
  if (draft && Object.keys(draft.values).length > 0) session.set(key, JSON.stringify(draft))
  else session.remove(key)
}

/** Ignores content in an unknown format. */
export function readDraft(key: string): RecordDraft | null {
  try {
    const stored: unknown = JSON.parse(session.get(key) ?? 'null')
    const { values, labels, record, etag } = Object(stored) as Partial<RecordDraft>
    if (typeof values !== 'object' || values === null || !Object.values(values).every(isValue))
      return null
    return {
      values,
      labels: typeof labels === 'object' && labels !== null ? labels : {},
      record: typeof record === 'object' ? record : null,
      etag: typeof etag === 'string' ? etag : null,
    }
  } catch {
    return null
  }
}

const isValue = (value: unknown) =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'))
