import { fieldOf, type Model } from '@gatehouse/model'
import { eq, sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { writeChanges, type Actor, type ChangeAction } from '#audit.ts'
import type { Row } from '#db.ts'
import { changedMeanwhile, conflict, invalidRecord, recordNotFound } from '#errors.ts'
import { uniqueFieldOf } from '#table.ts'
import { isUuid } from '#uuid.ts'
import { columnOf, SERVER, tableOf } from './engine.ts'
import { complete, startValues, toValues } from './input.ts'
import { allFields, canGet, getRecord, selection, type Reading } from './read.ts'
import { lockNewParents } from './relations.ts'
import { ownership, visible } from './scope.ts'

/** A change belongs to somebody and to a request; what one request does shares an operation. */
export type Changing = Reading & { actor: Actor; requestId: string; operationId: string }

/** `decided` is what the server has found out about the record, whatever was sent. */
export async function createRecord(changing: Changing, body: Row, decided: Row = {}) {
  const { engine, model, caller } = changing
  const given = toValues(model, caller, body)
  const record = await complete(
    changing,
    { ...startValues(model, caller, engine.site), ...given, ...decided },
    { before: null, sent: Object.keys(given) },
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
  const record = await complete(asServer, { ...start, ...values }, { before: null, sent: [] })
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
  const after = await complete(asServer, { ...before, ...values }, { before, sent: [] })
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
  const [revisionId = ''] = await keepTraces(changing, 'create', [
    { id, version: 1, before: null, after: row },
  ])
  return { id, row, revisionId }
}

type Update = {
  body: Row
  ifMatch: string | undefined
  /** What the server finds out about the record as it would be, whatever was sent. */
  decide: ((changing: Changing, before: Row, after: Row) => Promise<Row>) | undefined
}

/** Changes what differs. A record saved as it was keeps its version and leaves no trace. Returns it before and after. */
export async function updateRecord(
  changing: Changing,
  id: string,
  { body, ifMatch, decide }: Update,
) {
  const { model, caller } = changing
  await lockNewParents(changing, id, body)
  const before = await lockRecord(changing, id)
  await checkVersion(changing, id, before, ifMatch)
  const given = await keepHidden(changing, before, toValues(model, caller, body, before))
  const sent = Object.keys(given)
  const wanted = { ...before, ...given }
  const decided = await decide?.(changing, before, wanted)
  const after = await complete(changing, { ...wanted, ...decided }, { before, sent })
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
  requireMutable(model, changed)
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
  await keepTraces(changing, 'update', [
    { id, version, before: only(before, changed), after: only(after, changed), isUnconditional },
  ])
  return true
}

/** Here, where every change ends, whoever makes it: an update, a restored version, an undo or the server. */
function requireMutable(model: Model, changed: string[]) {
  const fixed = changed.filter((name) => fieldOf(model, name)?.immutable)
  if (fixed.length > 0)
    throw invalidRecord(
      fixed.map((name) => ({
        field: name,
        message: `${fieldOf(model, name)?.label} can’t be changed.`,
      })),
    )
}

/** SELECT … FOR NO KEY UPDATE under the caller's visibility; FOR UPDATE for whoever is about to delete it. */
export async function lockRecord(changing: Changing, id: string, lock?: Lock) {
  const row = await findLocked(changing, id, lock)
  if (!row) throw recordNotFound()
  return row
}

/** The same, where it is no mistake that there is none. */
export async function findLocked(changing: Changing, id: string, lock?: Lock) {
  const [row] = isUuid(id) ? await findAllLocked(changing, [id], lock) : []
  return row ?? null
}

/** Those of them that the caller may see, locked in the order of their ids. */
export const findAllLocked = (
  { engine, tx, model, caller, rows }: Changing,
  ids: string[],
  lock: Lock = 'edit',
) => {
  const table = tableOf(engine, model)
  return tx.query(
    sql`select ${selection(table, allFields(model), rows)} from ${table}
      where ${columnOf(table, 'id')} = any(${sql.param(ids)}::uuid[])
        and ${visible({ engine, model, table, caller, rows })} order by ${columnOf(table, 'id')} ${LOCKS[lock]}`,
    'prepared',
  )
}

/** An edit leaves the key alone, so whoever makes a child does not wait for it. A deletion does not: they must. */
export const LOCKS = { edit: sql`for no key update`, delete: sql`for update` }
export type Lock = keyof typeof LOCKS

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

type Step = {
  id: string
  version: number
  before: Row | null
  after: Row | null
  isUnconditional?: boolean
}

/** Writes what was done to records of one model, each as its next version. Returns the ids of the revisions. */
export const keepTraces = (changing: Changing, action: ChangeAction, steps: Step[]) => {
  const { engine, tx, model, actor, requestId, operationId } = changing
  const of = {
    operationId,
    model: model.path,
    action,
    actor,
    requestId,
    whose: ownership(engine, model),
  }
  return writeChanges(
    tx,
    of,
    steps.map((step) => ({
      recordId: step.id,
      version: step.version,
      before: step.before && only(step.before, keptNames(model, action)),
      after: step.after && only(step.after, storedNames(model)),
      fields:
        action === 'restore'
          ? []
          : Object.keys(step.after ?? {}).filter((name) => name in model.fields),
      outcome: step.isUnconditional ? ('unconditional' as const) : ('done' as const),
    })),
  )
}

const keptNames = (model: Model, action: ChangeAction) =>
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
export async function unique<T>(model: Model, run: () => Promise<T>) {
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
