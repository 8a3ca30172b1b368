import { isCountVisible, splitRelated, type RelatedCount } from '@gatehouse/model'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { CountRow } from '#platform/db.ts'
import type { Table } from '#engine/build-tables.ts'
import { columnOf, modelOf, tableOf } from '#engine/engine.ts'
import { toSql } from './filter.ts'
import type { ReadContext } from './get-record.ts'
import {
  withDeferredClaims,
  DEFERRED_BINDING,
  cachedStatement,
  callerShape,
  deferred,
  type StatementParams,
} from './statement-cache.ts'
import { targetIsVisible, visible } from './visibility.ts'

/** Counting stops one row past the cap, so that many rows stay cheap; shown as "100+". */
export const COUNT_CAP = 100

export const cappedCount = (count: number) => ({
  count: Math.min(count, COUNT_CAP),
  exact: count <= COUNT_CAP,
})

/**
 * Counts the rows of a table to one past the cap. Not to be prepared: a generic plan doesn't know that one organisation has many
 * times the usual number of rows, and reads them all.
 */
export const countToCap = (table: Table, where: SQL | undefined) =>
  sql<CountRow>`select count(*) as count from (select 1 from ${table} where ${where} limit ${sql.raw(`${COUNT_CAP + 1}`)}) counted`

/** The model's `glance` counts for a record, in one statement: those the caller may see, of rows they may see. */
export async function glanceCounts(context: ReadContext, id: string) {
  const { engine, tx, model, caller } = context
  const { visitor } = caller
  const counts = (model.glance ?? [])
    .filter((fact) => 'related' in fact)
    .filter((count) => isCountVisible(count, { visitor, models: engine.models }))
  if (counts.length === 0) return []
  const [row] = await tx.query(
    cachedStatement(
      { engine, caller, at: new Date(), id },
      {
        key: JSON.stringify(['glance', model.path, callerShape(caller)]),
        build: () => countsStatement({ ...context, caller: withDeferredClaims(caller) }, counts),
      },
    ),
  )
  return counts.map(({ related, label }, index) => ({
    related,
    label,
    ...cappedCount(row?.[index] ?? 0),
  }))
}

const countsStatement = (context: ReadContext, counts: RelatedCount[]) =>
  sql<Record<number, number>>`select ${sql.join(
    counts.map(
      (count, index) => sql`(${countOf(context, count)}) as ${sql.identifier(String(index))}`,
    ),
    sql`, `,
  )}`

function countOf({ engine, caller }: ReadContext, { related, where }: RelatedCount) {
  const { model: path, by } = splitRelated(related)
  const model = modelOf(engine, path)
  const table = tableOf(engine, model)
  const view = { engine, model, table, caller, binding: DEFERRED_BINDING }
  const condition = and(
    eq(columnOf(table, by), ID),
    visible(view),
    where &&
      toSql(model, table, where, {
        engine,
        ...DEFERRED_BINDING,
        leadsToVisible: (relation) => targetIsVisible(view, relation),
      }),
  )
  return countToCap(table, condition)
}

const ID = deferred(({ id }: StatementParams & { id: string }) => id)
