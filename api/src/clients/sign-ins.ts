import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { accounts } from '@gatehouse/model/models'
import type { Access, RecordOf } from '@gatehouse/model'
import type { SignedIn } from '#platform/http/auth.ts'
import { onlyRow } from '#platform/db.ts'
import { isConnectionLost } from '#platform/database-errors.ts'
import { setBounded } from '#platform/lru-map.ts'
import { contextOf, todayIn } from '#platform/site-config.ts'
import { runInOperation } from '#engine/operations/transaction.ts'
import { modelOf, tableOf, type Engine } from '#engine/engine.ts'

type SignIn = { visitor: SignedIn; requestId: string; log: Pick<FastifyBaseLogger, 'warn'> }

const CACHE_MAX = 5_000
const RETRY_MS = 60_000

/**
 * Maintains one account per user, with the day of the last sign-in. One statement per user, day and process; concurrent
 * requests await it. A failed write doesn't fail the request, unless the connection was lost.
 */
export function buildSignIns(engine: Engine) {
  const recorded = new Map<string, { day: string; claimed: Access; done: Promise<void> | null }>()

  return function recordSignIn(signIn: SignIn): Promise<void> | null {
    const { sub, proof } = signIn.visitor
    const { claimed } = proof
    const day = todayIn(engine.site)
    const cached = recorded.get(sub)
    // A changed role is recorded on the same day.
    if (cached?.day === day && cached.claimed === claimed) return cached.done
    const done = writeSignIn(engine, signIn).catch((error: unknown) => {
      // Fail fast: the request itself would run into the same timeout.
      if (isConnectionLost(error)) {
        recorded.delete(sub)
        throw error
      }
      signIn.log.warn({ err: error }, 'failed to record sign-in; retrying')
      setTimeout(() => recorded.delete(sub), RETRY_MS).unref()
    })
    const entry = { day, claimed, done: done as Promise<void> | null }
    setBounded(recorded, sub, entry, CACHE_MAX)
    void done.then(() => (entry.done = null)).catch(() => {})
    return done
  }
}

async function writeSignIn(engine: Engine, signIn: SignIn) {
  const { visitor, requestId } = signIn
  const { today, now } = contextOf(engine.site)
  const found = await touch(engine, visitor, today)
  const { sub, name, email, emailVerified } = visitor
  // A token may be stale, so the level synced from the provider takes precedence (staff/provider-sync.ts).
  const staff = (engine.directory && found.staff) ?? STAFF[visitor.proof.claimed]
  const facts = { name, email, emailVerified, staff, link: nextLinkState(found, emailVerified) }
  if (found.id !== null && isSame(found, facts)) return
  await runInOperation(
    { engine, request: { visitor, id: requestId }, model: accounts },
    async ({ records }) => {
      if (found.id !== null) await records.update(found.id, facts)
      else await records.createIfAbsent({ sub, ...facts, firstSeenAt: now, lastSeenOn: today })
    },
  )
}

type Account = RecordOf<typeof accounts>

/** Level claimed by the token, even if the sign-in lacks the factors it requires. */
const STAFF = { public: 'none', user: 'none', admin: 'technician', owner: 'owner' } as const
type Found = {
  [K in 'id' | 'name' | 'email' | 'emailVerified' | 'staff' | 'link']: Account[K] | null
} & {
  isLinked: boolean
  isKnown: boolean
}

/** Writes the day without a revision, since it is no edit. A sign-in counts as contact with a client. */
async function touch(engine: Engine, { sub, email }: SignedIn, today: string): Promise<Found> {
  const accountsTable = tableOf(engine, modelOf(engine, 'accounts'))
  const contacts = tableOf(engine, modelOf(engine, 'contacts'))
  const rows = await engine.db.query(
    sql<Found>`with account as (
      update ${accountsTable} set last_seen_on = ${today} where sub = ${sub} and deleted_at is null
      returning id, name, email, email_verified, staff, link
    ), touched as (
      update ${contacts} set last_contact_on = ${today}
      where user_sub = ${sub} and deleted_at is null and last_contact_on is distinct from ${today}::date
    )
    select account.id, account.name, account.email, account.email_verified as "emailVerified",
      account.staff, account.link,
      exists (select from ${contacts} where user_sub = ${sub} and deleted_at is null) as "isLinked",
      exists (select from ${contacts} where lower(email) = lower(${email}) and user_sub is null
        and deleted_at is null and restricted_at is null) as "isKnown"
    from (select) one left join account on true`,
    'prepared',
  )
  return onlyRow(rows)
}

/** Contact addresses are unique, so an address matches one contact at most. An admin's decision is kept. */
function nextLinkState(
  { link, isLinked, isKnown }: Found,
  emailVerified: boolean,
): Account['link'] {
  if (link === 'approved' || link === 'refused') return link
  // First sign-in of an account its contact was created with; afterwards only an admin approves.
  if (isLinked && link === null) return 'approved'
  return emailVerified && isKnown ? 'asked' : 'none'
}

const isSame = (found: Found, facts: Partial<Found>) =>
  Object.entries(facts).every(([name, value]) => Reflect.get(found, name) === value)
