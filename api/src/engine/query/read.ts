import { canDo, type Field, type Model } from '@gatehouse/model'
import { eq, sql } from 'drizzle-orm'
import type { Row, Runner } from '#platform/db.ts'
import { recordNotFound } from '#platform/errors.ts'
import type { RecordRow, RecordState } from '#engine/compiled.ts'
import { isUuid } from '#engine/uuid.ts'
import { canRead, type Caller } from '#engine/caller.ts'
import { columnOf, compiledFor, tableOf, targetOf, type Engine } from '#engine/engine.ts'
import { selectionOf } from './expressions.ts'
import { labelled } from './labels.ts'
import { anyoneLike, BIND_LATER, keptStatement, kindOf, slot, type Asked } from './texts.ts'
import { visible } from './visibility.ts'

/** Where a statement reads and for whom; live rows unless `rows` says otherwise. */
export type ReadContext = {
  engine: Engine
  tx: Runner
  model: Model
  caller: Caller
  rows?: RecordState | undefined
}

/** One record as the caller may see it; invisible and missing ones are the same 404. */
export async function getRecord(context: ReadContext, id: string): Promise<RecordRow> {
  const { engine, tx, model, caller, rows = 'live' } = context
  if (!isUuid(id)) throw recordNotFound()
  const [row] = await tx.query(
    keptStatement(
      { engine, caller, at: new Date(), id },
      {
        key: JSON.stringify(['record', model.path, kindOf(caller), rows]),
        build: () => recordStatement({ ...context, caller: anyoneLike(caller) }),
        isNamed: true,
      },
    ),
  )
  if (!row) throw recordNotFound()
  return row
}

function recordStatement(context: ReadContext) {
  const { engine, model, caller, rows } = context
  const table = tableOf(engine, model)
  const view = compiledFor(context).record
  const { columns, joins } = labelled(context, view.fields)
  const { today } = BIND_LATER
  return sql<RecordRow>`select ${columns} from (
      select ${selectionOf({ engine, model, table, today }, view, rows)} from ${table}
      where ${eq(columnOf(table, 'id'), ID)}
        and ${visible({ engine, model, table, caller, rows, binding: BIND_LATER })}
    ) page ${joins}`
}

const ID = slot(({ id }: Asked & { id: string }) => id)

/** Includes the trash for callers who may delete. */
export const withTrash = (context: ReadContext): ReadContext => ({
  ...context,
  rows: canDo(context.model, 'delete', context.caller.visitor) ? 'any' : 'live',
})

/** No response shows a record to a caller who may change but not read it. */
export const canGet = ({ model, caller }: ReadContext) => canDo(model, 'get', caller.visitor)

type Labelled = { labels: Row }

/** Adds the labels of relations to rows. */
export async function withLabels<R extends Row>(
  context: ReadContext,
  rows: R[],
  fields: [string, Field][],
): Promise<(R & Labelled)[]> {
  const records = rows.map((row) => ({ ...row, labels: {} }))
  // Sequential: a transaction has one connection.
  for (const [name, field] of fields)
    if (field.type === 'relation') await labelRelation(context, records, name)
  return records
}

/** A relation to a record the caller may not see reads as null. */
async function labelRelation(context: ReadContext, records: (Row & Labelled)[], name: string) {
  const ids = [
    ...new Set(records.map((record) => record[name]).filter((id) => typeof id === 'string')),
  ]
  const labels = ids.length === 0 ? new Map() : await labelsOf(context, name, ids)
  for (const record of records) {
    const label: unknown = labels.get(record[name])
    if (label === undefined) record[name] = null
    else record.labels[name] = label ?? ''
  }
}

async function labelsOf({ engine, tx, model, caller }: ReadContext, name: string, ids: string[]) {
  const target = targetOf(engine, model, name)
  if (!canRead(target, caller)) return new Map<unknown, unknown>()
  const table = tableOf(engine, target)
  const rows = await tx.query(
    sql<{ id: string; label: unknown }>`
      select id, ${columnOf(table, target.displayField)} as label from ${table}
      where id = any(${sql.param(ids)}::uuid[]) and ${visible({ engine, model: target, table, caller })}`,
    'prepared',
  )
  return new Map(rows.map(({ id, label }) => [id, label]))
}
