import { session } from '#base/storage.ts'
import { isPassword, type FormField, type FormValues } from '#forms/inputs/values.ts'

/** What was typed and not saved: the fields that differ, and what the relations among them are called. */
export type Typed = { values: FormValues; labels: Record<string, string> }

/** What was typed, with the record and the version that it was typed upon. */
export type RecordDraft = Typed & { record: Record<string, unknown> | null; etag: string | null }

/** Of a record what the form compares with. A draft is kept in clear: a password is never part of it. */
export const recordForDraft = (fields: FormField[], record: Record<string, unknown>) =>
  only(record, [...namesForDraft(fields), 'labels'])

export const namesForDraft = (fields: FormField[]) =>
  fields.filter((field) => !isPassword(field)).map(({ name }) => name)

export const only = <T>(from: Record<string, T>, names: string[]) =>
  Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])))

export function writeDraft(key: string, draft: RecordDraft | null) {
  if (draft && Object.keys(draft.values).length > 0) session.set(key, JSON.stringify(draft))
  else session.remove(key)
}

/** Whatever else may lie there is not ours. */
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
