import { problemMessages } from '@gatehouse/model'
import { accounts } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import type { Runner } from '#platform/db.ts'
import { conflict } from '#platform/errors.ts'
import {
  fullNameOf,
  type Account,
  type Directory,
  type StaffLevel,
} from '#platform/identity/directory.ts'
import { revoke } from '#platform/identity/revoke.ts'
import { requireDirectory, requireStillOwner } from '#platform/identity/require-owner.ts'
import { modelOf, tableOf, type Engine } from '#engine/engine.ts'
import { runInOperation } from '#engine/operations/transaction.ts'
import { staffMails } from './mails.ts'
import type { ActingOwner } from './staff.ts'

export type Invitation = {
  email: string
  level: StaffLevel
  /** Make staff of someone who has an account already. */
  existing?: boolean
}

/** Invites a colleague. An account that nobody has confirmed is replaced; a person who has one becomes staff with it. */
export async function invite(engine: Engine, by: ActingOwner, invitation: Invitation) {
  const known = requireDirectory(engine.directory)
  await requireStillOwner(known, by.visitor)
  const found = await known.findByEmail(invitation.email)
  if (found && !(await isUnused(engine, known, found)))
    await adopt(engine, by, { ...invitation, known, found })
  else await make(engine, by, { ...invitation, known, replaced: found })
}

type Step = Invitation & { known: Directory }

async function adopt(
  engine: Engine,
  by: ActingOwner,
  { known, found, level, existing }: Step & { found: Account },
) {
  // Levels of staff are changed on their row, where the last owner stays one.
  if ((await known.levelOf(found.id)) !== 'none')
    throw conflict('already-staff', problemMessages.alreadyStaff)
  if (!existing) throw conflict('has-account', await questionAbout(engine, found))
  await known.setLevel(found.id, level)
  const opening = { engine, request: by, model: accounts, mails: staffMails }
  await runInOperation(opening, async ({ records, tx, mail }) => {
    const { id: sub, email = null, emailVerified } = found
    const name = fullNameOf(found)
    const row = await records.findBy('sub', sub, { lock: true })
    const kept = row
      ? await records.update(row.id, { staff: level })
      : await records.createIfAbsent({ sub, email, emailVerified, name, staff: level })
    await revoke(tx, { sub })
    if (kept) await mail('staff-level', email, { accountId: kept.id })
  })
}

async function make(
  engine: Engine,
  by: ActingOwner,
  { known, replaced, email, level }: Step & { replaced: Account | null },
) {
  if (replaced) await known.remove(replaced.id)
  const sub = await known.create(email)
  try {
    await known.setLevel(sub, level)
    await known.invite(sub)
  } catch (error) {
    // Nobody must be left with a role and without a way in.
    await known.remove(sub)
    throw error
  }
  await runInOperation({ engine, request: by, model: accounts }, async ({ records, tx }) => {
    if (replaced) await forget(engine, tx, replaced.id)
    await records.createIfAbsent({ sub, email, emailVerified: false, staff: level })
  })
}

/** Older accounts were made when nobody had to confirm an address, and people sign in with them: they stay. */
async function isUnused(engine: Engine, known: Directory, account: Account) {
  if (account.emailVerified || account.createdTimestamp < (await known.begunAt())) return false
  const rows = await engine.db.query(
    sql`select from ${tableOf(engine, modelOf(engine, 'accounts'))}
      where sub = ${account.id} and last_seen_on is not null`,
  )
  return rows.length === 0
}

/** The row of an account that an invitation has replaced is no colleague's. */
const forget = (engine: Engine, tx: Runner, sub: string) =>
  tx.query(sql`update ${tableOf(engine, modelOf(engine, 'accounts'))} set staff = 'none'
    where sub = ${sub}`)

async function questionAbout(engine: Engine, account: Account) {
  const [link] = await engine.db.query(
    sql<{ organisation: string }>`select o.name as organisation
      from ${tableOf(engine, modelOf(engine, 'contacts'))} c
      join ${tableOf(engine, modelOf(engine, 'organisations'))} o on o.id = c.organisation
      where c.user_sub = ${account.id} and c.active and c.deleted_at is null and o.deleted_at is null`,
  )
  const name = fullNameOf(account) ?? account.email ?? ''
  return problemMessages.hasAccount(name, link?.organisation ?? null)
}
