import { sql } from 'drizzle-orm'
import type { Runner } from '#platform/db.ts'
import { files, type PreviewState, type Verdict } from './file-tables.ts'
import { IS_WITHOUT_PREVIEW } from './pictures.ts'

/** What one person may have uploaded without attaching it. */
const STAGED_MAX_BYTES = 2_000_000_000

type NewFile = { id: string; ownerRef: string | null; name: string; size: number }

/** The row comes before the bytes, so that no bytes are without one. False beyond the person's quota. */
export async function insertUploading(db: Runner, { id, ownerRef, name, size }: NewFile) {
  const rows = await db.query(
    sql`insert into ${files} (id, owner_ref, name, type, size, stage, verdict)
      select ${id}::uuid, ${ownerRef}::uuid, ${name}::text, '', ${size}::bigint, 'uploading', 'none'
      where ${size}::bigint + (select coalesce(sum(size), 0) from ${files}
        where owner_ref = ${ownerRef}::uuid and stage in ('uploading', 'staged')) <= ${STAGED_MAX_BYTES}
      returning 1`,
    'prepared',
  )
  return rows.length > 0
}

type Stored = { id: string; type: string; sha256: string; verdict: Verdict }

/** False if the row was swept meanwhile. */
export async function markStaged(db: Runner, { id, type, sha256, verdict }: Stored) {
  const rows = await db.query(
    sql`update ${files} set stage = 'staged', type = ${type}, sha256 = ${sha256}, verdict = ${verdict},
        checked_at = case when ${verdict}::text = 'none' then null else now() end, changed_at = now()
      where id = ${id}::uuid and stage = 'uploading' returning 1`,
    'prepared',
  )
  return rows.length > 0
}

/** After a failed upload; its bytes are deleted first. */
export const deleteUploading = (db: Runner, id: string) =>
  db.query(sql`delete from ${files} where id = ${id}::uuid and stage = 'uploading'`, 'prepared')

type Readable = { name: string; type: string; hasPreviews: boolean }

/** A file that may be sent; null without a verdict of the scanner, and once it is being swept. */
export async function findReadable(db: Runner, id: string) {
  const [file] = await db.query(
    sql<Readable>`select name, type, preview is not distinct from 'ready' as "hasPreviews" from ${files}
      where id = ${id}::uuid and stage in ('staged', 'attached', 'removed') and verdict in ('none', 'clean')`,
    'prepared',
  )
  return file ?? null
}

/** Rows that may be swept: uploads that ended in nothing, and what left its record long ago. */
export async function claimDue(db: Runner, limit: number, removedDays: number) {
  const rows = await db.query(
    sql<{
      id: string
    }>`update ${files} set stage = 'deleting', changed_at = now() where id = any(array(
        select id from ${files}
        where stage <> 'attached' and changed_at < now() - interval '1 hour' and (
          stage = 'deleting'
          or stage in ('uploading', 'staged') and changed_at < now() - interval '24 hours'
          or stage = 'removed' and changed_at < now() - make_interval(days => ${removedDays}))
        order by changed_at limit ${limit} for update skip locked))
      returning id`,
    'prepared',
  )
  return rows.map(({ id }) => id)
}

export const deleteRow = (db: Runner, id: string) =>
  db.query(sql`delete from ${files} where id = ${id}::uuid and stage = 'deleting'`, 'prepared')

const RECHECK_BATCH = 50

/** Files without a verdict that were not sent to the scanner within the last minute, the oldest request first. */
export async function findUnchecked(db: Runner) {
  const rows = await db.query(
    sql<{ id: string }>`select id from ${files}
      where verdict = 'unchecked' and checked_at < now() - interval '1 minute'
        and stage in ('staged', 'attached', 'removed')
      order by checked_at limit ${RECHECK_BATCH}`,
    'prepared',
  )
  return rows.map(({ id }) => id)
}

/** The request is noted, so that the next one is a minute later. */
export const markAsked = (db: Runner, id: string) =>
  db.query(
    sql`update ${files} set checked_at = now() where id = ${id}::uuid and verdict = 'unchecked'`,
    'prepared',
  )

