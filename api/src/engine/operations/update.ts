import { fieldsOf, isRelation } from '@gatehouse/model'
import { lockForChange, lockTargets } from '#engine/write/lock.ts'
import { SYSTEM, type Caller } from '#engine/caller.ts'
import type { Row } from '#platform/db.ts'
import { recordNotFound } from '#platform/errors.ts'
import type { RecordRow } from '#engine/compile-models.ts'
import { after, before, type WriteContext } from '#engine/write/run-hooks.ts'
import { normalise, resolveRecord, toValues } from '#engine/write/input.ts'
import { checkVersion, findLocked, save, type ExpectedVersions } from '#engine/write/save.ts'
import { canGet, getRecord, withLabels } from '#engine/query/get-record.ts'

type Update = { body: Row; ifMatch: ExpectedVersions }

/** The record after a change, null if the caller may not read it; and the operation to undo, if anything changed. */
export type Changed = {
  record: RecordRow | null
  operationId: string | null
  /** For actions only: whether an email was queued. */
  isMailed?: boolean | null
}

/** Writes the fields that differ. An unchanged save keeps the version and writes no revision. */
export async function updateRecord(
  write: WriteContext,
  id: string,
  { body, ifMatch }: Update,
): Promise<Changed> {
  const { model, caller } = write
  // Lock order: targets of new relations, then the record; both under the caller's visibility.
  await lockTargets(write, body, id)
  const { row: previous } = await lockForChange(write, id)
  if (!previous) throw recordNotFound()
  await checkVersion(write, id, previous, ifMatch)
  const given = await keepHidden(write, previous, toValues(model, caller, body, previous))
  const row = await change(write, previous, {
    given,
    sent: Object.keys(given),
    rights: caller,
    isUnconditional: ifMatch === undefined,
  })
  return readChanged(write, id, row !== null)
}

/** Reads the current record; pending writes are flushed first. */
export const readChanged = async (
  write: WriteContext,
  id: string,
  isChanged: boolean,
): Promise<Changed> => ({
  record: canGet(write) ? await getRecord(write, id) : null,
  operationId: isChanged ? write.operationId : null,
})

/** Updates a record on behalf of the server, without permission checks. Returns it; null if it doesn't exist. */
export async function updateAsSystem(write: WriteContext, id: string, values: Row) {
  const previous = await findLocked({ ...write, caller: SYSTEM }, id)
  if (!previous) return null
  const given = normalise(write.model, values, previous)
  const request = { given, sent: [], rights: SYSTEM, isUnconditional: false }
  return (await change(write, previous, request)) ?? previous
}

type ChangeRequest = { given: Row; sent: string[]; rights: Caller; isUnconditional: boolean }

/** Null if nothing differs. */
async function change(
  write: WriteContext,
  previous: RecordRow,
  { given, sent, rights, isUnconditional }: ChangeRequest,
) {
  const requested = { ...previous, ...given }
  const decided = await before(write, 'update', { record: requested, previous })
  const record = await resolveRecord(
    write,
    { record: { ...requested, ...decided }, previous },
    { event: 'update', sent, rights },
  )
  const written = await save(write, previous, record, isUnconditional)
  if (written) await after(write, 'update', { record: written, previous })
  return written
}

/** A relation that reads as null because its target is invisible is kept when null is sent back. */
async function keepHidden(write: WriteContext, previous: RecordRow, given: Row) {
  const emptied = fieldsOf(write.model).filter(
    ([name, field]) => isRelation(field) && given[name] === null && previous[name] !== null,
  )
  if (emptied.length === 0) return given
  const seen: Row = await withLabels(write, previous, emptied)
  const hidden = emptied.map(([name]) => name).filter((name) => seen[name] === null)
  return Object.fromEntries(Object.entries(given).filter(([name]) => !hidden.includes(name)))
}
