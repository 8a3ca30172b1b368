import type { Db } from '#platform/db.ts'
import type { Directory } from '#platform/identity/directory.ts'
import { findSessions } from '#platform/identity/end-sessions.ts'
import { revokeSessions } from '#platform/identity/revoke.ts'
import type { Ended } from './provider-events.ts'

/** Ends sessions begun before the event, at the provider and here; later sign-ins are spared. */
export async function endAtProvider({
  db,
  directory,
  sub,
  spared,
  time,
}: Ended & { db: Db; directory: Directory }) {
  // Null means all accounts; the provider has already ended their sessions.
  if (sub === null) return
  const sids = await findSessions(directory, sub, time)
  for (const sid of await directory.sessionsBegunBy(sub, time))
    if (sid !== spared) await directory.endSession(sid)
  // Token times are full seconds, and the spared session's token is from the same second.
  const until = new Date(spared === null ? time : time - (time % 1_000) - 1)
  await db.transaction((tx) => revokeSessions(tx, { sub, sids, spared, until }))
}
