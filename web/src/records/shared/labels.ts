import type { DefinitionField } from '#data/field.ts'
import type { RecordData } from '#data/records.ts'
import { isRelation } from '#forms/inputs/types.ts'
import { importPage } from '#ui/import-chunk.ts'

/** Adds display names of related records: our API sends them under `labels`; for other servers the targets are read. */
export async function withLabels(
  fields: DefinitionField[],
  records: RecordData[],
  signal: AbortSignal,
): Promise<RecordData[]> {
  const relations = fields.filter(
    (field) =>
      isRelation(field) &&
      records.some((record) => !('labels' in record) && record[field.name] != null),
  )
  if (relations.length === 0) return records
  const { readLabels } = await importPage(() => import('./read-labels.ts'))
  return readLabels(relations, records, signal)
}
