import { sql } from 'drizzle-orm'
import type { SecurityEventOutcome } from '@gatehouse/model'
import { onlyRow, type CountRow, type Runner } from '#platform/db.ts'
import { recordSecurityEvents } from './store-events.ts'
import { tableOf, type Engine } from '#engine/engine.ts'
import { auditEvents, historyChecks, revisions } from '#engine/history/history-tables.ts'

/** Rows per statement: about 100 ms. */
const BATCH = 5_000
/** Well below the queue's expiry, after which another worker would start. */
const RUN_MAX_MS = 120_000
/** UTC, when load is low. */
const NIGHT_HOUR = 2
const NO_ID = '00000000-0000-0000-0000-000000000000'

type Mismatch = SecurityEventOutcome<'history-mismatch'>

type Progress = {
  day: string
  afterSeq: number
  afterId: string
  isAuditDone: boolean
  seen: { revisions: number; auditRows: number }
  found: Record<Mismatch, number>
}

const begin = (day: string): Progress => ({
  day,
  afterSeq: 0,
  afterId: NO_ID,
  isAuditDone: false,
  seen: { revisions: 0, auditRows: 0 },
  found: { 'no-audit-row': 0, 'no-revision': 0, 'not-purged': 0 },
})

/** Compares all revisions and audit rows once a night. */
export function buildHistoryCheck(engine: Engine, { runMaxMs = RUN_MAX_MS, batch = BATCH } = {}) {
  const { db } = engine
  let progress: Progress | null = null

  async function due(now = new Date()): Promise<string[]> {
    const day = now.toISOString().slice(0, 10)
    if (now.getUTCHours() < NIGHT_HOUR) return []
    const finished = await db.query(
      sql`select from ${historyChecks} where day = ${day}::date`,
      'prepared',
    )
    return finished.length > 0 ? [] : [day]
  }

  /** Stops at the time limit; the next run resumes there. */
  async function check(day: string) {
    const end = Date.now() + runMaxMs
    if (progress?.day !== day) progress = begin(day)
    while (!progress.isAuditDone) {
      if (Date.now() > end) return
      progress.isAuditDone = (await readAuditRows(engine, progress, batch)) < batch
    }
    for (let read = batch; read === batch;) {
      if (Date.now() > end) return
      read = await readRevisions(db, progress, batch)
    }
    await storeResult(engine, progress)
    progress = null
  }

  return { due, check }
}

/**
 * An audit row refers to its revision, unless an older release wrote it. A purge deletes both; a purged record must not be in
 * its table. A migration that backfills values writes no revisions, but a row with its name in the ledger.
 */
async function readAuditRows(engine: Engine, progress: Progress, batch: number) {
  const { db } = engine
  const page = onlyRow(
    await db.query(
      sql<{ read: number; last: number; lost: number; purged: { model: string; id: string }[] }>`
      with page as materialized (
        select seq, action, entity, entity_id, revision_id, request_id from ${auditEvents} where seq > ${progress.afterSeq}
        order by seq limit ${batch}
      ), lost as materialized (
        select entity, entity_id, count(*) as rows from page where revision_id is not null
          and not exists (select from ${revisions} one where one.id = page.revision_id
            and one.model = page.entity and one.record_id = page.entity_id)
        group by entity, entity_id
      )
      select (select count(*) from page) as read, (select max(seq) from page) as last,
        (select coalesce(sum(rows), 0) from lost where not exists (select from ${auditEvents} purge
          where purge.entity = lost.entity and purge.entity_id = lost.entity_id and purge.action = 'purge'))
          + (select count(*) from page where action = 'backfill'
            and not exists (select from migrations where name = page.request_id)) as lost,
        (select coalesce(json_agg(json_build_object('model', entity, 'id', entity_id)), '[]') from page
          where action = 'purge') as purged`,
      'prepared',
    ),
  )
  progress.seen.auditRows += page.read
  progress.found['no-revision'] += page.lost
  progress.afterSeq = page.last ?? progress.afterSeq
  for (const [path, purged] of Map.groupBy(page.purged, ({ model }) => model)) {
    const model = engine.models.find((one) => one.path === path)
    if (!model) continue
    const ids = sql.param(purged.map(({ id }) => id))
    const count = sql<CountRow>`select count(*) as count from ${tableOf(engine, model)} where id = any(${ids}::uuid[])`
    progress.found['not-purged'] += onlyRow(await db.query(count)).count
  }
  return page.read
}

/** Audit rows of older releases lack the revision's id: matched by record and time instead. */
async function readRevisions(db: Runner, progress: Progress, batch: number) {
  const page = onlyRow(
    await db.query(
      sql<{ read: number; last: string | null; lost: number }>`
      with page as materialized (
        select id, model, record_id, at from ${revisions} where id > ${progress.afterId} order by id limit ${batch}
      ), lost as materialized (
        select model, record_id, at from page
        where not exists (select from ${auditEvents} one where one.revision_id = page.id)
      )
      select (select count(*) from page) as read, (select id from page order by id desc limit 1) as last,
        (select count(*) from lost where not exists (select from ${auditEvents} one where one.at = lost.at
          and one.entity = lost.model and one.entity_id = lost.record_id and one.revision_id is null)) as lost`,
      'prepared',
    ),
  )
  progress.seen.revisions += page.read
  progress.found['no-audit-row'] += page.lost
  progress.afterId = page.last ?? progress.afterId
  return page.read
}

async function storeResult({ db }: Engine, { day, seen, found }: Progress) {
  const kinds = Object.entries(found).filter(([, count]) => count > 0) as [Mismatch, number][]
  const mismatches = kinds.reduce((sum, [, count]) => sum + count, 0)
  await db.transaction(async (tx) => {
    await tx.query(
      sql`insert into ${historyChecks} (day, revisions, audit_rows, mismatches)
        values (${day}::date, ${seen.revisions}, ${seen.auditRows}, ${mismatches}) on conflict do nothing`,
    )
    await recordSecurityEvents(
      tx,
      kinds.map(([outcome]) => ({ kind: 'history-mismatch', outcome, once: `${day} ${outcome}` })),
    )
  })
}
