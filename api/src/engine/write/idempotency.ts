import { hash as hashOf } from 'node:crypto'
import { isStored as isStoredField, problemMessages, withPresentNames } from '@gatehouse/model'
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { onlyRow, type Row, type Runner } from '#platform/db.ts'
import {
  badRequest,
  HttpError,
  inFlight,
  keyReused,
  recordGone,
  recordNotFound,
} from '#platform/errors.ts'
import { cachedStatement, deferred } from '#engine/query/statement-cache.ts'
import { idempotencyKeys } from './write-tables.ts'
import { revisions } from '#engine/history/history-tables.ts'
import type { WriteContext } from './run-hooks.ts'
import type { RecordRow } from '#engine/compile-models.ts'
import { columnOf, compiledFor, tableOf, type Engine } from '#engine/engine.ts'
import { undeletable } from '#engine/query/delete-rules.ts'
import { expressionsOf } from '#engine/query/computed-columns.ts'
import { withLabels, withTrash } from '#engine/query/get-record.ts'
import { visible, visibleAtVersion } from '#engine/query/visibility.ts'

const ANONYMOUS = '00000000-0000-0000-0000-000000000000'
const KEY = /^[\x21-\x7e]{1,255}$/

export type Created = {
  id: string
  record: RecordRow
  isUndoable: boolean
  revisionId: string
  operationId: string
  /** Whether a confirmation was queued; null if the model has none. */
  isConfirmed: boolean | null
}

type Repeatable<T, R> = {
  key: string | undefined
  /** Hashed; a repeat must match it. */
  request: unknown[]
  run: () => Promise<T>
  /** Data to rebuild the response from; null if nothing changed, and then no key is stored. */
  proofOf: (
    done: T,
  ) => { id: string; revisionId: string; status: number; isConfirmed?: boolean } | null
  respond: (done: T) => Promise<R>
  replay: (stored: StoredKey) => Promise<R>
}

/**
 * Runs a request once per key and caller, across replicas. A different request with the key is rejected; a repeat while the
 * first is in flight gets 409 instead of waiting.
 */
export async function withKey<T, R>(write: WriteContext, repeatable: Repeatable<T, R>): Promise<R> {
  const { key, run, respond } = repeatable
  if (key === undefined) return respond(await run())
  if (!KEY.test(key)) throw badRequest(problemMessages.invalidKey)
  const { actor, work } = write
  const owner = actor.ref ?? ANONYMOUS
  const hash = hashOf('sha256', JSON.stringify(repeatable.request), 'base64')
  const claimed = onlyRow(await write.tx.query(claimStatement(write, { owner, key })))
  if (!claimed.isFree) throw inFlight()
  if (claimed.requestHash !== null && claimed.requestHash !== hash) throw keyReused()
  if (claimed.requestHash !== null) return repeatable.replay(claimed as StoredKey)
  write.claimed.key = { owner, key }
  const done = await run()
  const proof = repeatable.proofOf(done)
  if (proof) work.queueKey({ owner, key, hash, isConfirmed: work.isConfirmed(), ...proof })
  return respond(done)
}

type StoredKey = {
  requestHash: string
  recordId: string
  revisionId: string
  isConfirmed: boolean | null
}
type Claimed = { isFree: boolean } & (StoredKey | { requestHash: null })

type Claim = { owner: string; key: string }

const claimStatement = ({ engine }: WriteContext, claim: Claim) =>
  cachedStatement({ engine, claim }, { key: 'claim', build: () => CLAIM, isNamed: true })

const OWNER = sql`${deferred(({ claim }: { claim: Claim }) => claim.owner)}::uuid`
const CLAIMED = sql`${deferred(({ claim }: { claim: Claim }) => claim.key)}::text`
const KEY_MATCHES = sql`owner_ref = ${OWNER} and key = ${CLAIMED} and (select is_taken from lock)`
const KEY_TTL = sql.raw(`interval '24 hours'`)

/**
 * Locks the key until the transaction ends, and reads its stored request. Repeats write too: a plain read could confirm a
 * row that only a failing primary has seen.
 */
const CLAIM = sql<Claimed>`with lock as materialized (
    select pg_try_advisory_xact_lock(hashtextextended(${OWNER}::text || ' ' || ${CLAIMED}, 0)) as is_taken
  ), known as (
    update ${idempotencyKeys} set replays = replays + 1 where ${KEY_MATCHES} and created_at > now() - ${KEY_TTL}
    returning request_hash, record_id, revision_id, is_confirmed
  ), expired as (
    delete from ${idempotencyKeys} where ${KEY_MATCHES} and created_at <= now() - ${KEY_TTL}
  )
  select is_taken as "isFree", request_hash as "requestHash", record_id as "recordId", revision_id as "revisionId",
    is_confirmed as "isConfirmed"
  from lock left join known on true`

