import { callApi } from '#data/client.ts'
import { definitionAt, type Definition } from '#data/definitions.ts'
import type { DefinitionField } from '#data/field.ts'
import { rowsOf, type RecordData } from '#data/records.ts'
import { displayOf } from './loader-errors.ts'

type LabelsById = Map<string, string>

/**
 * Records with the labels of their relations. Unreadable ones are missing, and shown as ids. A server may embed the related
 * record instead of its id.
 */
export async function readLabels(
  relations: DefinitionField[],
  given: RecordData[],
  signal: AbortSignal,
): Promise<RecordData[]> {
  const records = given.map((record) => ({ ...record, ...embeddedIds(relations, record) }))
  const read = await Promise.all(
    relations.map(async ({ name, to }) => {
      const target = definitionAt(to ?? '')
      const labels: LabelsById = new Map(
        given.flatMap((record) => embeddedLabel(target, record[name])),
      )
      const ids = new Set(records.flatMap((record) => (record[name] == null ? [] : [record[name]])))
      const unlabelled = [...ids].map(String).filter((id) => !labels.has(id))
      const others =
        target && unlabelled.length > 0 ? await labelsOf(target, unlabelled, signal) : new Map()
      return [name, new Map([...labels, ...others])] as const
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

const isEmbedded = (value: unknown): value is RecordData =>
  typeof value === 'object' && value !== null && 'id' in value

const embeddedIds = (relations: DefinitionField[], record: RecordData) =>
  Object.fromEntries(
    relations.flatMap(({ name }) => {
      const value = record[name]
      return isEmbedded(value) ? [[name, value['id']]] : []
    }),
  )

function embeddedLabel(target: Definition | undefined, value: unknown): [string, string][] {
  if (!isEmbedded(value)) return []
  const label = value['label'] ?? (target && displayOf(target, value)) ?? value['id']
  return [[String(value['id']), String(label)]]
}

/** Reads a single record directly, several from the target's list: one request per relation. */
async function labelsOf(
  target: Definition,
  ids: string[],
  signal: AbortSignal,
): Promise<LabelsById> {
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
