import { canDo, isRelation, type Field, type Model } from '@gatehouse/model'
import { and, eq, sql } from 'drizzle-orm'
import type { Row, Runner } from '#platform/db.ts'
import { recordNotFound } from '#platform/errors.ts'
import type { RecordRow, RecordState } from '#engine/compile-models.ts'
import { isUuid } from '#platform/uuid.ts'
import type { Caller } from '#engine/caller.ts'
import { columnOf, compiledFor, tableOf, type Engine } from '#engine/engine.ts'
import { selectionOf } from './computed-columns.ts'
import { labelled } from './labels.ts'
import {
  withDeferredClaims,
  DEFERRED_BINDING,
  cachedStatement,
  callerShape,
  deferred,
  type StatementParams,
} from './statement-cache.ts'
import { visible } from './visibility.ts'

/** Reads live rows unless `rows` says otherwise. */
export type ReadContext = {
  engine: Engine
  tx: Runner
  model: Model
  caller: Caller
  rows?: RecordState | undefined
}

/** One record as the caller may see it; invisible and missing ones get the same 404. */
export const getRecord = (context: ReadContext, id: string) => read(context, id, true)

/** A record the caller has just created, even if they may not read it later. */
export const getOwn = (context: ReadContext, id: string) => read(context, id, false)

async function read(context: ReadContext, id: string, isGuarded: boolean): Promise<RecordRow> {
  const { engine, tx, model, caller, rows = 'live' } = context
  if (!isUuid(id)) throw recordNotFound()
  const [row] = await tx.query(
    cachedStatement(
      { engine, caller, at: new Date(), id },
      {
        key: JSON.stringify(['record', model.path, callerShape(caller), rows, isGuarded]),
        build: () => recordStatement({ ...context, caller: withDeferredClaims(caller) }, isGuarded),
        isNamed: true,
      },
    ),
  )
  if (!row) throw recordNotFound()
  return row
}

function recordStatement(context: ReadContext, isGuarded: boolean) {
  const { engine, model, caller, rows } = context
  const table = tableOf(engine, model)
  const view = compiledFor(context).record
  const { columns, joins } = labelled(context, view.fields)
  const { today } = DEFERRED_BINDING
  const guard = isGuarded
    ? visible({ engine, model, table, caller, rows, binding: DEFERRED_BINDING })
    : undefined
  return sql<RecordRow>`select ${columns} from (
      select ${selectionOf({ engine, model, table, today }, view, rows)} from ${table}
      where ${and(eq(columnOf(table, 'id'), ID), guard)}
    ) page ${joins}`
}

const ID = deferred(({ id }: StatementParams & { id: string }) => id)

export const withTrash = (context: ReadContext): ReadContext => ({
  ...context,
  rows: canDo(context.model, 'delete', context.caller.visitor) ? 'any' : 'live',
})

/** Whether a response may contain the record: a caller may be allowed to change but not to read it. */
export const canGet = ({ model, caller }: ReadContext) => canDo(model, 'get', caller.visitor)

type Labelled = { labels: Row }

/** Adds relation labels to a row that differs from the table's; a relation to a hidden record reads as null. */
export async function withLabels<R extends Row>(
  context: ReadContext,
  row: R,
  fields: [string, Field][],
): Promise<R & Labelled> {
  const { engine, tx, model, caller } = context
  const relations = fields.filter(([, field]) => isRelation(field))
  if (relations.length === 0) return { ...row, labels: {} }
  const names = relations.map(([name]) => name)
  const [found] = await tx.query(
    cachedStatement(
      { engine, caller, at: new Date(), row },
      {
        key: JSON.stringify(['labels', model.path, callerShape(caller), names]),
        build: () => labelsStatement({ ...context, caller: withDeferredClaims(caller) }, relations),
        isNamed: true,
      },
    ),
  )
  return { ...row, ...found, labels: found?.labels ?? {} }
}

function labelsStatement(context: ReadContext, relations: [string, Field][]) {
  const { values, labels, joins } = labelled(context, relations)
  const page = relations.map(
    ([name]) =>
      sql`${deferred(({ row }: StatementParams & { row: Row }) => row[name])}::uuid as ${sql.identifier(name)}`,
  )
  return sql<Labelled>`select ${values}, ${labels} from (select ${sql.join(page, sql`, `)}) page ${joins}`
}
