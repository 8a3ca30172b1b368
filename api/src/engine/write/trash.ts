import { problemMessages, type Model } from '@gatehouse/model'
import { isNull, sql, type SQL } from 'drizzle-orm'
import type { RecordRow, RecordState } from '#engine/compile-models.ts'
import { columnOf, compiledOf, tableOf, type Engine } from '#engine/engine.ts'
import { undeletable } from '#engine/query/delete-rules.ts'
import { referrersOf, type OnDelete, type Referrer } from '#engine/referrers.ts'
import type { IdRow, Row } from '#platform/db.ts'
import { conflict } from '#platform/errors.ts'
import type { WriteContext } from './run-hooks.ts'
import { writeRevisions } from './save.ts'
import { toConstraintError } from './constraint-errors.ts'

/** Cascade limit of one request; more children have to be deleted first. */
export const CASCADE_MAX = 1_000

/** One event per record, parents before children. */
export async function fireAll(
  write: WriteContext,
  groups: Group[],
  fire: (one: WriteContext, row: RecordRow) => Promise<unknown>,
) {
  for (const { model, rows } of groups) for (const row of rows) await fire({ ...write, model }, row)
}

export const nextVersion = (row: RecordRow): Row => ({ ...row, version: row.version + 1 })

/** A locked row being deleted or restored. */
type TrashedRow = {
  row: RecordRow
  isUnconditional?: boolean
  /** Original deletion time, instead of now. */
  since?: string
}

/** Moves these records to the trash, without their children. */
export async function moveToTrash(write: WriteContext, moving: TrashedRow[]) {
  const { engine, tx, model, actor } = write
  const table = tableOf(engine, model)
  const ids = moving.map(({ row }) => idOf(row))
  const since = moving.map((one) => one.since ?? null)
  await tx.query(
    sql`update ${table} set deleted_at = coalesce(moving.since, now()), version = version + 1, updated_at = now(),
      updated_by_ref = ${actor.ref}
      from unnest(${sql.param(ids)}::uuid[], ${sql.param(since)}::timestamptz[]) as moving (id, since)
      where ${columnOf(table, 'id')} = moving.id`,
  )
  const steps = moving.map(({ row, isUnconditional = false }) => ({
    ...nextOf(row),
    before: row,
    after: null,
    isUnconditional,
  }))
  await writeRevisions(write, 'delete', steps)
}

/** Restores these records. The revision stores their deletion time, for undo. */
export async function moveFromTrash(write: WriteContext, moving: TrashedRow[]) {
  const { engine, tx, model, actor } = write
  const table = tableOf(engine, model)
  const ids = moving.map(({ row }) => idOf(row))
  const restored = sql`update ${table} set deleted_at = null, version = version + 1, updated_at = now(),
      updated_by_ref = ${actor.ref} where ${columnOf(table, 'id')} = any(${sql.param(ids)}::uuid[])`
  await tx.query(restored).catch((error: unknown) => {
    throw toConstraintError([model], error)
  })
  const steps = moving.map(({ row, isUnconditional = false }) => ({
    ...nextOf(row),
    before: { deletedAt: row.deletedAt },
    after: row,
    isUnconditional,
  }))
  await writeRevisions(write, 'restore', steps)
}

export const idOf = ({ id }: IdRow) => id
const nextOf = ({ id, version }: RecordRow) => ({ id, version: version + 1 })

export async function checkDeleteOnly(write: WriteContext, ids: string[]) {
  const { deleteOnly } = write.model
  if (deleteOnly && (await undeletable(write, ids)).length > 0)
    throw conflict('not-deletable', deleteOnly.message)
}

/** 409 while a live record refers to one of these by a relation of these kinds. */
export async function checkUnused(
  { engine, tx, model }: WriteContext,
  ids: string[],
  kinds: OnDelete[],
) {
  if (ids.length === 0) return
  for (const referrer of referrersOf(engine, model, kinds)) {
    const table = tableOf(engine, referrer.model)
    const rows = await tx.query(
      sql`select 1 from ${table} where ${columnOf(table, referrer.field)} = any(${sql.param(ids)}::uuid[])
        and ${isNull(columnOf(table, 'deletedAt'))} limit 1`,
    )
    if (rows.length > 0) throw conflict('in-use', problemMessages.inUse(referrer.model.title))
  }
}

export type Group<R = RecordRow> = { model: Model; rows: R[] }

/** A record and its `cascade` descendants, parents before children, cycles included. */
export async function collectCascade<R extends IdRow>(
  { engine, model }: { engine: Engine; model: Model },
  root: R,
  childrenOf: (referrer: Referrer, ids: string[]) => Promise<R[]> | R[],
): Promise<Group<R>[]> {
  const foundIds = new Set([idOf(root)])
  const found: Group<R>[] = [{ model, rows: [root] }]
  // Grows while iterated.
  for (const parents of found)
    for (const referrer of referrersOf(engine, parents.model, ['cascade'])) {
      const children = await childrenOf(referrer, parents.rows.map(idOf))
      const rows = children.filter((row) => !foundIds.has(idOf(row)))
      for (const row of rows) foundIds.add(idOf(row))
      if (rows.length > 0) found.push({ model: referrer.model, rows })
    }
  return found
}

export const tooManyChildren = ({ title }: Model) =>
  conflict('too-many-children', problemMessages.tooManyChildren(CASCADE_MAX, title))

export function childrenAt(
  engine: Engine,
  { model, field }: Referrer,
  { ids, rows }: { ids: string[]; rows: RecordState },
): SQL {
  const table = tableOf(engine, model)
  return sql`select ${compiledOf({ engine, model }).stored.selection[rows]} from ${table}
    where ${columnOf(table, field)} = any(${sql.param(ids)}::uuid[])`
}
