import type { Model } from '@gatehouse/model'
import { eq, isNull, sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { writeChange, type Actor, type Change } from '#audit.ts'
import type { Row } from '#db.ts'
import { changedMeanwhile, conflict, recordNotFound } from '#errors.ts'
import { contextOf } from '#site.ts'
import { uniqueFieldOf } from '#table.ts'
import { columnOf, SERVER, tableOf } from './engine.ts'
import { isUuid, toSql } from './filter.ts'
import { complete, startValues, toValues } from './input.ts'
import { allFields, canGet, getRecord, selection, type Reading } from './read.ts'
import { referrersOf, type OnDelete, type Referrer } from './referrers.ts'
import { ownership, visible } from './scope.ts'

/** A change belongs to somebody and to a request; what one request does shares an operation. */
export type Changing = Reading & { actor: Actor; requestId: string; operationId: string }

/** More children than this go one after another by hand: a request is no place for it. */
export const CASCADE_MAX = 1_000

/** `decided` is what the server has found out about the record, whatever was sent. */
export async function createRecord(changing: Changing, body: Row, decided: Row = {}) {
  const { engine, model, caller } = changing
  const given = toValues(model, caller, body)
  const record = await complete(
    changing,
    { ...startValues(model, caller, engine.site), ...given, ...decided },
    Object.keys(given),
  )
  const made = await unique(model, () => insert(changing, record, sql``))
  if (!made) throw new Error(`nothing was inserted into "${model.path}"`)
  return made
}

/** Makes a record on behalf of the server; null where a unique value is already taken. */
export async function createUnlessTaken(changing: Changing, values: Row) {
  const asServer = { ...changing, caller: SERVER }
  const { engine, model } = asServer
  const start = startValues(model, SERVER, engine.site)
  const record = await complete(asServer, { ...start, ...values }, [])
  return insert(asServer, record, sql`on conflict do nothing`)
}

/**
 * Changes fields on behalf of the server, in the transaction of what made it necessary and with its trace; nobody's
 * rights are asked. Returns the record as it was, or null where it is gone.
 */
export async function changeFields(changing: Changing, id: string, values: Row) {
  const asServer = { ...changing, caller: SERVER }
  const before = await findLocked(asServer, id)
  if (!before) return null
  const after = await complete(asServer, { ...before, ...values }, [])
  await save(asServer, before, after, false)
  return before
}

async function insert(changing: Changing, record: Row, onConflict: SQL) {
  const { engine, tx, model, actor } = changing
  const id = uuidv7()
  const table = tableOf(engine, model)
  const values: Row = { id, ...record, createdByRef: actor.ref, updatedByRef: actor.ref }
  const names = Object.keys(values)
  const [row] = await tx.query(
    sql`insert into ${table} (${columnNames(changing, names)})
      values (${sql.join(
        names.map((name) => sql`${sql.param(values[name])}`),
        sql`, `,
      )}) ${onConflict}
      returning ${selection(table, allFields(model))}`,
    'prepared',
  )
  if (!row) return null
  const step = { action: 'create', id, version: 1, before: null, after: row } as const
  return { id, row, revisionId: await keepTrace(changing, step) }
}

/** Changes what differs. A record saved as it was keeps its version and leaves no trace. Returns it before and after. */
export async function updateRecord(
  changing: Changing,
  id: string,
  body: Row,
  ifMatch: string | undefined,
) {
  const { model, caller } = changing
  const before = await lockRecord(changing, id)
  await checkVersion(changing, id, before, ifMatch)
  const given = await keepHidden(changing, before, toValues(model, caller, body, before))
  // All that was sent, changed or not: whoever guesses where a hidden relation leads must not learn that they did.
  const after = await complete(changing, { ...before, ...given }, Object.keys(given))
  const isChanged = await save(changing, before, after, ifMatch === undefined)
  return { before, after, isChanged }
}

/** Writes what differs, with its trace; false where nothing does. */
export async function save(
  changing: Changing,
  before: Row,
  after: Row,
  isUnconditional: boolean,
): Promise<boolean> {
  const { engine, tx, model, actor } = changing
  const changed = changedFields(model, before, after)
  if (changed.length === 0) return false
  const id = String(before['id'])
  const table = tableOf(engine, model)
  const version = Number(before['version']) + 1
  const assignments = changed.map(
    (name) => sql`${columnNames(changing, [name])} = ${sql.param(after[name])}`,
  )
  await unique(model, () =>
    tx.query(
      sql`update ${table} set ${sql.join(assignments, sql`, `)}, version = ${version}, updated_at = now(),
        updated_by_ref = ${actor.ref} where ${eq(columnOf(table, 'id'), id)}`,
    ),
  )
  await keepTrace(changing, {
    action: 'update',
    id,
    version,
    before: only(before, changed),
    after: only(after, changed),
    isUnconditional,
  })
  return true
}

/** Moves a record to the trash. What refers to it may forbid that, or go with it. */
export async function deleteRecord(changing: Changing, id: string, ifMatch: string | undefined) {
  const before = await lockRecord(changing, id)
  await checkVersion(changing, id, before, ifMatch)
  await remove(changing, before, ifMatch === undefined)
}

async function remove(changing: Changing, before: Row, isUnconditional: boolean) {
  const id = String(before['id'])
  await checkDeletable(changing, id)
  await putInTrash(changing, before, { isUnconditional })
  // After the record itself: children that lead back to it in a circle must find it gone.
  await removeChildren(changing, id)
}

/** Puts this one record into the trash, since now or since when it had been there before. */
export async function putInTrash(
  changing: Changing,
  before: Row,
  { since = null, isUnconditional }: { since?: string | null; isUnconditional: boolean },
) {
  const { engine, tx, model, actor } = changing
  const id = String(before['id'])
  const table = tableOf(engine, model)
  const version = Number(before['version']) + 1
  await tx.query(
    sql`update ${table} set deleted_at = coalesce(${since}::timestamptz, now()), version = ${version},
      updated_at = now(), updated_by_ref = ${actor.ref} where ${eq(columnOf(table, 'id'), id)}`,
  )
  await keepTrace(changing, { action: 'delete', id, version, before, after: null, isUnconditional })
}

/** Takes this one record out of the trash. The trace keeps since when it was there: undoing puts it back as it was. */
export async function takeOutOfTrash(changing: Changing, row: Row, isUnconditional: boolean) {
  const { engine, tx, model, actor } = changing
  const id = String(row['id'])
  const table = tableOf(engine, model)
  const version = Number(row['version']) + 1
  await unique(model, () =>
    tx.query(
      sql`update ${table} set deleted_at = null, version = ${version}, updated_at = now(),
        updated_by_ref = ${actor.ref} where ${eq(columnOf(table, 'id'), id)}`,
    ),
  )
  const before = { deletedAt: row['deletedAt'] }
  await keepTrace(changing, { action: 'restore', id, version, before, after: row, isUnconditional })
}

/** The row, if the caller may see it, held until the transaction ends. */
export async function lockRecord(changing: Changing, id: string) {
  const row = await findLocked(changing, id)
  if (!row) throw recordNotFound()
  return row
}

/** The same, where it is no mistake that there is none. */
export async function findLocked({ engine, tx, model, caller, rows }: Changing, id: string) {
  if (!isUuid(id)) return null
  const table = tableOf(engine, model)
  const [row] = await tx.query(
    sql`select ${selection(table, allFields(model), rows)} from ${table}
      where ${eq(columnOf(table, 'id'), id)} and ${visible({ engine, model, table, caller, rows })} for update`,
    'prepared',
  )
  return row ?? null
}

export async function checkVersion(
  changing: Changing,
  id: string,
  row: Row,
  ifMatch: string | undefined,
) {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  // A proxy that compresses makes a tag weak. Ours names a version, not bytes, so it still says the same.
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (tags.includes(toETag(row))) return
  throw changedMeanwhile(canGet(changing) ? await getRecord(changing, id) : undefined)
}

/** A record's version as an entity tag. */
export const toETag = (row: Row) => `"${String(row['version'])}"`

/** A relation the caller reads as null, because they may not see where it leads, stays when they send null back. */
async function keepHidden(changing: Changing, before: Row, given: Row) {
  const emptied = Object.keys(given).filter(
    (name) =>
      given[name] === null &&
      before[name] !== null &&
      changing.model.fields[name]?.type === 'relation',
  )
  if (emptied.length === 0) return given
  const seen = await getRecord(changing, String(before['id']))
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => !emptied.includes(name) || seen[name] !== null),
  )
}

