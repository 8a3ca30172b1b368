import type pg from 'pg'

/** Accounts that read the lists; `INSERT_TICKETS` sets what they own. */
export const OWNER = { sub: 'bench-owner', name: 'Olga Owner', role: 'user' } as const
export const MANAGER = { sub: 'bench-manager', name: 'Max Manager', role: 'user' } as const
/** A manager who wrote nearly all of the organisation's tickets: both kinds of ownership match the same rows. */
export const SOLO = { sub: 'bench-solo', name: 'Sam Solo', role: 'user' } as const

export const TICKETS = 1_000_000
/** Occurs in three messages; the other in none. */
export const RARE_WORD = 'quokka'
export const ABSENT_WORD = 'zyzzyva'

const BATCH = 50_000
/** The tables that grow. */
const GROWING = ['tickets', 'messages', 'revisions']

/**
 * Tickets over five years in time order, each with a message and a revision; beside them, however many they are, 100,000
 * contacts with accounts, 20,000 organisations, and the other models the desk counts. Nearly all tickets are closed; most open ones
 * are from the last three months.
 */
export async function seed(client: pg.Client, tickets = TICKETS) {
  await client.query(
    `set session_replication_role = replica; set maintenance_work_mem = '1GB'; set work_mem = '256MB'; select setseed(0.42)`,
  )
  for (const statement of [WORDS, SENTENCES, ORGANISATIONS, SERVICES, CONTACTS, PEOPLE])
    await client.query(statement)
  // In the transaction that truncates the tables, so that a server with wal_level = minimal writes each row once.
  await client.query(`begin; truncate ${GROWING.join()}`)
  const indexes = await dropIndexes(client)
  for (let from = 1; from <= tickets; from += BATCH)
    await client.query(INSERT_TICKETS, [from, Math.min(tickets, from + BATCH - 1), tickets])
  for (const index of indexes) await client.query(index)
  await client.query('commit')
  for (const statement of [ACCOUNTS, CONTRACTS, ASSETS, INCIDENTS, REQUESTS])
    await client.query(statement)
  await client.query('drop table words, sentences')
  await client.query('vacuum analyze')
}

