import { conditionsOf, namesOfField, withPresentNames, type Model } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Row, Runner, IdRow } from '#platform/db.ts'
import { revisions } from './history-tables.ts'
import type { Table } from '#engine/build-tables.ts'
import { columnOf, modelOf, tableOf, targetOf, type Engine } from '#engine/engine.ts'
import { ownership } from '#engine/query/visibility.ts'

/** Records per transaction, and versions per statement. */
const BATCH = 100
const PAGE = 1_000
/** Well below the queue's expiry, after which another worker would start. */
const RUN_MAX_MS = 120_000
/** Only older releases leave anything to do. */
const POLL_INTERVAL_MS = 60_000

/**
 * Backfills ownership of revisions that older releases wrote without it. If the revisions don't prove it, the version
 * remains visible to admins only.
 */
export function buildOwnershipBackfill(engine: Engine) {
  const { db } = engine
  let nextPollAt = 0

  /** A child waits until its parent's model is done. Once nothing is left, it queries at most once a minute. */
  async function due() {
    if (Date.now() < nextPollAt) return []
    const rows = await db.query(
      sql<{ path: string }>`select path
        from unnest(${sql.param(engine.models.map(({ path }) => path))}::text[]) path
        where exists (select 1 from ${revisions} where model = path and not is_settled)`,
    )
    if (rows.length === 0) nextPollAt = Date.now() + POLL_INTERVAL_MS
    const paths = rows.map(({ path }) => path)
    return paths.filter((path) => {
      const parent = parentOf(engine, modelOf(engine, path))
      return !parent || !paths.includes(parent.path)
    })
  }

  /** Commits batch by batch, so that a killed run resumes where it stopped. */
  async function backfill(path: string) {
    const model = modelOf(engine, path)
    const end = Date.now() + RUN_MAX_MS
    let last = NO_ID
    while (Date.now() < end) {
      const ids = await db.transaction((tx) => backfillBatch({ engine, tx, model }, last))
      if (ids.length < BATCH) return
      last = ids.at(-1) ?? last
    }
  }

  return { due, backfill }
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

type BackfillContext = { engine: Engine; tx: Runner; model: Model }

async function backfillBatch(context: BackfillContext, after: string) {
  const { tx, model } = context
  const found = await tx.query(
    sql<{ recordId: string }>`select distinct record_id as "recordId" from ${revisions}
      where model = ${model.path} and not is_settled and record_id > ${after}
      order by record_id limit ${BATCH}`,
  )
  const ids = found.map(({ recordId }) => recordId)
  const stateAfter = await buildStates(context, ids)
  let [record, version] = [NO_ID, 0]
  for (;;) {
    const page = await tx.query(
      sql<VersionRow>`select id, record_id as "recordId", version, action, at, is_settled as "isSettled",
          (select jsonb_object_agg(name, value) from jsonb_each(after) one (name, value)
            where name = any(${sql.param(visibilityFields(model).flatMap((name) => namesOfField(model, name)))}::text[])) as values
        from ${revisions} where model = ${model.path} and record_id = any(${sql.param(ids)}::uuid[])
          and (record_id, version) > (${record}::uuid, ${version}::int) order by record_id, version limit ${PAGE}`,
    )
    const states = page.map((row) => ({ row, state: stateAfter(row) }))
    await write(
      context,
      states.filter(({ row }) => !row.isSettled),
    )
    const last = page.at(-1)
    if (!last || page.length < PAGE) return ids
    record = last.recordId
    version = last.version
  }
}

/** `values` are those of the fields that decide who sees the record. */
type VersionRow = {
  id: string
  recordId: string
  version: number
  action: string
  at: string
  isSettled: boolean
  values: Row | null
}

const visibilityFields = (model: Model) => [
  ...Object.values(model.rowScope ?? {}),
  ...(model.publicFilter ? conditionsOf(model.publicFilter).map(([name]) => name) : []),
]

/** Returns a record's state after a version, or null if unproven; call in version order. */
async function buildStates({ engine, tx, model }: BackfillContext, ids: string[]) {
  const rows = await tx.query(
    sql<IdRow>`select id from ${tableOf(engine, model)} where id = any(${sql.param(ids)}::uuid[]) and restricted_at is not null`,
  )
  // Unknown: since when a record is restricted, and the value of `@today` on an earlier day.
  const restricted = new Set(rows.map(({ id }) => id))
  const isUnproven = (id: string) => hasRelativeFilter(model) || restricted.has(id)
  let latest: { recordId: string | null; version: number; state: Row | null } = NOTHING_YET
  return ({ recordId, version, action, values }: VersionRow): Row | null => {
    const isNext = latest.recordId === recordId && latest.version + 1 === version
    const isFirst = version === 1 && action === 'create'
    const before = isFirst ? { id: recordId } : isNext ? latest.state : null
    const state = before && { ...before, ...withPresentNames(model, values ?? {}) }
    latest = { recordId, version, state }
    return isUnproven(recordId) ? null : state
  }
}

const NOTHING_YET = { recordId: null, version: 0, state: null }

const hasRelativeFilter = ({ publicFilter }: Model) =>
  publicFilter !== null &&
  conditionsOf(publicFilter).some(([, , value]) =>
    [value].flat().some((one) => typeof one === 'string' && one.startsWith('@')),
  )

/** Evaluates `ownership` on each past state, with a child's parent as of the same time. */
async function write(
  { engine, tx, model }: BackfillContext,
  states: { row: VersionRow; state: Row | null }[],
) {
  const table = tableOf(engine, model)
  const given = states.map(({ row, state }) => ({
    revision: row.id,
    at: row.at,
    proven: state !== null,
    state: toColumns(state ?? {}, table),
  }))
  const parent = parentAtVersion(engine, model)
  await tx.query(
    sql`select settle_revision(found.revision, found.owner, found.org, found.is_open)
      from (select given.revision, whose.owner, whose.org, whose.is_open and given.proven as is_open
        from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
          given (revision uuid, at timestamptz, proven boolean, state jsonb)
        cross join lateral jsonb_populate_record(null::${table}, given.state) ${table}
        ${parent.join}
        cross join lateral (select ${ownership(engine, model).values}) whose (owner, org, is_open)
        where ${parent.isReady}) found`,
  )
}

/** The parent as of the same time, instead of the current one. Not ready until the parent is backfilled. */
function parentAtVersion(engine: Engine, model: Model) {
  const parent = parentOf(engine, model)
  if (!parent) return { join: sql``, isReady: sql`true` }
  const id = columnOf(tableOf(engine, model), parent.via)
  return {
    join: sql`left join lateral (select owner, org, is_open, is_settled from ${revisions} one
      where one.model = ${parent.path} and one.record_id = ${id} and one.at <= given.at
      order by one.version desc limit 1) parent on true`,
    isReady: sql`parent.is_settled is not false`,
  }
}

function parentOf(engine: Engine, model: Model) {
  const scope = model.rowScope
  if (!scope || !('via' in scope)) return null
  return { path: targetOf(engine, model, scope.via).path, via: scope.via }
}

const toColumns = (state: Row, table: Table) =>
  Object.fromEntries(
    Object.entries(state).map(([name, value]) => [columnOf(table, name).name, value]),
  )
