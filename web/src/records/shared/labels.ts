import type { DefinitionField } from '#data/field.ts'
import type { RecordData } from '#data/records.ts'
import { typeOf } from '#forms/inputs/types.ts'
import { importPage } from '#ui/import-chunk.ts'

/** Display names of related records, which our own API sends under `labels`; another server's are read from their targets. */
export async function withLabels(
  fields: DefinitionField[],
  records: RecordData[],
  signal: AbortSignal,
): Promise<RecordData[]> {
  const relations = fields.filter(
    (field) =>
      typeOf(field) === 'relation' &&
      records.some((record) => !('labels' in record) && record[field.name] != null),
  )
  if (relations.length === 0) return records
  const { readLabels } = await importPage(() => import('./read-labels.ts'))
  return readLabels(relations, records, signal)
}
