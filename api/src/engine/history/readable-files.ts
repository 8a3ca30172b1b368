import { canAccess, isFile, namesOfField } from '@gatehouse/model'
import { sql, type SQL } from 'drizzle-orm'
import { compiledFor } from '#engine/engine.ts'
import { historyAccess } from '#engine/history/history.ts'
import { revisions } from '#engine/history/history-tables.ts'
import { getRecord, withTrash, type ReadContext } from '#engine/query/get-record.ts'
import { visibleAtVersion } from '#engine/query/visibility.ts'
import { files } from '#platform/files/file-tables.ts'

/**
 * The files of a record that the caller may open: those it names now, and those of earlier versions that were visible to them.
 * Without a verdict, infected or swept, a file is in no answer.
 */
export async function readableFiles(context: ReadContext, id: string) {
  const record = await getRecord(withTrash(context), id)
  const names = compiledFor(context)
    .record.fields.filter(([, field]) => isFile(field))
    .map(([name]) => name)
  if (names.length === 0) return { record, found: [] }
  const named = names.flatMap((name) =>
    [record[name]].flat().flatMap((file) => (typeof file === 'string' ? [file] : [])),
  )
  const earlier = await namedEarlier(context, id, names)
  const found = await context.tx.query(
    sql<{
      id: string
      hasPreviews: boolean
    }>`select id, preview is not distinct from 'ready' as "hasPreviews" from ${files}
      where id = any(${sql.param([...named, ...earlier])}::uuid[])
        and stage in ('attached', 'removed') and verdict in ('none', 'clean') order by id`,
    'prepared',
  )
  return { record, found }
}

async function namedEarlier(context: ReadContext, id: string, names: string[]) {
  const { tx, model, caller } = context
  if (!canAccess(historyAccess(model), caller.visitor)) return []
  const keys = names.flatMap((name) => namesOfField(model, name))
  const listIn = (values: SQL) =>
    sql`case when jsonb_typeof(${values} -> name) = 'array' then ${values} -> name else '[]' end`
  // What a version replaced was in the version before it, which the caller may not have seen.
  const rows = await tx.query(
    sql<{ id: string }>`select distinct file.id from ${revisions} step
      left join ${revisions} earlier
        on (earlier.model, earlier.record_id, earlier.version) = (step.model, step.record_id, step.version - 1)
      cross join unnest(${sql.param(keys)}::text[]) name
      cross join jsonb_array_elements_text(${listIn(sql`step.after`)}
        || case when ${visibleAtVersion(context, 'earlier')} then ${listIn(sql`step.before`)} else '[]' end) file (id)
      where step.model = ${model.path} and step.record_id = ${id}::uuid and ${visibleAtVersion(context, 'step')}`,
    'prepared',
  )
  return rows.map((row) => row.id)
}
