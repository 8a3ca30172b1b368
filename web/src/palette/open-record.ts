import { useMatches } from 'react-router'
import { definitionAt, type Definition } from '#data/definitions.ts'
import { asObject } from '#data/field.ts'
import type { RecordData } from '#data/records.ts'

export type OpenRecord = { definition: Definition; record: RecordData }

/** The record of the current page, from its loader; null on other pages and in the trash. */
export function useOpenRecord(): OpenRecord | null {
  const { params, loaderData } = useMatches().at(-1) ?? {}
  const definition = definitionAt(params?.['model'] ?? '')
  const { record, isTrashed } = asObject(loaderData)
  if (!definition || isTrashed || typeof record !== 'object' || record === null) return null
  return { definition, record: record as RecordData }
}
