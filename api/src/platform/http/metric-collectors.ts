import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import { Counter, Gauge, Registry } from 'prom-client'
import type { Verifier } from './auth.ts'
import type { FairQueue } from '#platform/admission-control/fair-queue.ts'
import type { Db } from '#platform/db.ts'
import type { Files, FileState } from '#platform/files/open-files.ts'
import { countMails } from '#platform/mail/outbox.ts'

type JobCount = { name: string; waiting: number; failed: number }

/** Sources sampled on scrape, as opposed to counted as they happen. */
export type MetricSources = {
  db: Db
  /** The connections that requests use. */
  pool: Db['connections']
  queue: FairQueue
  verifier: Verifier
  isReady: () => Promise<boolean>
  /** Injected: only the jobs know their queue. */
  jobCounts: (db: Db) => Promise<JobCount[]>
  noticeVersion: string
  /** Written by the backup tool: {"finishedAt": "2026-01-31T02:00:00Z"}. */
  backupStatusFile: string | null
  /** Null if the installation stores no files. */
  files: Pick<Files, 'state'> | null
}

/** One value, or several by one label. Label values are our own names, never IDs or personal data. */
type Metric = {
  name: string
  help: string
  isCounter?: boolean
  values: number | { label: string; of: Record<string, number> }
}

const gauge = (name: string, help: string, values: Metric['values']): Metric => ({
  name,
  help,
  values,
})

/** One registry per scrape: an unknown value is omitted instead of repeating the last one. */
export async function describeState(watched: MetricSources) {
  const registry = new Registry()
  for (const { name, help, isCounter, values } of await stateOf(watched)) {
    const [label, figures] =
      typeof values === 'number' ? [null, { '': values }] : [values.label, values.of]
    const options = { name, help, labelNames: label ? [label] : [], registers: [registry] }
    const metric = isCounter ? new Counter(options) : new Gauge(options)
    for (const [key, value] of Object.entries(figures))
      metric.inc(label ? { [label]: key } : {}, value)
  }
  return registry
}

async function stateOf(watched: MetricSources): Promise<Metric[]> {
  const { db } = watched
  const isUp = await db.query(sql`select 1`).then(
    () => true,
    () => false,
  )
  // Omits unavailable values: a database outage is a metric, not a failed scrape. Sequential, because waiting for one of the
  // few connections would look like an outage.
  const isReady = isUp && (await watched.isReady())
  const mails = isUp ? await describeMails(db).catch(() => []) : []
  const jobs = isUp ? await watched.jobCounts(db).then(describeJobs, () => []) : []
  const files = (isUp && (await watched.files?.state().then(describeFiles, () => []))) || []
  const backup = await describeBackup(watched.backupStatusFile)
  return [
    gauge('gatehouse_ready', '1 while this replica can work.', Number(isReady)),
    gauge('gatehouse_database_up', '1 while the database responds.', Number(isUp)),
    describePool(watched.pool()),
    ...describeSlots(watched.queue.state()),
    ...mails,
    ...jobs,
    ...describeKeys(watched.verifier),
    gauge('gatehouse_notice_info', 'Privacy notice version being served.', {
      label: 'version',
      of: { [watched.noticeVersion]: 1 },
    }),
    ...files,
    ...backup,
  ]
}

/** The same on every replica, like the jobs: they share the database. */
async function describeMails(db: Db): Promise<Metric[]> {
  const { waiting, oldestSeconds, dead } = await countMails(db)
  return [
    gauge('gatehouse_mails_waiting', 'Queued mails.', waiting),
    gauge('gatehouse_mails_oldest_age_seconds', 'Age of the oldest queued mail.', oldestSeconds),
    gauge('gatehouse_mails_dead', 'Undelivered mails that can be resent.', dead),
  ]
}

function describeJobs(jobs: JobCount[]): Metric[] {
  const jobsIn = (state: 'waiting' | 'failed') => ({
    label: 'name',
    of: Object.fromEntries(jobs.map((job) => [job.name, job[state]])),
  })
  return [
    gauge('gatehouse_jobs_waiting', 'Queued jobs.', jobsIn('waiting')),
    gauge('gatehouse_jobs_failed', 'Jobs that failed within the last hour.', jobsIn('failed')),
  ]
}

/** The same on every replica, but for the scanner and the disk. */
function describeFiles({ freeShare, scanner, unchecked, infected }: FileState): Metric[] {
  return [
    gauge('gatehouse_files_unchecked', 'Files that wait for the virus scanner.', unchecked),
    gauge(
      'gatehouse_files_infected',
      'Files in which the virus scanner found something after they were attached.',
      infected,
    ),
    ...(freeShare === null
      ? []
      : [gauge('gatehouse_files_free_ratio', 'Free share of the disk of files.', freeShare)]),
    ...(scanner === 'none'
      ? []
      : [
          gauge(
            'gatehouse_files_scanner_up',
            '1 while the virus scanner responds.',
            Number(scanner === 'up'),
          ),
        ]),
  ]
}

const describePool = ({ total, idle, waiting, max }: ReturnType<Db['connections']>) =>
  gauge(
    'gatehouse_database_connections',
    'Pool connections: open, idle, maximum; and requests waiting for one.',
    { label: 'state', of: { total, idle, waiting, max } },
  )

function describeSlots({ taken, waiting, max, refused }: ReturnType<FairQueue['state']>): Metric[] {
  return [
    gauge(
      'gatehouse_request_places',
      'Requests holding a slot, requests waiting for one, and total slots.',
      { label: 'state', of: { taken, waiting, max } },
    ),
    {
      name: 'gatehouse_requests_refused_total',
      help: 'Requests rejected without a slot: caller limit, server limit, no database.',
      isCounter: true,
      values: { label: 'code', of: refused },
    },
  ]
}

function describeKeys({ keys }: Verifier): Metric[] {
  const { isUp, confirmedAt } = keys()
  return [
    gauge(
      'gatehouse_identity_keys_up',
      '1 if the last fetch of the identity provider’s keys succeeded.',
      Number(isUp),
    ),
    gauge(
      'gatehouse_identity_keys_confirmed_timestamp_seconds',
      'Unix time when the identity provider last confirmed its keys; 0 if never.',
      confirmedAt / 1000,
    ),
  ]
}

async function describeBackup(file: string | null): Promise<Metric[]> {
  const finishedAt = await backupFinishedAt(file)
  if (finishedAt === null) return []
  return [
    gauge(
      'gatehouse_backup_finished_timestamp_seconds',
      'Unix time of the last complete backup; 0 if unknown.',
      finishedAt,
    ),
  ]
}

/**
 * Unix time in seconds, null if not monitored. An unreadable status counts as no backup, which raises the alert about old
 * backups.
 */
export const backupFinishedAt = async (file: string | null) =>
  file === null ? null : readFile(file, 'utf8').then(toInstant, () => 0)

function toInstant(text: string) {
  try {
    const { finishedAt } = JSON.parse(text) as { finishedAt?: unknown }
    return (Date.parse(String(finishedAt)) || 0) / 1000
  } catch {
    return 0
  }
}
