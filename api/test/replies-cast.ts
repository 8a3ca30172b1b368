import type { Test } from './kit.ts'

export type Actor = { sub: string | null; email: string; contact: string; account: string | null }
/** Contacts of one sequence: with a linked account, with one that requests access, without an account. */
export type Cast = [linked: Actor, asking: Actor, bare: Actor]

/** Creates the contacts of many sequences in one statement. Linked ones belong to one of two organisations, or to none. */
export async function cast(t: Test, organisations: (string | null)[], sequences: number) {
  const rows = await t.database.sql(
    `with made as (
      insert into contacts (id, full_name, email, portal_role, active, organisation, user_sub)
      select gen_random_uuid(), 'P' || kind, 'p' || kind || '-' || n || '@example.test', 'none', true,
        case when kind = 0 then ($1::uuid[])[1 + n % 3] end, case when kind = 0 then 'sub-p0-' || n end
      from generate_series(1, $2) n, generate_series(0, 2) kind returning id, email
    ), known as (
      insert into accounts (id, sub, email, email_verified, name, link, staff)
      select gen_random_uuid(), 'sub-' || split_part(email, '@', 1), email, true, email,
        case when email like 'p0%' then 'approved' else 'asked' end, 'none'
      from made where email not like 'p2%' returning id, email, sub
    )
    select made.id as contact, made.email, known.id as account, known.sub
    from made left join known on known.email = made.email
    order by split_part(made.email, '-', 2), made.email`,
    [organisations, sequences],
  )
  return Array.from({ length: sequences }, (_, n) => rows.slice(n * 3, n * 3 + 3) as Cast)
}