export const markChecked = (db: Runner, id: string, verdict: 'clean' | 'infected') =>
  db.query(
    sql`update ${files} set verdict = ${verdict}, checked_at = now()
      where id = ${id}::uuid and verdict = 'unchecked'`,
    'prepared',
  )

/** The scanner was switched off: what waits for it is as what arrives without one. */
export const releaseUnchecked = (db: Runner) =>
  db.query(sql`update ${files} set verdict = 'none' where verdict = 'unchecked'`, 'prepared')

/** Few at a time, so that all of them are made within the five minutes of a job: each may take 20 seconds. */
const PREVIEW_BATCH = 10

/** The sweep claims no staged file that is younger, so it never deletes one while its previews are made. */
const PREVIEWED_STAGED_HOURS = 12

const canBePreviewed = sql`${IS_WITHOUT_PREVIEW}
  and (stage = 'attached' or changed_at > now() - make_interval(hours => ${PREVIEWED_STAGED_HOURS}))`

/** The newest, among which accounts take turns. */
const PREVIEW_WINDOW = 2_000

/**
 * The newest first: after an upgrade the pictures of years are due too. Accounts take turns, so that one that uploads hundreds delays
 * its own pictures only.
 */
export async function findWithoutPreview(db: Runner) {
  const rows = await db.query(
    sql<{ id: string }>`select id
      from (
        select id, changed_at, row_number() over (partition by owner_ref order by changed_at desc) as turn
        from (
          select id, owner_ref, changed_at from ${files} where ${canBePreviewed}
          order by changed_at desc limit ${PREVIEW_WINDOW}
        ) as newest
      ) as due
      order by turn, changed_at desc limit ${PREVIEW_BATCH}`,
    'prepared',
  )
  return rows.map(({ id }) => id)
}

/** Counts the attempt before it begins, as the picture may end the process: the second one has failed unless it succeeds. */
export async function claimForPreview(db: Runner, id: string) {
  const [row] = await db.query(
    sql<{
      preview: PreviewState
    }>`update ${files} set preview = case when preview is null then 'tried' else 'failed' end
      where id = ${id}::uuid and ${canBePreviewed} returning preview`,
    'prepared',
  )
  return row?.preview ?? null
}

/** The attempt doesn't count. */
export const releaseFromPreview = (db: Runner, id: string) =>
  db.query(
    sql`update ${files} set preview = case preview when 'failed' then 'tried' end
      where id = ${id}::uuid and preview in ('tried', 'failed')`,
    'prepared',
  )

export const markPreviewed = (db: Runner, id: string) =>
  db.query(sql`update ${files} set preview = 'ready' where id = ${id}::uuid`, 'prepared')

export const markUnreadable = (db: Runner, id: string) =>
  db.query(sql`update ${files} set preview = 'failed' where id = ${id}::uuid`, 'prepared')

const NAMED_RECORDS = 10

/** Files that nobody may open yet, and those that never will be, with some of the records that name them. */
export async function countVerdicts(db: Runner) {
  const [row] = await db.query(
    sql<{
      unchecked: number
      infected: number
      infectedIn: { model: string; id: string }[]
    }>`select
        count(*) filter (where verdict = 'unchecked')::int as unchecked,
        count(*) filter (where verdict = 'infected' and stage = 'attached')::int as infected,
        array(select distinct jsonb_build_object('model', model, 'id', record_id) from ${files}
          where verdict = 'infected' and stage = 'attached' limit ${NAMED_RECORDS}) as "infectedIn"
      from ${files} where verdict in ('unchecked', 'infected')`,
    'prepared',
  )
  return row ?? { unchecked: 0, infected: 0, infectedIn: [] }
}

/** Which of these files have a row. */
export async function findKnown(db: Runner, ids: string[]) {
  const rows = await db.query(
    sql<{ id: string }>`select id from ${files} where id = any(${sql.param(ids)}::uuid[])`,
    'prepared',
  )
  return new Set(rows.map(({ id }) => id))
}
