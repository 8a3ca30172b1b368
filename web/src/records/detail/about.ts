import type { Visitor } from '@gatehouse/model'
import { canDo, definitionAt, type Definition } from '#data/definitions.ts'
import type { FormField } from '#forms/inputs/values.ts'
import { deferJson, type Deferred } from '#records/shared/deferred.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'

export type About<R = Referrer> = {
  createdBy: { name: string | null; isYou: boolean } | null
  updatedBy: { name: string | null; isYou: boolean } | null
  referrers: R[]
  deleteRefusal: string | null
  /** Counts among the facts above the record. */
  facts?: { related: string; label: string; count: number; exact: boolean }[]
}
export type Referrer = {
  model: string
  field: string
  label: string
  title: string
  onDelete: 'restrict' | 'unlink' | 'cascade'
  count: number
  exact: boolean
}

export type RelatedList = Referrer & {
  definition: Definition
  query: string
  page: Deferred<{ items: RecordData[] }>
  /** Several fields of the same model refer here. */
  isTwice: boolean
}

export type Opened = { id: string; signal: AbortSignal }

/** Null for other servers. */
export const readAbout = (definition: Definition, { id, signal }: Opened) =>
  definition.trash
    ? deferJson<About>(`${definition.path}/${encodeURIComponent(id)}/about`, signal)
    : null

export const readAboutWithRelated = (
  definition: Definition,
  record: RecordData,
  opened: Opened,
): Deferred<About<RelatedList>> | null =>
  readAbout(definition, opened)?.then(
    (about) => about && { ...about, referrers: withRecords(about.referrers, record, opened) },
  ) ?? null

const RELATED_SHOWN = 5

const withRecords = (referrers: Referrer[], { id }: RecordData, { signal }: Opened) =>
  referrers.flatMap((referrer): RelatedList[] => {
    const definition = definitionAt(referrer.model)
    if (!definition || referrer.count === 0) return []
    const isTwice = referrers.filter(({ model }) => model === referrer.model).length > 1
    return [
      { ...referrer, definition, isTwice, ...readRelated(definition, referrer.field, id, signal) },
    ]
  })

/** The newest records of a model that refer to this one, and the query of the full list. */
export function readRelated(definition: Definition, by: string, id: unknown, signal: AbortSignal) {
  const filter = JSON.stringify({ all: [[by, 'eq', String(id)]] })
  const query = `${new URLSearchParams({ filter })}`
  const page: Deferred<{ items: RecordData[] }> = deferJson(
    `${definition.routeName}?${query}&limit=${RELATED_SHOWN}&total=none`,
    signal,
  )
  return { query, page }
}

export const readInputs = (definition: Definition, visitor: Visitor, { signal }: Opened) =>
  definition.trash && canDo(definition, 'update', visitor)
    ? deferJson<{ fields: FormField[] }>(`${definition.path}/form-metadata`, signal)
    : null
