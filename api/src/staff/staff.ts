import { problemMessages } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Runner } from '#platform/db.ts'
import { conflict, recordNotFound } from '#platform/errors.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import type { Directory, StaffLevel } from '#platform/identity/directory.ts'
import { modelOf, tableOf, type Engine } from '#engine/engine.ts'
import { isUuid } from '#platform/uuid.ts'

export type ActingOwner = { visitor: SignedIn | null; id: string }

type Member = {
  id: string
  sub: string
  name: string | null
  email: string | null
  level: StaffLevel
  lastSeenOn: string | null
}

export const membersOf = (engine: Engine, tx: Runner) =>
  tx.query(
    sql<Member>`select id, sub, name, email, staff as level, last_seen_on as "lastSeenOn"
      from ${tableOf(engine, modelOf(engine, 'accounts'))}
      where staff <> 'none' and sub is not null and deleted_at is null
      order by staff = 'owner' desc, lower(coalesce(name, email)), id`,
  )

export function requireMember(members: Member[], id: string) {
  const member = isUuid(id) ? members.find((one) => one.id === id) : undefined
  if (!member) throw recordNotFound()
  return member
}

/** Requires another owner who has signed in before and still can; our records may be stale, so the provider is queried. */
export async function requireOtherOwner(
  directory: Pick<Directory, 'find' | 'levelOf'>,
  members: Pick<Member, 'sub' | 'level' | 'lastSeenOn'>[],
  leaving: Pick<Member, 'sub'>,
) {
  for (const { sub, level, lastSeenOn } of members) {
    if (sub === leaving.sub || level !== 'owner' || lastSeenOn === null) continue
    const account = await directory.find(sub)
    if (account?.enabled && account.emailVerified && (await directory.levelOf(sub)) === 'owner')
      return
  }
  throw conflict('last-owner', problemMessages.lastOwner)
}