async function checkDeletable(changing: Changing, id: string) {
  await checkDeleteOnly(changing, id)
  await checkUnused(changing, id, ['restrict'])
}

/** What the model says about which of its records may be deleted. */
export async function checkDeleteOnly({ engine, tx, model, caller }: Changing, id: string) {
  if (!model.deleteOnly) return
  const table = tableOf(engine, model)
  const may = toSql(model, table, model.deleteOnly.when, {
    context: contextOf(engine.site),
    me: caller.visitor?.sub ?? null,
  })
  const rows = await tx.query(
    sql`select 1 from ${table} where ${eq(columnOf(table, 'id'), id)} and ${may}`,
  )
  if (rows.length === 0) throw conflict('not-deletable', model.deleteOnly.message)
}

/** Refuses while a live record refers to this one by a relation of these kinds. */
export async function checkUnused({ engine, tx, model }: Changing, id: string, kinds: OnDelete[]) {
  for (const referrer of referrersOf(engine, model, kinds)) {
    const rows = await tx.query(sql`${referring(engine, referrer, id)} limit 1`)
    if (rows.length > 0)
      throw conflict('in-use', `${referrer.model.title} still refer to this record`)
  }
}

async function removeChildren(changing: Changing, id: string) {
  const { engine, tx, model } = changing
  for (const referrer of referrersOf(engine, model, ['cascade'])) {
    const rows = await tx.query(
      sql`${referring(engine, referrer, id)} limit ${CASCADE_MAX + 1} for update`,
    )
    if (rows.length > CASCADE_MAX) throw tooManyChildren(referrer.model)
    for (const row of rows) await remove({ ...changing, model: referrer.model }, row, false)
  }
}

