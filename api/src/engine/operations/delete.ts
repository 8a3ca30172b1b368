import { isNull, sql } from 'drizzle-orm'
import type { RecordRow } from '#engine/compile-models.ts'
import { behaviourOf, columnOf, tableOf } from '#engine/engine.ts'
import type { Referrer } from '#engine/referrers.ts'
import { after, before, type WriteContext } from '#engine/write/run-hooks.ts'
import { checkVersion, lockRecord, LOCKS, type ExpectedVersions } from '#engine/write/save.ts'
import {
  CASCADE_MAX,
  checkDeleteOnly,
  checkUnused,
  childrenAt,
  collectCascade,
  fireAll,
  idOf,
  nextVersion,
  moveToTrash,
  tooManyChildren,
} from '#engine/write/trash.ts'

/** Moves a record to the trash. Referring records prevent it, or are deleted with it. */
export async function deleteRecord(write: WriteContext, id: string, ifMatch: ExpectedVersions) {
  const found = await lockRecord(write, id, 'delete')
  await checkVersion(write, id, found, ifMatch)
  const liveCascade = (root: RecordRow) =>
    collectCascade(write, root, (referrer, ids) => liveChildren(write, referrer, ids))
  const beforeHooks = await liveCascade(found)
  await fireAll(write, beforeHooks, (one, row) =>
    before(one, 'delete', { record: row, previous: row }),
  )
  // Read again after hooks: they may have changed the set.
  const isHooked = beforeHooks.some(
    ({ model }) => behaviourOf({ ...write, model }).before.delete.length > 0,
  )
  const root = isHooked ? await lockRecord(write, id, 'delete') : found
  const cascade = isHooked ? await liveCascade(root) : beforeHooks
  for (const { model, rows } of cascade) await checkDeleteOnly({ ...write, model }, rows.map(idOf))
  for (const { model, rows } of cascade)
    await moveToTrash(
      { ...write, model },
      rows.map((row) => ({ row, isUnconditional: row === root && ifMatch === undefined })),
    )
  // Checked afterwards: records deleted in the same cascade don't count as referrers.
  for (const { model, rows } of cascade)
    await checkUnused({ ...write, model }, rows.map(idOf), ['restrict'])
  await fireAll(write, cascade, (one, row) =>
    after(one, 'delete', { record: nextVersion(row), previous: row }),
  )
}

async function liveChildren({ engine, tx }: WriteContext, referrer: Referrer, ids: string[]) {
  const live = isNull(columnOf(tableOf(engine, referrer.model), 'deletedAt'))
  const rows = await tx.query(
    sql<RecordRow>`${childrenAt(engine, referrer, { ids, rows: 'live' })} and ${live} limit ${CASCADE_MAX + 1} ${LOCKS.delete}`,
  )
  if (rows.length > CASCADE_MAX) throw tooManyChildren(referrer.model)
  return rows
}
