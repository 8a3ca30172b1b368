import { fieldOf, type Model, problemMessages, fieldMessages } from '@gatehouse/model'
import { eq, sql } from 'drizzle-orm'
import type { RecordRow } from '#engine/compiled.ts'
import { columnOf, compiledOf, tableOf } from '#engine/engine.ts'
import { insertRevisions, type ChangeAction } from '#engine/history/trace.ts'
import { canGet, getRecord, type ReadContext } from '#engine/query/read.ts'
import { ownership, visible } from '#engine/query/visibility.ts'
import { uniqueFieldOf } from '#engine/names.ts'
import type { Row } from '#platform/db.ts'
import { changedMeanwhile, conflict, invalidRecord, recordNotFound } from '#platform/errors.ts'
import { isUuid } from '#engine/uuid.ts'
import type { WriteContext } from './events.ts'

/** SELECT FOR NO KEY UPDATE under the caller's visibility; FOR UPDATE before a deletion. */
export async function lockRecord(context: ReadContext, id: string, lock?: Lock) {
  const row = await findLocked(context, id, lock)
  if (!row) throw recordNotFound()
  return row
}

/** The same; null if there is none. */
export async function findLocked(context: ReadContext, id: string, lock?: Lock) {
  const [row] = isUuid(id) ? await findAllLocked(context, [id], lock) : []
  return row ?? null
}

/** Those the caller may see, locked in id order. */
export const findAllLocked = (context: ReadContext, ids: string[], lock: Lock = 'edit') => {
  const { engine, tx, model, caller, rows } = context
  const table = tableOf(engine, model)
  return tx.query(
    sql<RecordRow>`select ${compiledOf(context).stored.selection[rows ?? 'live']} from ${table}
      where ${columnOf(table, 'id')} = any(${sql.param(ids)}::uuid[])
        and ${visible({ engine, model, table, caller, rows })} order by ${columnOf(table, 'id')} ${LOCKS[lock]}`,
    'prepared',
  )
}

/** An edit doesn't lock the key, so inserting a child doesn't wait for it; a deletion does. */
export const LOCKS = { edit: sql`for no key update`, delete: sql`for update` }
export type Lock = keyof typeof LOCKS

export async function checkVersion(
  context: ReadContext,
  id: string,
  row: RecordRow,
  ifMatch: string | undefined,
) {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  // Compressing proxies weaken ETags; ours name a version, so a weak match is exact enough.
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (tags.includes(toETag(row))) return
  throw changedMeanwhile(canGet(context) ? await getRecord(context, id) : undefined)
}

/** A record's version as an entity tag. */
export const toETag = ({ version }: RecordRow) => `"${version}"`

/** Writes the difference and its revision. Returns the new record; null if nothing differs. */
export async function save(
  write: WriteContext,
  before: RecordRow,
  after: Row,
  isUnconditional: boolean,
): Promise<Row | null> {
  const { engine, tx, model, actor } = write
  const changed = changedFields(write, before, after)
  if (changed.length === 0) return null
  requireMutable(model, changed)
  const table = tableOf(engine, model)
  const { id } = before
  const version = before.version + 1
  const assignments = changed.map(
    (name) => sql`${columnNames(write, [name])} = ${sql.param(after[name])}`,
  )
  const [written] = await unique(model, () =>
    tx.query(
      sql<Pick<RecordRow, 'version' | 'updatedAt'>>`
        update ${table} set ${sql.join(assignments, sql`, `)}, version = ${version}, updated_at = now(),
        updated_by_ref = ${actor.ref} where ${eq(columnOf(table, 'id'), id)}
        returning version, updated_at as "updatedAt"`,
    ),
  )
  await writeRevisions(write, 'update', [
    { id, version, before: only(before, changed), after: only(after, changed), isUnconditional },
  ])
  return { ...after, ...written }
}

/** Checked here because every change passes: update, restore of a version, undo, server. */
function requireMutable(model: Model, changed: string[]) {
  const fixed = changed.filter((name) => fieldOf(model, name)?.immutable)
  if (fixed.length > 0)
    throw invalidRecord(
      fixed.map((name) => ({
        field: name,
        message: fieldMessages.immutable(fieldOf(model, name)?.label ?? name),
      })),
    )
}

type RevisionDraft = {
  id: string
  version: number
  before: Row | null
  after: Row | null
  isUnconditional?: boolean
}

/** Writes the revisions of a change to records of one model. Returns their ids. */
export const writeRevisions = (
  write: WriteContext,
  action: ChangeAction,
  drafts: RevisionDraft[],
) => {
  const { engine, tx, model, actor, requestId, operationId } = write
  const of = {
    operationId,
    model: model.path,
    action,
    actor,
    requestId,
    whose: ownership(engine, model),
  }
  return insertRevisions(
    tx,
    of,
    drafts.map((draft) => ({
      recordId: draft.id,
      version: draft.version,
      before: draft.before && only(draft.before, keptNames(write, action)),
      after: draft.after && only(draft.after, storedNames(write)),
      fields:
        action === 'restore'
          ? []
          : Object.keys(draft.after ?? {}).filter((name) => name in model.fields),
      outcome: draft.isUnconditional ? ('unconditional' as const) : ('done' as const),
    })),
  )
}

const keptNames = (write: WriteContext, action: ChangeAction) =>
  action === 'restore' ? ['deletedAt'] : storedNames(write)

const storedNames = (write: WriteContext) => compiledOf(write).stored.names

const only = (row: Row, names: string[]): Row =>
  Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]))

const changedFields = (write: WriteContext, before: Row, after: Row) =>
  storedNames(write).filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  )

export const columnNames = (
  { engine, model }: Pick<WriteContext, 'engine' | 'model'>,
  names: string[],
) =>
  sql.join(
    names.map((name) => sql.identifier(columnOf(tableOf(engine, model), name).name)),
    sql`, `,
  )

/** Maps a unique violation to a conflict at its field, and a foreign key violation to `relation-gone`. */
export async function unique<T>(model: Model, run: () => Promise<T>) {
  try {
    return await run()
  } catch (error) {
    const [code, constraint] =
      error instanceof Error && 'constraint' in error && 'code' in error
        ? [error.code, String(error.constraint)]
        : []
    if (code === FOREIGN_KEY_VIOLATION)
      throw conflict('relation-gone', problemMessages.relationGone)
    const name = code === UNIQUE_VIOLATION ? uniqueFieldOf(model, String(constraint)) : null
    if (name === null) throw error
    const message = fieldMessages.taken(model.fields[name]?.label ?? name)
    throw conflict('not-unique', message, [{ field: name, message }])
  }
}

/** PostgreSQL's codes. */
const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
