import { STORAGE } from '@gatehouse/model'
import type { FormValues } from './values.ts'

/** What was typed and not saved: the fields that differ, and what the relations among them are called. */
export type Typed = { values: FormValues; labels: Record<string, string> }

/** What was typed, with the record and the version that it was typed upon. */
export type RecordDraft = Typed & { record: Record<string, unknown> | null; etag: string | null }

const PREFIX = STORAGE.recordDraft.key.replace('*', '')

/** Of one person, one model, one record. */
export const draftKey = (sub: string, address: string) => `${PREFIX}${sub}:${address}`

/** Where the storage is full or closed to us, the form works on without it. */
export function writeDraft(key: string, draft: RecordDraft | null) {
  try {
    if (draft) sessionStorage.setItem(key, JSON.stringify(draft))
    else sessionStorage.removeItem(key)
  } catch {
    // The leave guard still asks.
  }
}

/** Whatever else may lie there is not ours. */
export function readDraft(key: string): RecordDraft | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
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

/** Somebody else has signed in in this tab: what the one before typed is none of their business. */
export function forgetDraftsOfOthers(sub: string) {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(PREFIX) && !key.startsWith(draftKey(sub, ''))) sessionStorage.removeItem(key)
}

const isValue = (value: unknown) =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'))
