import { sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { actorOf } from '#audit.ts'
import type { SignedIn } from '#auth.ts'
import { isLost, type Row } from '#db.ts'
import { contextOf } from '#site.ts'
import { changeFields, createUnlessTaken } from './change.ts'
import { modelOf, tableOf, type Engine } from './engine.ts'

type Visit = { visitor: SignedIn; requestId: string; log: Pick<FastifyBaseLogger, 'warn'> }

const REMEMBERED_MAX = 5_000
/** After the database did not take it. */
const RETRY_MS = 60_000

/**
 * Keeps an account for everybody who signs in, and the day they were last here. One statement per person and day in
 * this process; whoever comes while it runs waits for it, and a database that refuses it is no reason to refuse a request.
 */
export function buildVisits(engine: Engine) {
  const noted = new Map<string, { day: string; done: Promise<void> }>()

  return function noteVisit(visit: Visit): Promise<void> {
    const { sub } = visit.visitor
    const day = contextOf(engine.site).today
    const known = noted.get(sub)
    if (known?.day === day) return known.done
    const done = note(engine, visit).catch((error: unknown) => {
      // The request would not be served either, and would wait as long again to learn that.
      if (isLost(error)) {
        noted.delete(sub)
        throw error
      }
      visit.log.warn({ err: error }, 'visit not noted, will try again')
      setTimeout(() => noted.delete(sub), RETRY_MS).unref()
    })
    noted.set(sub, { day, done })
    const oldest = noted.size > REMEMBERED_MAX ? noted.keys().next().value : undefined
    if (oldest !== undefined) noted.delete(oldest)
    return done
  }
}

async function note(engine: Engine, visit: Visit) {
  const { visitor, requestId } = visit
  const { today, now } = contextOf(engine.site)
  const found = await touch(engine, visitor, today)
  const { sub, name, email, emailVerified } = visitor
  const facts = { name, email, emailVerified, link: linkOf(found, emailVerified) }
  if (found['id'] !== null && isSame(found, facts)) return
  await engine.db.transaction(async (tx) => {
    const model = modelOf(engine, 'accounts')
    const caller = { visitor, level: visitor.role, link: null }
    const actor = await actorOf(tx, visitor)
    const changing = { engine, tx, model, caller, actor, requestId, operationId: uuidv7() }
    if (found['id'] !== null) await changeFields(changing, String(found['id']), facts)
    else await createUnlessTaken(changing, { sub, ...facts, firstSeenAt: now, lastSeenOn: today })
  })
}

/** The day is written without a revision: it is a clock, not a change. A sign-in counts as contact with a client. */
async function touch(engine: Engine, { sub, email }: SignedIn, today: string): Promise<Row> {
  const accounts = tableOf(engine, modelOf(engine, 'accounts'))
  const contacts = tableOf(engine, modelOf(engine, 'contacts'))
  const [row] = await engine.db.query(
    sql`with account as (
      update ${accounts} set last_seen_on = ${today} where sub = ${sub} and deleted_at is null
      returning id, name, email, email_verified, link
    ), touched as (
      update ${contacts} set last_contact_on = ${today}
      where user_sub = ${sub} and deleted_at is null and last_contact_on is distinct from ${today}::date
    )
    select account.id, account.name, account.email, account.email_verified as "emailVerified", account.link,
      exists (select from ${contacts} where user_sub = ${sub} and deleted_at is null) as "isLinked",
      exists (select from ${contacts} where lower(email) = lower(${email}) and user_sub is null
        and deleted_at is null and restricted_at is null) as "isKnown"
    from (select) one left join account on true`,
    'prepared',
  )
  return row ?? {}
}

/** Addresses are unique among contacts, so a known one is exactly one. What an admin decided stays. */
function linkOf({ link, isLinked, isKnown }: Row, emailVerified: boolean) {
  if (link === 'approved' || link === 'refused') return link
  // A contact may come with its account, which is then seen for the first time; later only an admin approves.
  if (isLinked && link === null) return 'approved'
  return emailVerified && isKnown ? 'asked' : 'none'
}

const isSame = (found: Row, facts: Row) =>
  Object.entries(facts).every(([name, value]) => found[name] === value)
