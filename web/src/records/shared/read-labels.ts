import { callApi } from '#data/client.ts'
import { definitionAt, type Definition } from '#data/definitions.ts'
import type { DefinitionField } from '#data/field.ts'
import { rowsOf, type RecordData } from '#data/records.ts'
import { displayOf } from './loader-errors.ts'

/** Labels by id. */
type Labels = Map<string, string>

/** Records with the labels of their relations. Unreadable ones are missing, and shown as ids. */
export async function readLabels(
  relations: DefinitionField[],
  records: RecordData[],
  signal: AbortSignal,
): Promise<RecordData[]> {
  const read = await Promise.all(
    relations.map(async ({ name, to }) => {
      const target = definitionAt(to ?? '')
      const ids = new Set(records.flatMap((record) => (record[name] == null ? [] : [record[name]])))
      const labels = target ? await labelsOf(target, [...ids].map(String), signal) : new Map()
      return [name, labels as Labels] as const
    }),
  )
  return records.map((record) => ({
    ...record,
    labels: Object.fromEntries(
      read.flatMap(([name, labels]) => {
        const label = labels.get(String(record[name]))
        return label === undefined ? [] : [[name, label]]
      }),
    ),
  }))
}

/** Reads a single record directly, several from the target's list: one request per relation. */
async function labelsOf(target: Definition, ids: string[], signal: AbortSignal): Promise<Labels> {
  const [id = ''] = ids
  const path = ids.length === 1 ? `${target.path}/${encodeURIComponent(id)}` : target.routeName
  try {
    const response = await callApi(path, { signal })
    const body: unknown = response.ok ? await response.json() : []
    const rows = ids.length === 1 ? [{ id, ...Object(body) }] : (rowsOf(body) ?? [])
    return new Map(rows.map((row) => [String(row['id']), displayOf(target, row)]))
  } catch {
    return new Map()
  }
}