/** `key` is null until this request has claimed one. */
export type ClaimedKey = { key: { owner: string; key: string } | null }

/**
 * Retries a rejected transaction if another request has stored its key since: that request's write caused the rejection,
 * and its response is replayed.
 */
export async function transactionWithKey<T>(
  { db }: Engine,
  run: (tx: Runner, claimed: ClaimedKey) => Promise<T>,
) {
  const claimed: ClaimedKey = { key: null }
  const attempt = () => db.transaction((tx) => run(tx, claimed))
  return attempt().catch(async (error: unknown) => {
    // After a 5xx the outcome is unknown.
    const isUnknownOutcome = error instanceof HttpError && error.status >= SERVER_ERROR_MIN
    if (!isUnknownOutcome && (await isStored(db, claimed))) return attempt()
    throw error
  })
}

const SERVER_ERROR_MIN = 500

async function isStored(db: Runner, { key: claimed }: ClaimedKey) {
  if (!claimed) return false
  const found = await db.query(
    sql`select from ${idempotencyKeys} where owner_ref = ${claimed.owner} and key = ${claimed.key}`,
    'prepared',
  )
  return found.length > 0
}

export type QueuedKey = {
  owner: string
  key: string
  hash: string
  status: number
  id: string
  revisionId: string
  isConfirmed: boolean | null
}

/** CTE that stores the operation's key. Fails if another request has stored it since the claim. */
export const keyCte = (
  of: (read: (key: QueuedKey) => unknown) => SQLWrapper,
  isConfirmed: SQL | null,
) =>
  sql`keyed as (insert into ${idempotencyKeys} (owner_ref, key, request_hash, status, record_id, revision_id, is_confirmed)
    select ${of(({ owner }) => owner)}::uuid, ${of(({ key }) => key)}::text, ${of(({ hash }) => hash)}::text,
      ${of(({ status }) => status)}::smallint, ${of(({ id }) => id)}::uuid, ${of(({ revisionId }) => revisionId)}::uuid,
      ${isConfirmed ?? sql`${of((key) => key.isConfirmed)}::boolean`})`

type Creation<T> = {
  create: () => Promise<T>
  respond: (created: T) => Promise<Pick<Created, 'record' | 'isUndoable'>>
}

/** Runs a creation once per key and caller: the same body gets the same response for 24 hours. */
export const once = <T extends { id: string; revisionId: string }>(
  write: WriteContext,
  { key, body }: { key: string | undefined; body: unknown },
  { create, respond }: Creation<T>,
): Promise<Created> =>
  withKey(write, {
    key,
    request: [write.model.path, body],
    run: create,
    proofOf: ({ id, revisionId }) => ({ id, revisionId, status: 201 }),
    respond: async (created) => {
      await write.work.flush()
      const { id, revisionId } = created
      const { operationId, work } = write
      return {
        id,
        revisionId,
        operationId,
        ...(await respond(created)),
        isConfirmed: work.isConfirmed(),
      }
    },
    replay: (stored) => rebuild(write, stored),
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
async function rebuild(write: WriteContext, stored: StoredKey): Promise<Created> {
  const { engine, tx, model, caller } = write
  const { recordId: id, revisionId, isConfirmed } = stored
  const table = tableOf(engine, model)
  const { rows } = withTrash(write)
  const { fields } = compiledFor(write).record
  const selected = [
    sql`made.after, made.version, made.at, made.operation_id as "operationId",
      made.is_settled as "isSettled", ${columnOf(table, 'sample')} as sample`,
    sql`(${visibleAtVersion(write, 'made')} and ${visible({ engine, model, table, caller, rows })}) is true as "isVisible"`,
    // Revisions don't store SQL-computed fields; the live row has them.
    ...expressionsOf({ engine, model, table }, fields),
  ]
  const [row] = await tx.query(
    sql<FirstVersion>`select ${sql.join(selected, sql`, `)}
      from ${revisions} made join ${table} on ${columnOf(table, 'id')} = made.record_id
      where made.id = ${revisionId}`,
  )
  if (!row) throw recordGone()
  if (!row.isVisible) throw row.isSettled ? recordNotFound() : inFlight()
  const computed = fields
    .filter(([, field]) => !isStoredField(field))
    .map(([name]) => [name, row[name]])
  const values = {
    ...withPresentNames(model, row.after ?? {}),
    ...Object.fromEntries(computed),
    id,
    version: row.version,
    createdAt: row.at,
    updatedAt: row.at,
    sample: row.sample,
  }
  const record = await withLabels(write, values, fields)
  const isUndoable = (await undeletable(write, [id])).length === 0
  return { id, record, isUndoable, revisionId, operationId: row.operationId, isConfirmed }
}
