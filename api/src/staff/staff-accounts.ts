import { accounts } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import type { Runner } from '#platform/db.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import { RANKS, type Directory, type Level } from '#platform/identity/directory.ts'
import { requireDirectory, requireStillOwner } from '#platform/identity/require-owner.ts'
import { findSessions } from '#platform/identity/end-sessions.ts'
import { revoke, revokeSessions } from '#platform/identity/revoke.ts'
import { actorOf, writeAuditEvent } from '#engine/history/audit-trail.ts'
import { recordSecurityEvents } from '#engine/security/store-events.ts'
import type { Engine } from '#engine/engine.ts'
import { runInOperation } from '#engine/operations/transaction.ts'
import { staffMails } from './mails.ts'
import { membersOf, requireMember, requireOtherOwner, type ActingOwner } from './staff.ts'

export type Change = { level?: Level; enabled?: boolean }

/** Serialises changes of owners: two could demote each other concurrently. */
const LOCK = 'people'

export async function listStaff(engine: Engine, visitor: SignedIn | null) {
  const directory = requireDirectory(engine.directory)
  const self = await requireStillOwner(directory, visitor)
  const members = await membersOf(engine, engine.db)
  const items = await Promise.all(
    members.map(async ({ sub, ...member }) => ({
      ...member,
      state: stateOf(sub === self.id ? self : await directory.find(sub)),
      isYou: sub === self.id,
    })),
  )
  return { items }
}

function stateOf(account: Awaited<ReturnType<Directory['find']>>) {
  if (!account) return 'gone'
  if (!account.enabled) return 'disabled'
  return account.emailVerified ? 'active' : 'invited'
}

/** Changes a level, or disables or enables an account. Revokes its tokens; a lower level or disabling also ends sessions. */
export async function changePerson(
  engine: Engine,
  by: ActingOwner,
  { id, level, enabled }: Change & { id: string },
) {
  const directory = requireDirectory(engine.directory)
  const opening = { engine, request: by, model: accounts, mails: staffMails }
  await runInOperation(opening, async ({ records, tx, mail }) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${LOCK}, 0))`)
    await requireStillOwner(directory, by.visitor)
    const members = await membersOf(engine, tx)
    const member = requireMember(members, id)
    const now = await directory.levelOf(member.sub)
    const isLeaving = enabled === false || (level !== undefined && level !== 'owner')
    if (now === 'owner' && isLeaving) await requireOtherOwner(directory, members, member)
    const isLess = enabled === false || (level !== undefined && RANKS[level] < RANKS[now])
    const sids = isLess ? await findSessions(directory, member.sub) : []
    if (level !== undefined) {
      if (level !== now) await directory.setLevel(member.sub, level)
      if (level !== member.level) await records.update(id, { staff: level })
      if (level === 'owner' && now !== 'owner')
        await mail('staff-level', member.email, { accountId: id })
    }
    if (enabled !== undefined) {
      await directory.setEnabled(member.sub, enabled)
      await audit(tx, by, { action: enabled ? 'enable' : 'disable', id })
      await recordSecurityEvents(tx, [
        {
          kind: enabled ? 'account-enabled' : 'account-disabled',
          actor: by.visitor,
          about: { sub: member.sub },
        },
      ])
    }
    if (isLess) {
      await directory.signOut(member.sub)
      await revokeSessions(tx, { sub: member.sub, sids })
    } else await revoke(tx, { sub: member.sub })
  })
}

export async function signOutEverywhere(engine: Engine, by: ActingOwner, id: string) {
  const directory = requireDirectory(engine.directory)
  await requireStillOwner(directory, by.visitor)
  const { sub } = requireMember(await membersOf(engine, engine.db), id)
  const sids = await findSessions(directory, sub)
  await directory.signOut(sub)
  await engine.db.transaction(async (tx) => {
    await revokeSessions(tx, { sub, sids })
    await audit(tx, by, { action: 'sign-out', id })
    await recordSecurityEvents(tx, [
      { kind: 'sign-out-everywhere', actor: by.visitor, about: { sub } },
    ])
  })
}

async function audit(
  tx: Runner,
  { visitor, id: requestId }: ActingOwner,
  act: { action: 'enable' | 'disable' | 'sign-out'; id: string },
) {
  const actor = await actorOf(tx, visitor)
  await writeAuditEvent(tx, {
    action: act.action,
    entity: 'accounts',
    entityId: act.id,
    actor,
    requestId,
  })
}
