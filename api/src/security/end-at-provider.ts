import type { Db } from '#platform/db.ts'
import type { Directory } from '#platform/identity/directory.ts'
import { sessionsKnown } from '#platform/identity/end-sessions.ts'
import { revokeSessions } from '#platform/identity/revoke.ts'
import type { Ended } from './provider-events.ts'

/** Ends what has begun before it, there and here: someone may have signed in again since. */
export async function endAtProvider({
  db,
  directory,
  sub,
  spared,
  time,
}: Ended & { db: Db; directory: Directory }) {
  // Everyone's: the provider has ended them itself.
  if (sub === null) return
  const sids = await sessionsKnown(directory, sub, time)
  for (const sid of await directory.sessionsBegunBy(sub, time))
    if (sid !== spared) await directory.endSession(sid)
  // Whole seconds: the sign-in in which someone has changed their own is of the same one.
  const until = new Date(spared === null ? time : time - (time % 1_000) - 1)
  await db.transaction((tx) => revokeSessions(tx, { sub, sids, spared, until }))
}
