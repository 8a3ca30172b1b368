import { hasFiles, problemMessages } from '@gatehouse/model'
import { onlyRow, type Runner, type CountRow, type IdRow } from '#platform/db.ts'
import { conflict } from '#platform/errors.ts'
import { files } from '#platform/files/file-tables.ts'
import { eq, sql, type SQL } from 'drizzle-orm'
import type { ReadContext } from '#engine/query/get-record.ts'
import { lockRecord } from '#engine/write/save.ts'
import { columnOf, tableOf } from '#engine/engine.ts'
import type { Actor } from '#engine/history/audit-trail.ts'
import { referrersOf, type Referrer } from '#engine/referrers.ts'
import { recordSecurityEvents } from '#engine/security/store-events.ts'
import {
  CASCADE_MAX,
  collectCascade,
  idOf,
  tooManyChildren,
  type Group,
} from '#engine/write/trash.ts'
import { purges } from '#engine/write/write-tables.ts'

/** Purging fires no events: deletion already did. */
export type PurgeContext = ReadContext & { actor: Actor; requestId: string }

/** Links removed per transaction: writers of those records wait for it. */
const UNLINKED_MAX = 100

/** For a request: with more than UNLINKED_MAX links, the record is left to the job, which purges in steps. */
export async function purgeRecord(write: PurgeContext, id: string) {
  const root = await lockRecord({ ...write, rows: 'trash' }, id, 'delete')
  const cascade = await cascadeOf(write, root)
  const links = await countLinks(write, cascade)
  if (links > UNLINKED_MAX) throw conflict('too-many-links', problemMessages.tooManyLinks(links))
  await unlinkSome(write, cascade)
  await remove(write, cascade)
}

/** Like `purgeRecord`, in steps: false while links are left for another transaction. */
export async function purgeStep(write: PurgeContext, root: IdRow) {
  const cascade = await cascadeOf(write, root)
  if ((await unlinkSome(write, cascade)) === UNLINKED_MAX) return false
  await remove(write, cascade)
  return true
}

/** The record and everything ON DELETE CASCADE removes with it, cycles included. */
async function cascadeOf(write: PurgeContext, root: IdRow) {
  const { engine, tx } = write
  const cascade = await collectCascade<IdRow>(write, root, async ({ model, field }, ids) => {
    const table = tableOf(engine, model)
    const rows = await tx.query(
      sql<IdRow & { isLive: boolean }>`select id, deleted_at is null as "isLive" from ${table}
        where ${columnOf(table, field)} = any(${sql.param(ids)}::uuid[])
        limit ${CASCADE_MAX + 1} for update`,
    )
    if (rows.length > CASCADE_MAX) throw tooManyChildren(model)
    if (rows.some(({ isLive }) => isLive))
      throw conflict('in-use', problemMessages.inUse(model.title))
    return rows
  })
  for (const { model, rows } of cascade) await requireUnrestricted({ ...write, model }, rows)
  return cascade
}

/** Restricted records must be kept. */
async function requireUnrestricted({ engine, tx, model }: PurgeContext, rows: IdRow[]) {
  const restricted = await tx.query(
    sql`select 1 from ${tableOf(engine, model)} where id = any(${sql.param(rows.map(idOf))}::uuid[])
      and restricted_at is not null limit 1`,
  )
  if (restricted.length > 0) throw conflict('restricted', problemMessages.restricted(model.title))
}

async function countLinks({ engine, tx }: PurgeContext, cascade: Group<IdRow>[]) {
  let count = 0
  for (const link of linksTo({ engine }, cascade)) {
    const counted = sql<CountRow>`select count(*) as count from ${link.rows}`
    count += onlyRow(await tx.query(counted)).count
  }
  return count
}

/** The link already reads as null, so no revision is written. Returns the number removed, at most UNLINKED_MAX. */
async function unlinkSome({ engine, tx }: PurgeContext, cascade: Group<IdRow>[]) {
  const counts: Counts = {}
  let left = UNLINKED_MAX
  for (const { model, field, rows } of linksTo({ engine }, cascade)) {
    if (left === 0) break
    const table = tableOf(engine, model)
    const name = sql.identifier(columnOf(table, field).name)
    const cut = await tx.query(
      sql`with linked as (select ${columnOf(table, 'id')} from ${rows} order by ${columnOf(table, 'id')} limit ${left}
          for no key update)
        update ${table} set ${name} = null from linked where ${columnOf(table, 'id')} = linked.id returning linked.id`,
    )
    left -= cut.length
    if (cut.length > 0) counts[model.path] = (counts[model.path] ?? 0) + cut.length
  }
  const root = rootOf(cascade)
  if (root && left < UNLINKED_MAX)
    await addUnlinked(tx, { model: root.model.path, id: root.id }, counts)
  return UNLINKED_MAX - left
}

