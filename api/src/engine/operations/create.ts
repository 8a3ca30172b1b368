import { fieldsOf } from '@gatehouse/model'
import { getTableName, sql } from 'drizzle-orm'
import { newId } from '#platform/uuid.ts'
import { SYSTEM, type Caller } from '#engine/caller.ts'
import type { Change } from '#engine/write/unit-of-work.ts'
import type { RecordRow } from '#engine/compile-models.ts'
import { columnOf, compiledOf, tableOf, type Engine } from '#engine/engine.ts'
import { undeletable } from '#engine/query/delete-rules.ts'
import { getOwn } from '#engine/query/get-record.ts'
import { cachedStatement, deferred } from '#engine/query/statement-cache.ts'
import type { Table } from '#engine/build-tables.ts'
import type { Row } from '#platform/db.ts'
import { after, before, type WriteContext } from '#engine/write/run-hooks.ts'
import { once, type Created } from '#engine/write/idempotency.ts'
import { normalise, resolveRecord, initialValues, toValues } from '#engine/write/input.ts'
import { lockTargets } from '#engine/write/lock.ts'
import { storedFields } from '#engine/write/save.ts'
import {
  creationLimitReached,
  isBelowLimit,
  type CreationLimit,
} from '#engine/write/write-quota.ts'

type Creation = { body: Row; key: string | undefined }

/** Expects a validated body. */
export function createRecord(write: WriteContext, { body, key }: Creation): Promise<Created> {
  const { engine, model, caller } = write
  const given = toValues(model, caller, body)
  const start = { ...initialValues(model, caller, engine.site), ...given }
  return once(
    write,
    { key, body },
    {
      create: async () => {
        await lockTargets(write, start)
        const created = await insert(write, start, { sent: Object.keys(given), rights: caller })
        write.quota.add(model)
        return required(write, created)
      },
      respond: async ({ id }) => ({
        record: await getOwn(write, id),
        isUndoable: (await undeletable(write, [id])).length === 0,
      }),
    },
  )
}

/** Creates a record on behalf of the server: no permission checks; the caller's stamps are kept. */
export const createAsSystem = async (write: WriteContext, values: Row) =>
  required(write, await insertAsSystem(write, values))

/** Like `createAsSystem`; null if a unique value is already in use. */
export const createIfAbsent = (write: WriteContext, values: Row) =>
  insertAsSystem(write, values, { isOptional: true })

function insertAsSystem(write: WriteContext, values: Row, options: { isOptional?: true } = {}) {
  const { engine, model, caller } = write
  const start = { ...initialValues(model, caller, engine.site), ...normalise(model, values) }
  return insert(write, start, { sent: [], rights: SYSTEM, ...options })
}

type InsertOptions = { sent: string[]; rights: Caller; isOptional?: true }

/** Null if `isOptional` and a unique value is in use. */
async function insert(
  write: WriteContext,
  start: Row,
  { sent, rights, isOptional }: InsertOptions,
) {
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
    after: storedFields(write, row),
    outcome: 'done',
    revisionId: newId(),
  }
  if (!isOptional) await work.add(change)
  else if (!(await work.addIfAbsent({ ...change, isOptional }))) return null
  await after(write, 'create', { record: row, previous: null })
  return { id: row.id, row, revisionId: change.revisionId }
}

/** The database replaces the times. */
function newRow(write: WriteContext): RecordRow {
  const now = new Date().toISOString()
  const empty = Object.fromEntries(compiledOf(write).stored.names.map((name) => [name, null]))
  const system = { version: 1, createdAt: now, updatedAt: now, sample: false }
  return { id: newId(), ...empty, ...system }
}

type NumberParams = { engine: Engine; limit: CreationLimit | null }

/** Next values of sequence fields; consumed even if the operation fails. Throws beyond the creation limit. */
async function numbersFor({ engine, model, tx, quota }: WriteContext): Promise<Row> {
  const names = fieldsOf(model)
    .filter(([, { sequence }]) => sequence)
    .map(([name]) => name)
  if (names.length === 0) return {}
  const limit = quota.limitOf(model)
  const [numbers] = await tx.query(
    cachedStatement(
      { engine, limit },
      {
        key: JSON.stringify(['numbers', model.path, limit !== null]),
        build: () => numbersStatement(tableOf(engine, model), names, limit !== null),
        isNamed: true,
      },
    ),
  )
  if (!numbers) throw creationLimitReached()
  return numbers
}

function numbersStatement(table: Table, names: string[], isLimited: boolean) {
  const next = (name: string) =>
    sql`nextval(pg_get_serial_sequence(${getTableName(table)}, ${columnOf(table, name).name})) as ${sql.identifier(name)}`
  const counter = sql`${deferred(({ limit }: NumberParams) => limit?.counter)}::text`
  const max = sql`${deferred(({ limit }: NumberParams) => limit?.max)}::int`
  return sql<Row>`select ${sql.join(names.map(next), sql`, `)}
    where ${isLimited ? isBelowLimit({ counter, max }) : sql`true`}`
}

function required<T>({ model }: WriteContext, created: T | null): T {
  if (!created) throw new Error(`nothing was inserted into "${model.path}"`)
  return created
}
