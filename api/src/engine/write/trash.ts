import { problemMessages } from '@gatehouse/model'
import type { Model } from '@gatehouse/model'
import { isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { Row, IdRow } from '#platform/db.ts'
import { conflict } from '#platform/errors.ts'
import { revisions } from '#engine/history/tables.ts'
import { after, before, validate, type WriteContext } from './run-hooks.ts'
import { requireRight } from './input.ts'
import { refusalOf } from './violations.ts'
import { checkVersion, lockRecord, LOCKS, writeRevisions, type ExpectedVersions } from './save.ts'
import { undeletable } from '#engine/query/deletable.ts'
import { SYSTEM } from '#engine/caller.ts'
import { behaviourOf, columnOf, compiledOf, tableOf, type Engine } from '#engine/engine.ts'
import { referrersOf, type OnDelete, type Referrer } from '#engine/referrers.ts'
import { lockParents, requireParents } from './relations.ts'
import type { RecordRow, RecordState } from '#engine/compiled.ts'

/** Cascade limit of one request; more children have to be deleted first. */
export const CASCADE_MAX = 1_000

/** Moves a record to the trash. Referring records may forbid it, or are deleted along. */
export async function deleteRecord(write: WriteContext, id: string, ifMatch: ExpectedVersions) {
  const found = await lockRecord(write, id, 'delete')
  await checkVersion(write, id, found, ifMatch)
  const liveFamily = (root: RecordRow) =>
    family(write, root, (referrer, ids) => liveChildren(write, referrer, ids))
  const foreseen = await liveFamily(found)
  await fireAll(write, foreseen, (one, row) =>
    before(one, 'delete', { record: row, previous: row }),
  )
  // Read again after hooks: they may have changed the set.
  const isHooked = foreseen.some(
    ({ model }) => behaviourOf({ ...write, model }).before.delete.length > 0,
  )
  const root = isHooked ? await lockRecord(write, id, 'delete') : found
  const going = isHooked ? await liveFamily(root) : foreseen
  for (const { model, rows } of going) await checkDeleteOnly({ ...write, model }, rows.map(idOf))
  for (const { model, rows } of going)
    await putInTrash(
      { ...write, model },
      rows.map((row) => ({ row, isUnconditional: row === root && ifMatch === undefined })),
    )
  // Checked afterwards: records deleted along no longer count as referrers.
  for (const { model, rows } of going)
    await checkUnused({ ...write, model }, rows.map(idOf), ['restrict'])
  await fireAll(write, going, (one, row) =>
    after(one, 'delete', { record: nextVersion(row), previous: row }),
  )
}

/** Restores a record from the trash, with everything deleted along with it. */
export async function restoreFromTrash(write: WriteContext, id: string, ifMatch: ExpectedVersions) {
  const inTrash: WriteContext = { ...write, rows: 'trash' }
  await lockParents(write, id)
  const root = await lockRecord(inTrash, id)
  await checkVersion(inTrash, id, root, ifMatch)
  const operation = await deletedBy(write, root)
  const coming = await family(write, root, (referrer, ids) =>
    operation === null ? [] : childrenDeletedBy(write, { referrer, ids, operation }),
  )
  await fireAll(write, coming, (one, row) => before(one, 'restore', { record: row, previous: row }))
  for (const { model, rows } of coming)
    await takeOutOfTrash(
      { ...write, model },
      rows.map((row) => ({ row, isUnconditional: row === root && ifMatch === undefined })),
    )
  // Checked afterwards: a record may refer to itself. Children restored along aren't checked against the caller's rights.
  await requireParents(write, [root])
  for (const { model, rows } of coming.slice(1))
    await requireParents({ ...write, model, caller: SYSTEM }, rows)
  await fireAll(write, coming, async (one, row) => {
    const state = { record: nextVersion(row), previous: row }
    requireRight(await validate(one, 'restore', state))
    await after(one, 'restore', state)
  })
}

/** One event per record, parents before children. */
async function fireAll(
  write: WriteContext,
  groups: Group[],
  fire: (one: WriteContext, row: RecordRow) => Promise<unknown>,
) {
  for (const { model, rows } of groups) for (const row of rows) await fire({ ...write, model }, row)
}

const nextVersion = (row: RecordRow): Row => ({ ...row, version: row.version + 1 })

/** A locked row being deleted or restored. */
type Moving = {
  row: RecordRow
  isUnconditional?: boolean
  /** Original deletion time, instead of now. */
  since?: string
}

/** Moves these records to the trash, without their children. */
export async function putInTrash(write: WriteContext, moving: Moving[]) {
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

/** Restores these records. The revision keeps their deletion time, for undo. */
export async function takeOutOfTrash(write: WriteContext, moving: Moving[]) {
  const { engine, tx, model, actor } = write
  const table = tableOf(engine, model)
  const ids = moving.map(({ row }) => idOf(row))
  const restored = sql`update ${table} set deleted_at = null, version = version + 1, updated_at = now(),
      updated_by_ref = ${actor.ref} where ${columnOf(table, 'id')} = any(${sql.param(ids)}::uuid[])`
  await tx.query(restored).catch((error: unknown) => {
    throw refusalOf([model], error)
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

/** The model's `deleteOnly` rule. */
export async function checkDeleteOnly(write: WriteContext, ids: string[]) {
  const { deleteOnly } = write.model
  if (deleteOnly && (await undeletable(write, ids)).length > 0)
    throw conflict('not-deletable', deleteOnly.message)
}

/** Refuses while a live record refers to one of these by a relation of these kinds. */
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
export async function family<R extends IdRow>(
  { engine, model }: { engine: Engine; model: Model },
  root: R,
  childrenOf: (referrer: Referrer, ids: string[]) => Promise<R[]> | R[],
): Promise<Group<R>[]> {
  const known = new Set([idOf(root)])
  const found: Group<R>[] = [{ model, rows: [root] }]
  // Grows while iterated.
  for (const parents of found)
    for (const referrer of referrersOf(engine, parents.model, ['cascade'])) {
      const children = await childrenOf(referrer, parents.rows.map(idOf))
      const rows = children.filter((row) => !known.has(idOf(row)))
      for (const row of rows) known.add(idOf(row))
      if (rows.length > 0) found.push({ model: referrer.model, rows })
    }
  return found
}

async function liveChildren({ engine, tx }: WriteContext, referrer: Referrer, ids: string[]) {
  const live = isNull(columnOf(tableOf(engine, referrer.model), 'deletedAt'))
  const rows = await tx.query(
    sql<RecordRow>`${childrenAt(engine, referrer, { ids, rows: 'live' })} and ${live} limit ${CASCADE_MAX + 1} ${LOCKS.delete}`,
  )
  if (rows.length > CASCADE_MAX) throw tooManyChildren(referrer.model)
  return rows
}

export const tooManyChildren = ({ title }: Model) =>
  conflict('too-many-children', problemMessages.tooManyChildren(CASCADE_MAX, title))

/** The operation that deleted a record; null if no revision says. */
async function deletedBy({ tx, model }: WriteContext, { id, version }: RecordRow) {
  const [revision] = await tx.query(
    sql<{ operation: string }>`select operation_id as operation from ${revisions}
      where model = ${model.path} and record_id = ${id} and version = ${version} and action = 'delete'`,
    'prepared',
  )
  return revision?.operation ?? null
}

type Together = { referrer: Referrer; ids: string[]; operation: string }

/** Children whose latest version is their deletion by that operation. */
function childrenDeletedBy({ engine, tx }: WriteContext, { referrer, ids, operation }: Together) {
  const table = tableOf(engine, referrer.model)
  return tx.query(
    sql<RecordRow>`${childrenAt(engine, referrer, { ids, rows: 'trash' })} and ${isNotNull(columnOf(table, 'deletedAt'))}
      and exists (select 1 from ${revisions} gone where gone.model = ${referrer.model.path}
        and gone.record_id = ${columnOf(table, 'id')} and gone.version = ${columnOf(table, 'version')}
        and gone.action = 'delete' and gone.operation_id = ${operation}) ${LOCKS.edit}`,
  )
}

function childrenAt(
  engine: Engine,
  { model, field }: Referrer,
  { ids, rows }: { ids: string[]; rows: RecordState },
): SQL {
  const table = tableOf(engine, model)
  return sql`select ${compiledOf({ engine, model }).stored.selection[rows]} from ${table}
    where ${columnOf(table, field)} = any(${sql.param(ids)}::uuid[])`
}
