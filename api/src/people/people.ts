import { problemMessages } from '@gatehouse/model'
import { accounts } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import type { Runner } from '#platform/db.ts'
import { conflict, identityUnavailable, ownersOnly, recordNotFound } from '#platform/errors.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import type { Directory, StaffLevel } from '#platform/identity/directory.ts'
import { actorOf, writeAct } from '#engine/history/trace.ts'
import { modelOf, tableOf, type Engine } from '#engine/engine.ts'
import { isUuid } from '#engine/uuid.ts'
import { inChange } from '#engine/write/transaction.ts'

/** What the acts on staff work with. */
export type Office = { engine: Engine; directory: Directory | null }

/** Who does it, in which request. */
type By = { visitor: SignedIn | null; id: string }

type Member = {
  id: string
  sub: string
  name: string | null
  email: string | null
  level: StaffLevel
  lastSeenOn: string | null
}

export type Change = { level?: StaffLevel; enabled?: boolean }

/** Serialises changes of who is an owner: two owners could demote each other. */
const LOCK = 'people'

/** Staff as our records know them, with the state of their accounts at the provider. */
export async function listPeople({ engine, directory }: Office, visitor: SignedIn | null) {
  const known = requireDirectory(directory)
  await requireStillOwner(known, visitor)
  const members = await membersOf(engine, engine.db)
  const items = await Promise.all(
    members.map(async ({ sub, ...member }) => ({
      ...member,
      state: stateOf(await known.find(sub)),
      isYou: sub === visitor?.sub,
    })),
  )
  return { items }
}

function stateOf(account: Awaited<ReturnType<Directory['find']>>) {
  if (!account) return 'gone'
  if (!account.enabled) return 'disabled'
  return account.emailVerified ? 'active' : 'invited'
}

/** Invites a colleague. An account that nobody has confirmed is replaced; a confirmed one becomes staff as it is. */
export async function invite(
  { engine, directory }: Office,
  by: By,
  { email, level }: { email: string; level: StaffLevel },
) {
  const known = requireDirectory(directory)
  await requireStillOwner(known, by.visitor)
  const found = await known.findByEmail(email)
  // Levels of staff are changed on their row, where the last owner stays one.
  if (found && (await known.isStaff(found.id)) && (await known.isUsable(found.id)))
    throw conflict('already-staff', problemMessages.alreadyStaff)
  const isConfirmed = found?.emailVerified === true
  if (found && !isConfirmed) await known.remove(found.id)
  const sub = found && isConfirmed ? found.id : await known.create(email)
  try {
    await known.setLevel(sub, level)
    if (!isConfirmed) await known.invite(sub)
  } catch (error) {
    // Nobody must be left with a role and without a way in.
    if (!isConfirmed) await known.remove(sub)
    throw error
  }
  await inChange({ engine, request: by, model: accounts }, async ({ records, tx }) => {
    if (found && !isConfirmed) await forget(engine, tx, found.id)
    const row = await records.findBy('sub', sub, { lock: true })
    if (row) await records.update(row.id, { staff: level })
    else await records.createIfAbsent({ sub, email, emailVerified: isConfirmed, staff: level })
  })
}

/** The row of an account that an invitation has replaced is no colleague's. */
const forget = (engine: Engine, tx: Runner, sub: string) =>
  tx.query(sql`update ${tableOf(engine, modelOf(engine, 'accounts'))} set staff = 'none'
    where sub = ${sub}`)

/** Makes someone an owner or a technician, disables or enables them. Sessions end, so that it holds within minutes. */
export async function changePerson(
  { engine, directory }: Office,
  by: By,
  { id, level, enabled }: Change & { id: string },
) {
  const known = requireDirectory(directory)
  await inChange({ engine, request: by, model: accounts }, async ({ records, tx }) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${LOCK}, 0))`)
    await requireStillOwner(known, by.visitor)
    const members = await membersOf(engine, tx)
    const member = requireMember(members, id)
    const isLeaving = enabled === false || (level !== undefined && level !== 'owner')
    if (member.level === 'owner' && isLeaving) await requireOtherOwner(known, members, member)
    if (level !== undefined && level !== member.level) {
      await known.setLevel(member.sub, level)
      await records.update(id, { staff: level })
    }
    if (enabled !== undefined) {
      await known.setEnabled(member.sub, enabled)
      await audit(tx, by, { action: enabled ? 'enable' : 'disable', id })
    }
    await known.signOut(member.sub)
  })
}

export async function signOutEverywhere({ engine, directory }: Office, by: By, id: string) {
  const known = requireDirectory(directory)
  await requireStillOwner(known, by.visitor)
  const { sub } = requireMember(await membersOf(engine, engine.db), id)
  await known.signOut(sub)
  await audit(engine.db, by, { action: 'sign-out', id })
}

/** A token outlives its role by minutes, in which a demoted owner could promote themselves again: the provider knows. */
export async function requireStillOwner(
  known: Pick<Directory, 'find' | 'isOwner'>,
  visitor: Pick<SignedIn, 'sub'> | null,
) {
  const account = visitor && (await known.find(visitor.sub))
  if (!account?.enabled || !(await known.isOwner(account.id))) throw ownersOnly()
}

/** Our records may be behind: what counts is who can sign in as an owner. */
export async function requireOtherOwner(
  known: Pick<Directory, 'find' | 'isOwner'>,
  members: Pick<Member, 'sub' | 'level'>[],
  leaving: Pick<Member, 'sub'>,
) {
  for (const { sub, level } of members) {
    if (sub === leaving.sub || level !== 'owner') continue
    const account = await known.find(sub)
    if (account?.enabled && account.emailVerified && (await known.isOwner(sub))) return
  }
  throw conflict('last-owner', problemMessages.lastOwner)
}

async function audit(
  tx: Runner,
  { visitor, id: requestId }: By,
  act: { action: 'enable' | 'disable' | 'sign-out'; id: string },
) {
  const actor = await actorOf(tx, visitor)
  await writeAct(tx, { action: act.action, entity: 'accounts', entityId: act.id, actor, requestId })
}

const membersOf = (engine: Engine, tx: Runner) =>
  tx.query(
    sql<Member>`select id, sub, name, email, staff as level, last_seen_on as "lastSeenOn"
      from ${tableOf(engine, modelOf(engine, 'accounts'))}
      where staff <> 'none' and sub is not null and deleted_at is null
      order by staff = 'owner' desc, lower(coalesce(name, email)), id`,
  )

function requireMember(members: Member[], id: string) {
  const member = isUuid(id) ? members.find((one) => one.id === id) : undefined
  if (!member) throw recordNotFound()
  return member
}

function requireDirectory(directory: Directory | null) {
  if (!directory) throw identityUnavailable()
  return directory
}
