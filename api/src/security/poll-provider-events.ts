import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { recordSecurityEvents } from '#engine/security/store-events.ts'
import type { Db, Runner } from '#platform/db.ts'
import type { RevocationState } from '#platform/http/system-status.ts'
import type { Directory } from '#platform/identity/directory.ts'
import { revoke, revokeSessions } from '#platform/identity/revoke.ts'
import { REVOCATION_MS } from '#platform/identity/session-life.ts'
import { identityReads } from '#platform/identity/revocation-tables.ts'
import { buildInterruptibleSleep } from '#platform/pg-notify/interruptible-sleep.ts'
import { toEffect, toAdminEffect, NO_EFFECT, type ProviderEventEffect } from './provider-events.ts'

const POLL_INTERVAL_MS = 2_500
/** The provider deletes log events after a day. */
const LOG_RETENTION_MS = 86_400_000
/** Time an event ID is cached as read; longer than two polls overlap. */
const SEEN_MS = 3_600_000
/** How often an unchanged state is recorded, for the next reader replica and for System. */
const STATE_INTERVAL_MS = 60_000
const READS = 'events'

type Options = {
  db: Db
  directory: Pick<Directory, 'log' | 'ownId'>
  isReader: () => boolean
  /** Handles events after they were recorded. */
  follow: (effects: ProviderEventEffect[]) => Promise<void>
  logger: Pick<FastifyBaseLogger, 'warn'>
}

/** Reads the provider's log while this replica is the reader. A failed poll is repeated. */
export function startProviderEventPoller({ db, directory, isReader, follow, logger }: Options) {
  const stopping = new AbortController()
  const sleep = buildInterruptibleSleep(stopping.signal)
  const seen = new Map<string, number>()
  let readUntil: number | null = null
  /** Factors enrolled before the first read were subject to other rules. */
  let firstReadAt = 0
  let recorded = { isUp: true, at: 0 }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }

  async function run() {
    while (!stopping.signal.aborted) {
      const started = Date.now()
      if (isReader()) await poll(started)
      else readUntil = null
      await sleep.pause(Math.max(0, POLL_INTERVAL_MS - (Date.now() - started)))
    }
  }

  async function poll(started: number) {
    try {
      if (readUntil === null) {
        const last = await lastRead(db)
        if (last === null) firstReadAt = started
        readUntil = Math.max(last ?? 0, started - LOG_RETENTION_MS)
      }
      const [own, { users, admins }] = await Promise.all([
        directory.ownId(),
        directory.log.since(readUntil),
      ])
      await recordAndHandle([
        ...users.map((entry) => ({ entry, effect: toEffect(entry) })),
        ...admins.map((entry) => ({ entry, effect: toAdminEffect(entry, own) })),
      ])
      readUntil = started
      await recordState(true)
    } catch (error) {
      if (recorded.isUp)
        logger.warn({ err: error }, 'failed to read the identity provider’s log; retrying')
      await recordState(false).catch(() => {})
    }
  }

  async function recordAndHandle(
    all: { entry: { id: string; time: number }; effect: ProviderEventEffect }[],
  ) {
    const fresh = all.filter(({ entry }) => !seen.has(entry.id))
    const relevant = fresh.filter(({ effect }) => effect !== NO_EFFECT)
    if (relevant.length > 0)
      await db.transaction(async (tx) => {
        for (const { entry, effect } of relevant)
          if (Date.now() - entry.time < REVOCATION_MS) await end(tx, effect, entry.time)
        await recordSecurityEvents(
          tx,
          relevant.flatMap(({ effect }) => effect.events),
        )
      })
    await follow(
      relevant.map(({ entry, effect: { enrolled, ...effect } }) =>
        enrolled && entry.time > firstReadAt ? { ...effect, enrolled } : effect,
      ),
    )
    for (const { entry } of fresh) seen.set(entry.id, entry.time)
    for (const [id, time] of seen) if (Date.now() - time > SEEN_MS) seen.delete(id)
  }

  async function recordState(isUp: boolean) {
    if (recorded.isUp === isUp && Date.now() - recorded.at < STATE_INTERVAL_MS) return
    const until = new Date(readUntil ?? 0).toISOString()
    await db.query(
      sql`insert into ${identityReads} as known (name, is_up, read_until, noted_at)
        values (${READS}, ${isUp}, ${until}, now())
        on conflict (name) do update set is_up = excluded.is_up, noted_at = now(),
          read_until = greatest(known.read_until, excluded.read_until)`,
    )
    recorded = { isUp, at: Date.now() }
  }
}

async function end(tx: Runner, effect: ProviderEventEffect, time: number) {
  const until = endOf(time, effect)
  for (const revoked of effect.revoked) await revoke(tx, revoked, until)
  const { ended } = effect
  if (ended) await revokeSessions(tx, { sub: ended.sub, spared: ended.spared, until })
}

const SECOND_MS = 1_000

/** Token times are full seconds. */
const endOf = (time: number, { isOwnAct }: ProviderEventEffect) =>
  new Date(isOwnAct ? time - (time % SECOND_MS) - 1 : time)

/** Shown in System by any replica: a dead reader stops recording its state. */
export async function revocationState(
  db: Db,
  directory: Directory | null,
): Promise<RevocationState> {
  if (!directory) return 'unknown'
  const rows = await db.query(
    sql`select from ${identityReads} where name = ${READS} and is_up
      and noted_at > now() - interval '1 millisecond' * ${2 * STATE_INTERVAL_MS}`,
  )
  return rows.length > 0 ? 'checked' : 'late'
}

async function lastRead(db: Db) {
  const [row] = await db.query(
    sql<{ at: string }>`select read_until as at from ${identityReads} where name = ${READS}`,
  )
  return (row && Date.parse(row.at)) || null
}