/** Building indexes at the end is many times faster than maintaining them per row. */
async function dropIndexes(client: pg.Client) {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any($1::regclass[]) and not indisprimary`,
    [GROWING],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

const WORDS = `create table words as select row_number() over () as n,
  (array['ba','con','de','er','fi','gra','hu','in','jo','ka','li','mo','net','or','pa','ser','ti','ver'])[1 + (i * 7 + i / 19) % 18]
  || (array['bel','cha','der','for','gen','la','men','nor','pri','ra','sta','ter','vi','work'])[1 + (i * 11 + i / 5) % 14]
  || (array['','ing','ed','s','er','tion','al'])[1 + i % 7] as word from generate_series(1, 3000) i`

// Squaring makes a few words common and most rare, as in a language.
const SENTENCES = `create table sentences as select s as n, string_agg(word, ' ') as text
  from (select s, 1 + floor(3000 * power(random(), 2))::int as pick
    from generate_series(1, 20000) s, generate_series(1, 8)) picks join words on words.n = pick group by s`

const ORGANISATIONS = `insert into organisations (id, name, country, sla_tier, city)
  select md5('organisation' || i)::uuid, initcap(a.word) || ' ' || b.word || ' ' || i, 'IE', 'Standard', initcap(a.word)
  from generate_series(1, 20000) i join words a on a.n = 1 + i % 3000 join words b on b.n = 1 + i * 7 % 3000`

const SERVICES = `insert into services (id, name, slug, category, summary, description)
  select md5('service' || i)::uuid, 'Service ' || i, 'service-' || i, 'Managed IT', 'Summary', 'Description'
  from generate_series(1, 10) i`

const CONTACTS = `insert into contacts (id, full_name, email, organisation, portal_role, user_sub, active)
  select md5('contact' || i)::uuid, initcap(a.word) || ' ' || initcap(b.word), a.word || '.' || i || '@example.test',
    md5('organisation' || 1 + i % 20000)::uuid, 'none', 'sub-' || i, true
  from generate_series(1, 100000) i join words a on a.n = 1 + i % 3000 join words b on b.n = 1 + i * 13 % 3000`

const ACCOUNTS = `insert into accounts (id, sub, email, email_verified, name, first_seen_at, last_seen_on, link)
  select md5('account' || i)::uuid, 'visitor-' || i, 'visitor.' || i || '@example.test', true, 'Visitor ' || i, now(),
    current_date - i % 700, case when i % 50 = 0 then 'asked' when i % 3 = 0 then 'approved' else 'none' end
  from generate_series(1, 100000) i`

const CONTRACTS = `insert into contracts (id, reference, organisation, service, start_on, end_on)
  select md5('contract' || i)::uuid, 'C-' || i, md5('organisation' || 1 + i % 20000)::uuid,
    md5('service' || 1 + i % 10)::uuid, current_date - 1500, case when i % 4 > 0 then current_date - 1400 + i % 2800 end
  from generate_series(1, 50000) i`

const ASSETS = `insert into assets (id, name, kind, organisation, warranty_until)
  select md5('asset' || i)::uuid, 'host-' || i, 'Laptop', md5('organisation' || 1 + i % 20000)::uuid,
    case when i % 5 > 0 then current_date - 1000 + i % 2000 end
  from generate_series(1, 200000) i`

const INCIDENTS = `insert into incidents (id, title, organisation, kind, severity, status, detected_at, summary,
    personal_data_breach, notify_by, notified_at)
  select md5('incident' || i)::uuid, 'Incident ' || i, md5('organisation' || 1 + i % 20000)::uuid, 'Phishing', 'Medium',
    case when i % 100 = 0 then 'Triage' else 'Closed' end, now() - i * interval '1 hour', 'Summary', i % 10 = 0,
    case when i % 10 = 0 then now() - i * interval '1 hour' + interval '72 hours' end,
    case when i % 10 = 0 and i % 100 > 0 then now() - i * interval '1 hour' end
  from generate_series(1, 20000) i`

const REQUESTS = `insert into privacyrequests (id, reference, kind, status, name, email, message, received_at, due_on)
  select md5('request' || i)::uuid, 'PR-' || i, 'access', case when i % 20 = 0 then 'open' else 'closed' end, 'Name',
    'request.' || i || '@example.test', 'Message', now() - i * interval '1 hour', current_date - i / 24 + 30
  from generate_series(1, 20000) i`

const PEOPLE = `update contacts set
  user_sub = case id when md5('contact1')::uuid then '${OWNER.sub}' when md5('contact2')::uuid then '${MANAGER.sub}' else '${SOLO.sub}' end,
  portal_role = case id when md5('contact1')::uuid then 'none' else 'manager' end
  where id in (md5('contact1')::uuid, md5('contact2')::uuid, md5('contact3')::uuid)`

/**
 * Of every thousand tickets 5 are the owner's; 50 belong to the manager's organisation, 10 of them written by the
 * manager; 20 to the solo manager's, 18 of them their own. The rest is spread over all contacts. One in a hundred is
 * in the trash, and so are the newest 2 %: deleted spam.
 */
const INSERT_TICKETS = `with planned as (
    select i, timestamptz '2021-01-01' + i * interval '157 seconds' * (${TICKETS}::float / $3::int) as at,
      case when i % 200 = 0 then 1 when i % 100 = 1 then 2 when i % 50 = 2 and i % 500 <> 2 then 3
        when i % 20 = 1 then 20002 + i % 3 * 20000 when i % 500 = 2 then 20003
        else 4 + floor(99997 * random())::int end as person,
      1 + floor(20000 * random())::int as s1, 1 + floor(20000 * random())::int as s2,
      1 + floor(20000 * random())::int as s3, 1 + floor(20000 * random())::int as s4, random() as r
    from generate_series($1::int, $2::int) i),
  judged as (
    select *, case when i <= $3::int * 0.93 then
        case when r < 0.95 then 'Closed' when r < 0.999 then 'Resolved' else 'Open' end
      else case when r < 0.7 then 'Closed' when r < 0.8 then 'Resolved' when r < 0.87 then 'Waiting for client'
        when r < 0.94 then 'Open' else 'New' end end as status
    from planned),
  made as (
    insert into tickets (id, version, created_at, updated_at, deleted_at, restricted_at, number, full_name, email, subject,
      contact_type, message, client_id, client_name, contact, organisation, service, status, priority, callback_at,
      opened_at, due_at, closed_at, last_contact_at, minutes_spent, billable, tags, resolution, internal_notes)
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(i % 4096), 3, '0')
        || '8' || left(md5('ticket' || i), 15))::uuid,
      1 + i % 4, at, at, case when i % 100 = 50 or i > $3::int * 0.98 then at + interval '1 day' end,
      case when i % 1000 = 777 then at + interval '2 days' end,
      i, c.full_name, c.email, initcap(left(a.text, 60)),
      (array['Query', 'Callback', 'Report'])[1 + i % 3],
      a.text || '. ' || b.text || '. ' || d.text || '. ' || e.text || case when i in (round($3::int * 0.123456),
        round($3::int * 0.500001), round($3::int * 0.900003)) then ' ${RARE_WORD}' else '' end,
      c.user_sub, c.full_name, c.id, c.organisation, md5('service' || 1 + i % 10)::uuid,
      status,
      (array['Low', 'Normal', 'Normal', 'High', 'Urgent'])[1 + i % 5],
      case when i % 7 = 0 then at + interval '3 hours' end, at, at + interval '24 hours',
      case when status in ('Closed', 'Resolved') then at + interval '9 hours' end, at, i % 240, i % 3 = 0, array['tag' || i % 20],
      case when status in ('Closed', 'Resolved') then d.text || '. ' || b.text end, case when i % 5 = 0 then e.text end
    from judged
    join contacts c on c.id = md5('contact' || person)::uuid
    join sentences a on a.n = s1 join sentences b on b.n = s2 join sentences d on d.n = s3 join sentences e on e.n = s4
    order by i
    returning *),
  said as (
    insert into messages (id, created_at, updated_at, deleted_at, ticket, body, internal, from_staff, author_name)
    select overlay(id::text placing 'b' from 20)::uuid, created_at, created_at, deleted_at, id, subject, number % 5 = 0,
      number % 2 = 0, client_name from made)
  insert into revisions (id, operation_id, model, record_id, version, action, after, at, owner, org, is_open, is_settled)
  select overlay(id::text placing 'a' from 20)::uuid, id, 'tickets', id, 1, 'create',
    jsonb_build_object('subject', subject, 'status', status, 'fullName', full_name, 'email', email), created_at, client_id,
    organisation, restricted_at is null, true from made`
