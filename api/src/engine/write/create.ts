import { sql } from 'drizzle-orm'
import { newId } from '#platform/new-id.ts'
import { SYSTEM, type Caller } from '#engine/caller.ts'
import { nextNumber, numberFields } from '#engine/change/numbers.ts'
import type { Change } from '#engine/change/work.ts'
import type { RecordRow } from '#engine/compiled.ts'
import { compiledOf } from '#engine/engine.ts'
import type { Row } from '#platform/db.ts'
import { after, before, type WriteContext } from './events.ts'
import { normalise, resolveRecord, startValues } from './input.ts'
import { storedPart } from './save.ts'

type Sent = { given: Row; start: Row }

/** Creates a record from what the caller sent and what it starts with, and runs its behaviour. */
export const createRecord = async (write: WriteContext, { given, start }: Sent) =>
  required(write, await make(write, start, { sent: Object.keys(given), rights: write.caller }))

/** Creates a record on behalf of the server: no permission checks; the caller's stamps are kept. */
export const createAsSystem = async (write: WriteContext, values: Row) =>
  required(write, await makeAsSystem(write, values))

/** The same; null where a unique value is already in use. */
export const createIfAbsent = (write: WriteContext, values: Row) =>
  makeAsSystem(write, values, { isOptional: true })

function makeAsSystem(write: WriteContext, values: Row, options: { isOptional?: true } = {}) {
  const { engine, model, caller } = write
  const start = { ...startValues(model, caller, engine.site), ...normalise(model, values) }
  return make(write, start, { sent: [], rights: SYSTEM, ...options })
}

type Making = { sent: string[]; rights: Caller; isOptional?: true }

async function make(write: WriteContext, start: Row, { sent, rights, isOptional }: Making) {
  const { model, work } = write
  const decided = await before(write, 'create', { record: start, previous: null })
  const record = await resolveRecord(
    write,
    { record: { ...start, ...decided }, previous: null },
    { event: 'create', sent, rights },
  )
  const numbers = await numbersFor(write)
  const row = { ...newRow(write), ...record, ...numbers }
  const change: Change = {
    model,
    action: 'create',
    row,
    names: [...Object.keys(record), ...Object.keys(numbers)],
    before: null,
    after: storedPart(write, row),
    outcome: 'done',
    revisionId: newId(),
  }
  if (!isOptional) await work.add(change)
  else if (!(await work.addIfAbsent({ ...change, isOptional }))) return null
  await after(write, 'create', { record: row, previous: null })
  return { id: row.id, row, revisionId: change.revisionId }
}

/** A record before it has any values. Its times are the database's in the end. */
function newRow(write: WriteContext): RecordRow {
  const now = new Date().toISOString()
  const empty = Object.fromEntries(compiledOf(write).stored.names.map((name) => [name, null]))
  const system = { version: 1, createdAt: now, updatedAt: now, sample: false }
  return { id: newId(), ...empty, ...system }
}

/** Taken already if the operation was opened for this record. */
async function numbersFor({ engine, model, work, tx }: WriteContext): Promise<Row> {
  const names = numberFields(model)
  if (names.length === 0) return {}
  const known = work.numbers.get(model.path)
  work.numbers.delete(model.path)
  if (known) return known
  const next = names.map(
    (name) => sql`${nextNumber(engine, model, name)} as ${sql.identifier(name)}`,
  )
  const [row] = await tx.query(sql`select ${sql.join(next, sql`, `)}`, 'prepared')
  return row ?? {}
}

function required<T>({ model }: WriteContext, made: T | null): T {
  if (!made) throw new Error(`nothing was inserted into "${model.path}"`)
  return made
}
