import { sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { SYSTEM, type Caller } from '#engine/caller.ts'
import type { RecordRow } from '#engine/compiled.ts'
import { compiledOf, tableOf } from '#engine/engine.ts'
import { fieldsOf } from '@gatehouse/model'
import { selectionOf } from '#engine/query/expressions.ts'
import type { Row } from '#platform/db.ts'
import { after, before, type WriteContext } from './events.ts'
import { normalise, resolveRecord, startValues, toValues } from './input.ts'
import { columnNames, unique, writeRevisions } from './save.ts'

/** Creates a record from the caller's body and runs its behaviour. */
export async function createRecord(write: WriteContext, body: Row) {
  const { engine, model, caller } = write
  const given = toValues(model, caller, body)
  const start = { ...startValues(model, caller, engine.site), ...given }
  return required(
    write,
    await make(write, start, { sent: Object.keys(given), rights: caller, onConflict: sql`` }),
  )
}

/** Creates a record on behalf of the server: no permission checks; the caller's stamps are kept. */
export const createAsSystem = async (write: WriteContext, values: Row) =>
  required(write, await makeAsSystem(write, values, sql``))

/** The same; null where a unique value is already in use. */
export const createIfAbsent = (write: WriteContext, values: Row) =>
  makeAsSystem(write, values, sql`on conflict do nothing`)

function makeAsSystem(write: WriteContext, values: Row, onConflict: SQL) {
  const { engine, model, caller } = write
  const start = { ...startValues(model, caller, engine.site), ...normalise(model, values) }
  return make(write, start, { sent: [], rights: SYSTEM, onConflict })
}

type Making = { sent: string[]; rights: Caller; onConflict: SQL }

async function make(write: WriteContext, start: Row, { sent, rights, onConflict }: Making) {
  const { model } = write
  const decided = await before(write, 'create', { record: start, previous: null })
  const record = await resolveRecord(
    write,
    { record: { ...start, ...decided }, previous: null },
    { event: 'create', sent, rights },
  )
  const made = await unique(model, () => insert(write, record, onConflict))
  if (made) await after(write, 'create', { record: made.row, previous: null })
  return made
}

async function insert(write: WriteContext, record: Row, onConflict: SQL) {
  const { engine, tx, model, actor } = write
  const id = uuidv7()
  const table = tableOf(engine, model)
  const values: Row = { id, ...record, createdByRef: actor.ref, updatedByRef: actor.ref }
  const names = Object.keys(values)
  const [row] = await tx.query(
    sql<RecordRow>`insert into ${table} (${columnNames(write, names)})
      values (${sql.join(
        names.map((name) => sql`${sql.param(values[name])}`),
        sql`, `,
      )}) ${onConflict}
      returning ${selectionOf({ engine, model, table }, { fields: fieldsOf(model), selection: compiledOf(write).stored.selection })}`,
    'prepared',
  )
  if (!row) return null
  const [revisionId = ''] = await writeRevisions(write, 'create', [
    { id, version: 1, before: null, after: row },
  ])
  return { id, row, revisionId }
}

function required<T>({ model }: WriteContext, made: T | null): T {
  if (!made) throw new Error(`nothing was inserted into "${model.path}"`)
  return made
}
