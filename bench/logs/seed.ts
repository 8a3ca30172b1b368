import type pg from 'pg'

export const ROWS = 1_000_000
const BATCH = 100_000

/** BUSY caused a third of all events, IDLE only a few; READ_OFTEN is a record that many accounts read. */
export const BUSY = '00000000-0000-4000-8000-000000000001'
export const IDLE = '00000000-0000-4000-8000-000000000002'
export const READ_OFTEN = `md5('organisation1')::uuid`

const PEOPLE = `with people as (
    insert into subject_refs (sub, ref) select 'sub-' || n,
      ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid from generate_series(1, 5000) n returning sub)
  insert into accounts (id, sub, name, email, link) select gen_random_uuid(), sub, 'Person ' || sub, sub || '@example.test', 'none' from people`

const ORGANISATIONS = `insert into organisations (id, name, country, sla_tier)
  select md5('organisation' || n)::uuid, 'Organisation ' || n, 'IE', 'Standard' from generate_series(1, 50000) n`

/** Over a year, oldest first; each with a kind and an account, mostly reads or rejections. */
const EVENTS = `insert into security_events (id, at, kind, actor_ref, about_ref, model, record, source_id)
  select ('0190' || lpad(to_hex(n), 8, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
    now() - interval '360 days' * (1 - n / $3::float8),
    case when n % 500000 = 7 then 'history-mismatch' when n % 3 = 0 then 'read' when n % 7 = 0 then 'denied'
      when n % 11 = 0 then 'step-up' else 'sign-in-failed' end,
    person.ref, case when n % 13 = 0 then other.ref end,
    case when n % 3 = 0 then 'organisations' end,
    case when n % 3 = 0 then md5('organisation' || 1 + n % 50000)::uuid end, 'source ' || n
  from generate_series($1::int, $2::int) n
    cross join lateral (select ('00000000-0000-4000-8000-' || lpad(to_hex(
      case when n % 3 = 0 then 1 when n % 400000 = 1 then 2 else 3 + n % 4997 end), 12, '0'))::uuid as ref) person
    cross join lateral (select ('00000000-0000-4000-8000-' || lpad(to_hex(3 + n % 4997), 12, '0'))::uuid as ref) other`

const CHANGES = `with made as (
    insert into revisions (id, operation_id, model, record_id, version, action, after, actor_ref, at, is_settled)
    select ('0190' || lpad(to_hex(n), 8, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid, gen_random_uuid(),
      case when n % 1000 = 0 then 'contacts' else 'organisations' end, md5('organisation' || 1 + n % 50000)::uuid,
      1 + n / 50000, 'update', '{"name":"Other"}', ('00000000-0000-4000-8000-' || lpad(to_hex(
        case when n % 3 = 0 then 1 when n % 400000 = 1 then 2 else 3 + n % 4997 end), 12, '0'))::uuid,
      now() - interval '360 days' * (1 - n / $3::float8), true
    from generate_series($1::int, $2::int) n returning *)
  insert into audit_events (at, actor_ref, actor_kind, action, entity, entity_id, fields, outcome, request_id, revision_id)
  select at, actor_ref, 'admin', action, model, record_id, '{name}', 'done', 'bench', id from made order by id`

const COUNTS = `insert into security_event_counts
  select date_trunc('hour', at), kind, count(*) from security_events group by 1, 2`

export async function seedLogs(client: pg.Client) {
  await client.query(PEOPLE)
  await client.query(ORGANISATIONS)
  for (const statement of [EVENTS, CHANGES])
    for (let from = 1; from <= ROWS; from += BATCH)
      await client.query(statement, [from, from + BATCH - 1, ROWS])
  await client.query(COUNTS)
  await client.query('vacuum analyze')
}