/** Remaining rows that link to purged records, by relation. */
function linksTo({ engine }: Pick<PurgeContext, 'engine'>, cascade: Group<IdRow>[]) {
  const goingIds = sql.param(cascade.flatMap(({ rows }) => rows.map(idOf)))
  return cascade.flatMap(({ model, rows }) =>
    referrersOf(engine, model, ['unlink']).map((referrer): Referrer & { rows: SQL } => {
      const table = tableOf(engine, referrer.model)
      const ids = sql.param(rows.map(idOf))
      return {
        ...referrer,
        rows: sql`${table} where ${columnOf(table, referrer.field)} = any(${ids}::uuid[])
          and ${columnOf(table, 'id')} <> all(${goingIds}::uuid[])`,
      }
    }),
  )
}

/** `collectCascade` puts the requested record first. */
function rootOf([first]: Group<IdRow>[]) {
  const root = first?.rows[0]
  return first && root && { model: first.model, id: root.id }
}

async function remove({ engine, tx, actor, requestId }: PurgeContext, cascade: Group<IdRow>[]) {
  const root = rootOf(cascade)
  if (!root) return
  const table = tableOf(engine, root.model)
  try {
    await tx.query(sql`delete from ${table} where ${eq(columnOf(table, 'id'), root.id)}`)
  } catch (error) {
    if (error instanceof Error && 'code' in error && STILL_REFERRED_TO.includes(String(error.code)))
      throw conflict('in-use', problemMessages.inUseByOthers)
    throw error
  }
  await removeFilesOf(tx, cascade)
  for (const { model, rows } of cascade)
    await writePurge(tx, { model: model.path, ids: rows.map(idOf), actor, requestId })
  await recordSecurityEvents(tx, [
    { kind: 'purged', actor, model: root.model.path, record: root.id },
  ])
}

/** Their bytes are swept later, like those of every removed file. */
async function removeFilesOf(tx: Runner, cascade: Group<IdRow>[]) {
  const ids = cascade.flatMap(({ model, rows }) => (hasFiles(model) ? rows.map(idOf) : []))
  if (ids.length === 0) return
  await tx.query(
    sql`update ${files} set stage = 'removed', changed_at = now()
      where record_id = any(${sql.param(ids)}::uuid[]) and stage = 'attached'`,
  )
}

/** PostgreSQL's foreign key violation codes, before and since version 18. */
const STILL_REFERRED_TO = ['23503', '23001']

/** Records by model. */
type Counts = Record<string, number>

type Purged = { model: string; id: string }

/** Failures before admins are notified; fewer are usually lock conflicts. */
const REFUSALS_REPORTED_FROM = 3
const NAMED_MAX = 20

/** Accumulates unlink counts across transactions for the final audit row. */
const addUnlinked = (tx: Runner, { model, id }: Purged, counts: Counts) =>
  tx.query(
    sql`insert into ${purges} as known (model, record_id, unlinked) values (${model}, ${id}, ${JSON.stringify(counts)}::jsonb)
      on conflict (model, record_id) do update set tried_at = now(), unlinked = known.unlinked || (
        select coalesce(jsonb_object_agg(key, value::int + coalesce((known.unlinked ->> key)::int, 0)), '{}')
        from jsonb_each_text(excluded.unlinked))`,
  )

export const addRefusal = (tx: Runner, { model, id }: Purged, reason: string) =>
  tx.query(
    sql`insert into ${purges} as known (model, record_id, refusals, reason) values (${model}, ${id}, 1, ${reason})
      on conflict (model, record_id) do update
      set tried_at = now(), refusals = known.refusals + 1, reason = excluded.reason`,
  )

/**
 * Deletes the revisions once the rows are deleted, which the SQL function verifies. Its audit row remains, with the number of
 * unlinked records.
 */
export async function writePurge(
  tx: Runner,
  purge: { model: string; ids: string[]; actor: Actor; requestId: string },
) {
  const { model, ids, actor, requestId } = purge
  await tx.query(
    sql`select purge_history(${model}, ${sql.param(ids)}::uuid[], ${actor.ref}::uuid, ${actor.kind}, ${requestId})`,
  )
}

type RefusedPurge = {
  model: string
  id: string
  refusals: number
  reason: string
  triedAt: string
  total: number
}

export async function refusedPurges(db: Runner) {
  const rows = await db.query(
    sql<RefusedPurge>`
      select model, record_id as id, refusals, reason, tried_at as "triedAt", count(*) over () as total
      from ${purges} where refusals >= ${REFUSALS_REPORTED_FROM} order by refusals desc, record_id limit ${NAMED_MAX}`,
  )
  return { count: rows[0]?.total ?? 0, records: rows }
}
