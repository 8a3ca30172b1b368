import { hash as hashOf } from 'node:crypto'
import { isStored, problemMessages } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Row, Runner } from '#platform/db.ts'
import { badRequest, inFlight, keyReused, recordGone, recordNotFound } from '#platform/errors.ts'
import { open, type Known, type Opened } from '#engine/change/open.ts'
import type { Wanted } from '#engine/change/open-statement.ts'
import { idempotencyKeys } from '#engine/change/tables.ts'
import { revisions } from '#engine/history/tables.ts'
import type { Looked, WriteContext } from './events.ts'
import type { RecordRow } from '#engine/compiled.ts'
import { columnOf, compiledFor, tableOf } from '#engine/engine.ts'
import { undeletable } from '#engine/query/deletable.ts'
import { expressionsOf } from '#engine/query/expressions.ts'
import { withLabels, withTrash } from '#engine/query/read.ts'
import { visible, visibleThen } from '#engine/query/visibility.ts'

const ANONYMOUS = '00000000-0000-0000-0000-000000000000'
const KEY = /^[\x21-\x7e]{1,255}$/

export type Created = {
  id: string
  /** Complete once the operation is. */
  record: () => RecordRow
  /** Whether it can be undone. */
  isUndoable: () => boolean
  revisionId: string
  operationId: string
  /** Whether a confirmation was queued; null where none belongs to it. */
  isConfirmed: boolean | null
}

/** A request that may be repeated with its key. */
type Repeatable<T> = {
  key: string | undefined
  /** What a repeat must match. */
  request: unknown[]
  /** What the change depends on. */
  wanted: Wanted
  run: (opened: Opened) => Promise<T>
  /** What the response is rebuilt from; null if nothing changed, and then no key is stored. */
  proofOf: (
    done: T,
  ) => { id: string; revisionId: string; status: number; isConfirmed?: boolean } | null
  replay: (known: Known) => Promise<T>
}

/**
 * Runs something once per key and caller, across replicas. A different request with the key is refused; a repeat while the
 * first is in flight gets 409 instead of waiting.
 */
export async function withKey<T>(write: WriteContext, repeatable: Repeatable<T>): Promise<T> {
  const { key, wanted, run } = repeatable
  if (key === undefined) return run(await open(write, wanted))
  if (!KEY.test(key)) throw badRequest(problemMessages.invalidKey)
  const { actor, work } = write
  const owner = actor.ref ?? ANONYMOUS
  const hash = hashOf('sha256', JSON.stringify(repeatable.request), 'base64')
  const opened = await open(write, { ...wanted, key: { owner, key } })
  if (!opened.isFree) throw inFlight()
  if (opened.known && opened.known.requestHash !== hash) throw keyReused()
  if (opened.known) return repeatable.replay(opened.known)
  write.looked.key = { owner, key }
  const done = await run(opened)
  const proof = repeatable.proofOf(done)
  if (proof) work.keep({ owner, key, hash, isConfirmed: write.answer.isConfirmed, ...proof })
  return done
}

/** Whether someone else has written the same key since this request looked. */
export async function isKeyTaken(db: Runner, { key: looked }: Looked) {
  if (!looked) return false
  const found = await db.query(
    sql`select from ${idempotencyKeys} where owner_ref = ${looked.owner} and key = ${looked.key}`,
    'prepared',
  )
  return found.length > 0
}

type Creation = {
  key: string | undefined
  body: unknown
  /** The relations of the new record. */
  values: Row
}

/** Runs a creation once per key and caller: the same body gets the same response for 24 hours. */
export const once = (
  write: WriteContext,
  { key, body, values }: Creation,
  create: () => Promise<Created>,
): Promise<Created> =>
  withKey(write, {
    key,
    request: [write.model.path, body],
    wanted: { id: null, values },
    run: create,
    proofOf: ({ id, revisionId }) => ({ id, revisionId, status: 201 }),
    replay: (known) => rebuild(write, known),
  })

/** The revision that created a record, with the live row's expressions by name. */
type FirstVersion = Row & {
  after: Row
  version: number
  at: string
  operationId: string
  isSettled: boolean
  sample: boolean
  isVisible: boolean
}

/**
 * Rebuilds the response from the revision, without fields the caller may no longer see; 404 if the record wasn't visible
 * then or isn't now.
 */
async function rebuild(write: WriteContext, known: Known): Promise<Created> {
  const { engine, tx, model, caller } = write
  const { recordId: id, revisionId, isConfirmed } = known
  const table = tableOf(engine, model)
  const { rows } = withTrash(write)
  const { fields } = compiledFor(write).record
  const selected = [
    sql`made.after, made.version, made.at, made.operation_id as "operationId",
      made.is_settled as "isSettled", ${columnOf(table, 'sample')} as sample`,
    sql`(${visibleThen(write, 'made')} and ${visible({ engine, model, table, caller, rows })}) is true as "isVisible"`,
    // Revisions don't store SQL-computed fields: taken from the live row.
    ...expressionsOf({ engine, model, table }, fields),
  ]
  const [row] = await tx.query(
    sql<FirstVersion>`select ${sql.join(selected, sql`, `)}
      from ${revisions} made join ${table} on ${columnOf(table, 'id')} = made.record_id
      where made.id = ${revisionId}`,
  )
  if (!row) throw recordGone()
  if (!row.isVisible) throw row.isSettled ? recordNotFound() : inFlight()
  const computed = fields.filter(([, field]) => !isStored(field)).map(([name]) => [name, row[name]])
  const values = {
    ...row.after,
    ...Object.fromEntries(computed),
    id,
    version: row.version,
    createdAt: row.at,
    updatedAt: row.at,
    sample: row.sample,
  }
  const record = await withLabels(write, values, fields)
  const isUndoable = (await undeletable(write, [id])).length === 0
  return {
    id,
    record: () => record,
    isUndoable: () => isUndoable,
    revisionId,
    operationId: row.operationId,
    isConfirmed,
  }
}
