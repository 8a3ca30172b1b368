import type { Definition } from '#data/definitions.ts'
import { readingFieldOf } from '#data/reading.ts'
import { rowsOf, type RecordData } from '#data/records.ts'

/** Reads the API: over the network in the browser, in process on the server. */
export type Get = (path: string) => Promise<unknown>
export type IndexRequest = { definition: Definition; get: Get; query: URLSearchParams; now: Date }
export type PageRequest = { definition: Definition; get: Get; record: RecordData }

const PAGE_SIZE = 100

/** Key of a record in its address. */
export const keyOf = (definition: Definition, record: RecordData) =>
  String(record[readingFieldOf(definition) ?? ''] ?? '')

export const readRows = async (get: Get, path: string) => rowsOf(await get(path)) ?? []

/** Every row of a list, a page at a time. */
export async function readAllRows(get: Get, path: string) {
  const rows: RecordData[] = []
  for (let after = ''; ;) {
    const body = await get(
      `${path}?limit=${PAGE_SIZE}&total=none${after && `&after=${encodeURIComponent(after)}`}`,
    )
    rows.push(...(rowsOf(body) ?? []))
    const next: unknown = Reflect.get(Object(body), 'next')
    if (typeof next !== 'string' || next === after) return rows
    after = next
  }
}
