import type pg from 'pg'
import type { Person } from '../../ops/drills/kit/key-server.ts'

/** Callers per role: with only one, its row lock would be measured. */
export const CALLERS_PER_ROLE = 24

/** Tickets per organisation: above the cap of totals; a quarter are the owner's, a twelfth the manager's. */
const TICKETS_EACH = 1_200
/** Deleted tickets of the seed, visible to no caller. */
const IN_TRASH = 20_000

/** Contacts of the seed in the same organisation. */
const OWNERS_FROM = 100
const MANAGERS_FROM = 20_100
const COLLEAGUES_FROM = 40_100

const numbers = Array.from({ length: CALLERS_PER_ROLE }, (_, n) => n)

/** Contacts with an organisation from the seed; admins have none. */
const contactsFrom = (from: number): Person[] =>
  numbers.map((n) => ({ sub: `sub-${from + n}`, name: `Contact ${from + n}`, role: 'user' }))

export const CALLERS = {
  admin: numbers.map((n): Person => ({
    sub: `bench-admin-${n}`,
    name: `Ada Admin ${n}`,
    role: 'admin',
  })),
  owner: contactsFrom(OWNERS_FROM),
  manager: contactsFrom(MANAGERS_FROM),
}
export type Role = keyof typeof CALLERS

/** Gives every owner and every manager's organisation tickets, spread over all years. */
export async function assignTickets(client: pg.Client, tickets: number) {
  await client.query('update services set published = true')
  const step = Math.floor((tickets - IN_TRASH) / (CALLERS_PER_ROLE * TICKETS_EACH * SPARE))
  await client.query(
    `update contacts set portal_role = 'manager'
     where user_sub in (${CALLERS.manager.map(({ sub }) => `'${sub}'`).join(', ')})`,
  )
  await client.query(
    `with chosen as (
       select id, row_number() over (order by id) - 1 as n from tickets
       where number % $1 = 0 and deleted_at is null and restricted_at is null order by id limit $2),
     given as (
       select id, n % $3 + case when n / $3 % 4 = 0 then ${OWNERS_FROM} when n / $3 % 12 = 1 then ${MANAGERS_FROM}
         else ${COLLEAGUES_FROM} end as person from chosen)
     update tickets t set client_id = c.user_sub, client_name = c.full_name, full_name = c.full_name, email = c.email,
       contact = c.id, organisation = c.organisation
     from given join contacts c on c.id = md5('contact' || person)::uuid where t.id = given.id`,
    [step, CALLERS_PER_ROLE * TICKETS_EACH, CALLERS_PER_ROLE],
  )
}

/** Some of the numbered tickets are in the trash or restricted. */
const SPARE = 1.05
