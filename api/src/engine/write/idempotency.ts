import { createHash } from 'node:crypto'
import { isStored, problemMessages } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Row } from '#platform/db.ts'
import { badRequest, inFlight, keyReused, recordGone, recordNotFound } from '#platform/errors.ts'
import { idempotencyKeys } from './tables.ts'
import { revisions } from '#engine/history/tables.ts'
import type { WriteContext } from './events.ts'
import type { RecordRow } from '#engine/compiled.ts'
import { columnOf, compiledFor, tableOf } from '#engine/engine.ts'
import { expressionsOf } from '#engine/query/expressions.ts'
import { withLabels, withTrash } from '#engine/query/read.ts'
import { visible, visibleThen } from '#engine/query/visibility.ts'

const ANONYMOUS = '00000000-0000-0000-0000-000000000000'
const KEY = /^[\x21-\x7e]{1,255}$/

export type Created = {
  id: string
  record: RecordRow
  revisionId: string
  operationId: string
  /** Whether a confirmation was queued; null where none belongs to it. */
  isConfirmed: boolean | null
}

/** Runs a creation once per key and caller: the same body gets the same response for 24 hours. */
export const once = (
  write: WriteContext,
  { key, body }: { key: string | undefined; body: unknown },
  create: () => Promise<Created>,
): Promise<Created> =>
  withKey(write, {
    key,
    request: [write.model.path, body],
    run: create,
    proofOf: ({ id, revisionId, isConfirmed }) => ({ id, revisionId, status: 201, isConfirmed }),
    replay: (known) => rebuild(write, known),
  })

type Proof = { id: string; revisionId: string; status: number; isConfirmed?: boolean | null }

/** What is stored of the first request. */
type Known = {
  requestHash: string
  recordId: string
  revisionId: string
  isConfirmed: boolean | null
}

type Keyed<T> = {
  key: string | undefined
  /** What a repeat must match. */
  request: unknown[]
  run: () => Promise<T>
  /** What the response is rebuilt from; null if nothing changed, and then no key is stored. */
  proofOf: (done: T) => Proof | null
  replay: (known: Known) => Promise<T>
}

/**
 * Runs something once per key and caller, across replicas. A different request with the key is refused; a repeat while the
 * first is in flight gets 409 instead of waiting.
 */
export async function withKey<T>(write: WriteContext, keyed: Keyed<T>): Promise<T> {
  const { key } = keyed
  if (key === undefined) return keyed.run()
  if (!KEY.test(key)) throw badRequest(problemMessages.invalidKey)
  const { tx, actor } = write
  const owner = actor.ref ?? ANONYMOUS
  const hash = createHash('sha256').update(JSON.stringify(keyed.request)).digest('base64')

  const [lock] = await tx.query(
    sql<{ isTaken: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`${owner} ${key}`}, 0)) as "isTaken"`,
    'prepared',
  )
  if (!lock?.isTaken) throw inFlight()

  // Repeats write too: a plain read could confirm a row that only a failing primary has seen.
  const [known] = await tx.query(
    sql<Known>`update ${idempotencyKeys} set replays = replays + 1
      where owner_ref = ${owner} and key = ${key} and created_at > now() - interval '24 hours'
      returning request_hash as "requestHash", record_id as "recordId", revision_id as "revisionId",
        is_confirmed as "isConfirmed"`,
    'prepared',
  )
  if (known && known.requestHash !== hash) throw keyReused()
  if (known) return keyed.replay(known)

  const done = await keyed.run()
  const proof = keyed.proofOf(done)
  if (!proof) return done
  await tx.query(
    sql`insert into ${idempotencyKeys} (owner_ref, key, request_hash, status, record_id, revision_id, is_confirmed)
    values (${owner}, ${key}, ${hash}, ${proof.status}, ${proof.id}, ${proof.revisionId}, ${proof.isConfirmed ?? null})
    on conflict (owner_ref, key) do update set request_hash = excluded.request_hash, status = excluded.status,
      record_id = excluded.record_id, revision_id = excluded.revision_id,
      is_confirmed = excluded.is_confirmed, created_at = now(), replays = 0`,
    'prepared',
  )
  return done
}

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
  const [record] = await withLabels(write, [values], fields)
  return {
    id,
    record: record ?? values,
    revisionId,
    operationId: row.operationId,
    isConfirmed,
  }
}
