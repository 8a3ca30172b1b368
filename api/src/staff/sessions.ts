import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { isUuid, newId } from '#platform/uuid.ts'
import { HttpError, recordNotFound } from '#platform/errors.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import type { Directory } from '#platform/identity/directory.ts'
import { findSessions } from '#platform/identity/end-sessions.ts'
import { revoke, revokeSessions } from '#platform/identity/revoke.ts'
import { setBounded } from '#platform/lru-map.ts'
import { requireDirectory } from '#platform/identity/require-owner.ts'
import { recordSecurityEvents } from '#engine/security/store-events.ts'
import type { Engine } from '#engine/engine.ts'
import { deviceOf } from './device.ts'
import { sessionsSeen } from '#platform/identity/revocation-tables.ts'

const RECORD_INTERVAL_MS = 300_000
const CACHE_MAX = 5_000

type Seen = { visitor: SignedIn; agent: string | undefined; log: Pick<FastifyBaseLogger, 'warn'> }

/** Records where accounts are signed in: one statement per session and five minutes. Errors don't fail the request. */
export function buildSessionsSeen({ db }: Engine) {
  const recorded = new Map<string, number>()
  return function recordSession({ visitor: { sid, sub }, agent, log }: Seen): Promise<void> | null {
    if (sid === null || Date.now() - (recorded.get(sid) ?? 0) < RECORD_INTERVAL_MS) return null
    setBounded(recorded, sid, Date.now(), CACHE_MAX)
    const { browser, system } = deviceOf(agent)
    return db
      .query(
        sql`insert into ${sessionsSeen} (id, sid, sub, browser, system)
          values (${newId()}, ${sid}, ${sub}, ${browser}, ${system})
          on conflict (sid) do update set used_at = now()`,
        'prepared',
      )
      .then(
        () => {},
        (error: unknown) => log.warn({ err: error }, 'failed to record session'),
      )
  }
}

type Session = {
  id: string
  sid: string
  browser: string
  system: string
  begunAt: string
  usedAt: string
}

/** While the provider is unavailable, only our records. */
export async function listSessions(engine: Engine, { sub, sid }: SignedIn) {
  const [seen, provider] = await Promise.all([
    engine.db.query(
      sql<Session>`select id, sid, browser, system, begun_at as "begunAt", used_at as "usedAt"
        from ${sessionsSeen} where sub = ${sub} order by used_at desc, id`,
    ),
    engine.directory ? stateOf(engine.directory, sub) : null,
  ])
  return {
    items: seen
      .filter((one) => one.sid === sid || !provider || provider.sessions.includes(one.sid))
      .map(({ sid: its, ...session }) => ({ ...session, isThis: its === sid })),
    factors: provider?.factors ?? null,
    canSignOut: provider !== null,
  }
}

/** Null while the provider is unavailable. */
const stateOf = async (directory: Directory, sub: string) =>
  Promise.all([directory.sessionsOf(sub), directory.factorsOf(sub)]).then(
    ([sessions, factors]) => ({ sessions, factors }),
    (error: unknown) => {
      if (error instanceof HttpError && error.status === 503) return null
      throw error
    },
  )

export async function endSession(engine: Engine, { sub }: SignedIn, id: string) {
  const [found] = isUuid(id)
    ? await engine.db.query(
        sql<{ sid: string }>`select sid from ${sessionsSeen} where id = ${id} and sub = ${sub}`,
      )
    : []
  if (!found) throw recordNotFound()
  const directory = requireDirectory(engine.directory)
  await directory.endSession(found.sid)
  await engine.db.transaction(async (tx) => {
    await revoke(tx, { sid: found.sid, sub })
    await tx.query(sql`delete from ${sessionsSeen} where sub = ${sub} and sid = ${found.sid}`)
  })
}

/** Ends all but the current session, even those never seen here and pending sign-ins. */
export async function endOtherSessions(engine: Engine, { sub, sid }: SignedIn) {
  const directory = requireDirectory(engine.directory)
  const sids = await findSessions(directory, sub)
  for (const one of await directory.sessionsOf(sub))
    if (one !== sid) await directory.endSession(one)
  await engine.db.transaction(async (tx) => {
    await revokeSessions(tx, { sub, sids, spared: sid })
    await recordSecurityEvents(tx, [{ kind: 'sign-out-everywhere', actor: { sub } }])
  })
}
