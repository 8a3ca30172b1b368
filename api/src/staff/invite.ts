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
  /** Set after the caller confirmed the question of `has-account`. */
  existing?: boolean
}

/** An unused account is replaced, not promoted: whoever registered it may not own the address. */
export async function invite(engine: Engine, by: ActingOwner, invitation: Invitation) {
  const directory = requireDirectory(engine.directory)
  await requireStillOwner(directory, by.visitor)
  const found = await directory.findByEmail(invitation.email)
  if (found && !(await isUnused(engine, directory, found)))
    await promote(engine, by, { ...invitation, directory, found })
  else await createAccount(engine, by, { ...invitation, directory, replaced: found })
}

type Step = Invitation & { directory: Directory }

async function promote(
  engine: Engine,
  by: ActingOwner,
  { directory, found, level, existing }: Step & { found: Account },
) {
  // Existing staff change level through `changePerson`, which protects the last owner.
  if ((await directory.levelOf(found.id)) !== 'none')
    throw conflict('already-staff', problemMessages.alreadyStaff)
  if (!existing) throw conflict('has-account', await questionAbout(engine, found))
  await directory.setLevel(found.id, level)
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

async function createAccount(
  engine: Engine,
  by: ActingOwner,
  { directory, replaced, email, level }: Step & { replaced: Account | null },
) {
  if (replaced) await directory.remove(replaced.id)
  const sub = await directory.create(email)
  try {
    await directory.setLevel(sub, level)
    await directory.invite(sub)
  } catch (error) {
    // Otherwise an account would have a role, but no invitation to sign in with.
    await directory.remove(sub)
    throw error
  }
  await runInOperation({ engine, request: by, model: accounts }, async ({ records, tx }) => {
    if (replaced) await clearLevel(engine, tx, replaced.id)
    await records.createIfAbsent({ sub, email, emailVerified: false, staff: level })
  })
}

/** Accounts created before addresses had to be verified may be in use, so they are never replaced. */
async function isUnused(engine: Engine, directory: Directory, account: Account) {
  if (account.emailVerified || account.createdTimestamp < (await directory.begunAt())) return false
  const rows = await engine.db.query(
    sql`select from ${tableOf(engine, modelOf(engine, 'accounts'))}
      where sub = ${account.id} and last_seen_on is not null`,
  )
  return rows.length === 0
}

const clearLevel = (engine: Engine, tx: Runner, sub: string) =>
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