export const tooManyChildren = ({ title }: Model) =>
  conflict('too-many-children', `More than ${CASCADE_MAX} ${title} would go with this record`)

function referring(engine: Reading['engine'], { model, field }: Referrer, id: string): SQL {
  const table = tableOf(engine, model)
  return sql`select ${selection(table, allFields(model))} from ${table}
    where ${eq(columnOf(table, field), id)} and ${isNull(columnOf(table, 'deletedAt'))}`
}

type Step = {
  action: Change['action']
  id: string
  version: number
  before: Row | null
  after: Row | null
  isUnconditional?: boolean
}

const keepTrace = ({ engine, tx, model, actor, requestId, operationId }: Changing, step: Step) =>
  writeChange(tx, {
    operationId,
    model: model.path,
    recordId: step.id,
    version: step.version,
    action: step.action,
    before: step.before && only(step.before, keptNames(model, step.action)),
    after: step.after && only(step.after, storedNames(model)),
    fields:
      step.action === 'restore'
        ? []
        : Object.keys(step.after ?? {}).filter((name) => name in model.fields),
    actor,
    requestId,
    outcome: step.isUnconditional ? 'unconditional' : 'done',
    whose: ownership(engine, model),
  })

const keptNames = (model: Model, action: Change['action']) =>
  action === 'restore' ? ['deletedAt'] : storedNames(model)

const storedNames = (model: Model) => allFields(model).map(([name]) => name)

const only = (row: Row, names: string[]): Row =>
  Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]))

const changedFields = (model: Model, before: Row, after: Row) =>
  storedNames(model).filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  )

const columnNames = ({ engine, model }: Changing, names: string[]) =>
  sql.join(
    names.map((name) => sql.identifier(columnOf(tableOf(engine, model), name).name)),
    sql`, `,
  )

/** A value somebody else already has is a conflict at its field; so is an old one that leads to what was purged. */
async function unique<T>(model: Model, run: () => Promise<T>) {
  try {
    return await run()
  } catch (error) {
    const [code, constraint] =
      error instanceof Error && 'constraint' in error && 'code' in error
        ? [error.code, String(error.constraint)]
        : []
    if (code === FOREIGN_KEY_VIOLATION)
      throw conflict('relation-gone', 'A record that this one referred to is gone for good')
    const name = code === UNIQUE_VIOLATION ? uniqueFieldOf(model, String(constraint)) : null
    if (name === null) throw error
    const message = `${model.fields[name]?.label} is already taken.`
    throw conflict('not-unique', message, [{ field: name, message }])
  }
}

/** PostgreSQL's codes. */
const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
