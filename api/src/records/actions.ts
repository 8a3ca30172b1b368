import type { Model, ModelAction } from '@gatehouse/model'
import { eq, sql } from 'drizzle-orm'
import type { Row } from '#db.ts'
import { conflict } from '#errors.ts'
import { contextOf } from '#site.ts'
import { revisions } from '#table.ts'
import { checkVersion, lockRecord, type Changing } from './change.ts'
import { columnOf, tableOf } from './engine.ts'
import { toSql } from './filter.ts'
import { withKey } from './idempotency.ts'
import { getRecord } from './read.ts'
import { ticketActions } from './ticket-actions.ts'
import { undoableOf } from './undoable.ts'

/** What an action works with: the record as the caller sees it, locked, and what was sent. */
export type Acting = Changing & { record: Row; input: Row } & Making

/** How an action makes other records: with their steps, and counted like any other creation. */
export type Making = {
  create: (path: string, values: Row) => Promise<unknown>
  count: (path: string) => Promise<void>
}

export type Act = (acting: Acting) => Promise<unknown>

/** The functions of each model's actions; the models say who may and when. */
const ACTS: Record<string, Record<string, Act>> = { tickets: ticketActions }

type Wanted = Making & {
  name: string
  action: ModelAction
  id: string
  input: Row
  key: string | undefined
  ifMatch: string | undefined
}

type Acted = { record: Row; revisionId: string | null; operationId: string | null }

/**
 * Does something to a record, once per key. A repetition answers with the record as it is now, under the caller's rights
 * of now, and with the first operation.
 */
export const runAction = (changing: Changing, wanted: Wanted): Promise<Acted> => {
  const { name, action, id, input } = wanted
  return withKey(changing, {
    key: wanted.key,
    request: [changing.model.path, name, id, input],
    run: async () => {
      const record = await lockRecord(changing, id)
      await checkVersion(changing, id, record, wanted.ifMatch)
      await requireNow(changing, action, id)
      const { create, count } = wanted
      await actOf(changing.model, name)({ ...changing, record, input, create, count })
      return answer(changing, id, await firstRevision(changing))
    },
    proofOf: ({ revisionId }) => (revisionId === null ? null : { id, revisionId, status: 200 }),
    replay: (known) => answer(changing, id, String(known['revision_id'])),
  })
}

/** Actions without a function, and functions without an action. Part of the start-up checks. */
export const checkActs = (models: Model[]) =>
  models.flatMap(({ path, actions }) => {
    const declared = Object.keys(actions)
    const known = Object.keys(ACTS[path] ?? {})
    return [
      ...declared.filter((name) => !known.includes(name)).map((name) => [name, 'no function']),
      ...known.filter((name) => !declared.includes(name)).map((name) => [name, 'no definition']),
    ].map(([name, lack]) => `${path}: action "${name}" has ${lack}`)
  })

function actOf({ path }: Model, name: string): Act {
  const act = ACTS[path]?.[name]
  if (!act) throw new Error(`no function for the action "${name}" of "${path}"`)
  return act
}

/** Asked of the locked row: of two people who close a ticket at once, one is told. */
async function requireNow(
  { engine, tx, model, caller }: Changing,
  action: ModelAction,
  id: string,
) {
  if (!action.when) return
  const table = tableOf(engine, model)
  const applies = toSql(model, table, action.when, {
    context: contextOf(engine.site),
    me: caller.visitor?.sub ?? null,
  })
  const rows = await tx.query(
    sql`select 1 from ${table} where ${eq(columnOf(table, 'id'), id)} and ${applies}`,
  )
  if (rows.length === 0)
    throw conflict('not-now', 'This isn’t possible now. Someone may have done it already.')
}

/** Any revision leads to the operation; none means that nothing changed. */
async function firstRevision({ tx, operationId }: Changing) {
  const [row] = await tx.query(
    sql`select id from ${revisions} where operation_id = ${operationId} order by id limit 1`,
    'prepared',
  )
  return row ? String(row['id']) : null
}

async function answer(changing: Changing, id: string, revisionId: string | null): Promise<Acted> {
  const record = await getRecord(changing, id)
  return { record, revisionId, operationId: await undoable(changing, revisionId) }
}

/** The operation, where the caller may undo it. */
async function undoable(changing: Changing, revisionId: string | null) {
  const [row] = await changing.tx.query(
    sql`select operation_id from ${revisions} where id = ${revisionId}`,
    'prepared',
  )
  if (!row) return null
  const operation = String(row['operation_id'])
  return (await undoableOf(changing, [operation])).has(operation) ? operation : null
}
