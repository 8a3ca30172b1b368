import { problemMessages } from '@gatehouse/model'
import type { ModelAction } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Row, IdRow } from '#platform/db.ts'
import { conflict, invalidRecord } from '#platform/errors.ts'
import { revisions } from '#engine/history/tables.ts'
import { writeAct } from '#engine/history/trace.ts'
import type { RecordRow } from '#engine/compiled.ts'
import { behaviourOf } from '#engine/engine.ts'
import { applicable } from '#engine/query/applicable.ts'
import { hookContextOf, type WriteContext } from './events.ts'
import { checkVersion, lockRecord } from './save.ts'
import { withKey } from './idempotency.ts'
import { startValues, toValues } from './input.ts'
import { getRecord } from '#engine/query/read.ts'
import { checkRelations } from './relations.ts'
import { undoableOf } from '#engine/history/undoable.ts'

type Wanted = {
  name: string
  action: ModelAction
  id: string
  input: Row
  key: string | undefined
  ifMatch: string | undefined
}

type Acted = { record: RecordRow; revisionId: string | null; operationId: string | null }

/**
 * Runs an action, once per idempotency key. A repeat returns the current record under the caller's current rights, and
 * the first operation.
 */
export const runAction = (write: WriteContext, wanted: Wanted): Promise<Acted> => {
  const { name, id } = wanted
  return withKey(write, {
    key: wanted.key,
    request: [write.model.path, name, id, wanted.input],
    run: async () => {
      const input = await readInput(write, wanted)
      const record = await lockRecord(write, id)
      await checkVersion(write, id, record, wanted.ifMatch)
      await requireNow(write, wanted)
      await actOf(write, name)({ ...hookContextOf(write), record, previous: record, input })
      const revisionId = await firstRevision(write)
      // What changes no record leaves a trace too.
      if (revisionId === null)
        await writeAct(write.tx, { ...traceOf(write), action: name, entityId: id })
      return answer(write, id, revisionId)
    },
    proofOf: ({ revisionId }) => (revisionId === null ? null : { id, revisionId, status: 200 }),
    replay: ({ revisionId }) => answer(write, id, revisionId),
  })
}

const traceOf = ({ model, actor, requestId }: WriteContext) => ({
  entity: model.path,
  actor,
  requestId,
})

function actOf(write: WriteContext, name: string) {
  const act = behaviourOf(write).actions[name]
  if (!act) throw new Error(`no function for the action "${name}" of "${write.model.path}"`)
  return act
}

/** Checked on the locked row: of two people who close a ticket concurrently, one gets 409. */
async function requireNow(write: WriteContext, { id, name, action }: Wanted) {
  if (action.when && (await applicable(write, id, [[name, action]])).length === 0)
    throw conflict('not-now', problemMessages.notNow)
}

/**
 * The input, normalised like a record's values. Relations must be visible to the caller, and are locked before the record, as
 * in any change.
 */
async function readInput(write: WriteContext, { action, input }: Wanted): Promise<Row> {
  const { engine, caller } = write
  const model = { ...write.model, fields: action.fields ?? {} }
  const given = toValues(model, caller, input)
  const values = { ...startValues(model, caller, engine.site), ...given }
  const sent = Object.keys(given)
  const errors = await checkRelations({ ...write, model }, values, { before: null, sent })
  if (errors.length > 0) throw invalidRecord(errors)
  return values
}

/** Any revision identifies the operation; none means nothing changed. */
async function firstRevision({ tx, operationId }: WriteContext) {
  const [row] = await tx.query(
    sql<IdRow>`select id from ${revisions} where operation_id = ${operationId} order by id limit 1`,
    'prepared',
  )
  return row?.id ?? null
}

async function answer(write: WriteContext, id: string, revisionId: string | null): Promise<Acted> {
  const record = await getRecord(write, id)
  return { record, revisionId, operationId: await undoable(write, revisionId) }
}

/** The operation, if the caller may undo it. */
async function undoable(write: WriteContext, revisionId: string | null) {
  const [row] = await write.tx.query(
    sql<{ operation: string }>`select operation_id as operation from ${revisions}
      where id = ${revisionId}`,
    'prepared',
  )
  if (!row) return null
  const { operation } = row
  return (await undoableOf(write, [operation])).has(operation) ? operation : null
}
