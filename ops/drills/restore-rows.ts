import type pg from 'pg'

const ORGANISATIONS = 20_000
const CONTACTS = 80_000
const TICKETS = 100_000

export const ROWS = ORGANISATIONS + CONTACTS + TICKETS

/** Rows in the busiest tables; one has the name searched for later. */
export async function fillForRestore(client: pg.Client, marker: string) {
  await client.query(
    `insert into organisations (id, name, country, sla_tier)
      select md5('organisation' || n)::uuid, 'Organisation ' || n, 'IE', 'Standard' from generate_series(1, ${ORGANISATIONS}) n`,
  )
  await client.query(
    `insert into contacts (id, full_name, email, organisation, portal_role, active)
      select md5('contact' || n)::uuid, case n when 7 then $1 else 'Person ' || n end, 'person' || n || '@example.test',
        md5('organisation' || 1 + n % ${ORGANISATIONS})::uuid, 'none', true from generate_series(1, ${CONTACTS}) n`,
    [marker],
  )
  await client.query(
    `insert into tickets (id, number, full_name, email, subject, contact_type, message, contact, status, priority)
      select md5('ticket' || n)::uuid, n, 'Person ' || n, 'person' || n || '@example.test', 'Ticket ' || n, 'Query',
        'Message ' || md5(n::text), md5('contact' || 1 + n % ${CONTACTS})::uuid, 'New', 'Normal'
      from generate_series(1, ${TICKETS}) n`,
  )
}
