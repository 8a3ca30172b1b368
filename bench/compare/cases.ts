import type pg from 'pg'
import type { Request } from './client.ts'
import { pocketId } from './pocket-id.ts'
import { CALLERS, CALLERS_PER_ROLE, type Role } from './callers.ts'

export type Side = 'ours' | 'bare' | 'directus' | 'pocketbase'

/** A request with equal responses from ours and bare Fastify, and the peers' nearest. `n` counts a caller's requests. */
export type Case = {
  name: string
  role: Role
  ours: Ask
  bare: Ask
  directus?: Ask
  pocketbase?: Ask
  isWrite?: true
  /** Staff see a record for the first time: recorded after the response, and counted as part of the request. */
  isNoted?: true
}
type Ask = (caller: number, n: number) => Request

export function requestOf(one: Case, side: Side): Ask {
  const ask = one[side]
  if (!ask) throw new Error(`${side} has no case "${one.name}"`)
  return ask
}

/** Records per caller, so that no two wait for the same row; few enough to be cached for both sides. */
const EACH = 20
/** Tickets per caller that were not read today. */
const FRESH = 300
/** Tickets that a caller reads repeatedly. */
const READ = 5
const BODY = 'We have changed the switch in the meeting room. Does the telephone ring again?'

const DIRECTUS = '/items/tickets'
const POCKET = '/api/collections/tickets/records'
/** Columns of our list. */
const LISTED =
  'id,number,full_name,email,phone,callback_wish,subject,contact_type,client_id,client_name,contact,organisation,service,status,priority,' +
  'callback_at,opened_at,due_at,closed_at,last_contact_at,minutes_spent,billable,tags,version'

/** Fields as the peers name them; they have no defaults. */
const toColumns = ({ fullName, ...ticket }: { fullName: string }) => ({
  ...ticket,
  full_name: fullName,
  contact_type: 'Query',
  status: 'New',
  priority: 'Normal',
})

type Known = Awaited<ReturnType<typeof readExisting>>

export async function readExisting(client: pg.Client) {
  const read = async <T>(text: string) =>
    (await client.query<{ value: T }>(text)).rows.map(({ value }) => value)
  const owned: string[][] = []
  for (const { sub } of CALLERS.owner)
    owned.push(
      await read<string>(`select id as value from tickets where client_id = '${sub}' and deleted_at is null
        and restricted_at is null order by id desc limit ${EACH}`),
    )
  // Ordering by hash spreads them over the table.
  const some = (table: string, count: number) =>
    read<string>(`select id as value from ${table} where deleted_at is null and restricted_at is null
      and organisation is not null order by md5(id::text) limit ${count}`)
  // Only reads of a ticket with notes are recorded.
  const noted = await some(
    '(select * from tickets where internal_notes is not null) noted',
    (EACH + FRESH) * CALLERS_PER_ROLE,
  )
  const organisations = await read<string>(`select organisation as value from contacts
    where user_sub in (${CALLERS.manager.map(({ sub }) => `'${sub}'`).join(', ')}) order by length(user_sub), user_sub`)
  const [people] = await read<{ organisation: string; service: string }[]>(
    `select json_agg(json_build_object('organisation', organisation, 'service', md5('service1')::uuid)) as value
     from (select id, organisation from contacts where user_sub like 'sub-%' order by id limit ${CALLERS_PER_ROLE}) known`,
  )
  return {
    owned,
    organisations,
    people: people ?? [],
    tickets: noted.slice(0, CALLERS_PER_ROLE * EACH),
    numbers: new Map(
      await read<[string, number]>(`select json_build_array(id, number) as value from tickets
        where id in ('${noted.slice(0, CALLERS_PER_ROLE * EACH).join("', '")}')`),
    ),
    fresh: noted.slice(CALLERS_PER_ROLE * EACH),
    assets: await some('assets', CALLERS_PER_ROLE * EACH),
  }
}

export function casesOf({
  owned,
  organisations,
  people,
  tickets,
  numbers,
  fresh,
  assets,
}: Known): Case[] {
  let count = 0
  const of = (ids: string[]) => (caller: number, n: number) =>
    ids[(n % EACH) * CALLERS_PER_ROLE + caller] ?? ''
  const ticket = of(tickets)
  const next = { ours: 0, bare: 0 }
  const unread = (side: keyof typeof next) => fresh[next[side]++ % fresh.length] ?? ''
  const asset = of(assets)
  const pocket = (caller: number, n: number) =>
    `${POCKET}/${pocketId(numbers.get(ticket(caller, n)) ?? 0)}`
  const own = (caller: number, n: number) => owned[caller]?.[n % EACH] ?? ''
  const get = (path: string): Request => ({ method: 'GET', path })
  const keyed = (request: Request) => ({
    ...request,
    headers: { 'idempotency-key': crypto.randomUUID() },
  })
  const post = (path: string, body: object): Request => ({ method: 'POST', path, body })
  const put = (path: string, body: object): Request => ({ method: 'PUT', path, body })
  const patch = (path: string): Request => ({
    method: 'PATCH',
    path,
    body: { minutes_spent: count++ },
  })
  const newAsset = (caller: number) => ({
    name: `host-${count++}`,
    kind: 'Laptop',
    organisation: people[caller]?.organisation,
    os: 'Debian 12',
    serialNumber: `SN-${count}`,
  })
  const newTicket = (caller: number) => ({
    subject: `The telephone is silent ${count++}`,
    fullName: 'Client',
    email: `client-${count % 40}@example.test`,
    message: 'Since this morning the telephone in the meeting room does not ring. The others do.',
    ...people[caller],
  })
  const admin = { role: 'admin' } as const
  const write = { role: 'admin', isWrite: true } as const
  return [
    {
      name: 'list, admin',
      ...admin,
      isNoted: true,
      ours: () => get('/api/tickets'),
      bare: () => get('/tickets'),
      directus: () => get(`${DIRECTUS}?limit=25&sort=-id&fields=${LISTED}`),
      pocketbase: () => get(`${POCKET}?perPage=25&sort=-id&skipTotal=1&fields=${LISTED}`),
    },
    {
      name: 'list, owner',
      role: 'owner',
      ours: () => get('/api/tickets'),
      bare: (caller) => get(`/of/${CALLERS.owner[caller]?.sub}`),
    },
    {
      name: 'list, manager',
      role: 'manager',
      ours: () => get('/api/tickets'),
      bare: (caller) => get(`/of/${CALLERS.manager[caller]?.sub}/${organisations[caller]}`),
    },
    {
      name: 'ticket, read again',
      ...admin,
      isNoted: true,
      ours: (caller, n) => get(`/api/tickets/${ticket(caller, n % READ)}`),
      bare: (caller, n) => get(`/tickets/${ticket(caller, n % READ)}`),
      directus: (caller, n) => get(`${DIRECTUS}/${ticket(caller, n % READ)}`),
      pocketbase: (caller, n) => get(pocket(caller, n % READ)),
    },
    {
      name: 'ticket, first reading',
      ...admin,
      isNoted: true,
      ours: () => get(`/api/tickets/${unread('ours')}`),
      bare: () => get(`/tickets/${unread('bare')}`),
    },
    {
      name: 'asset',
      ...admin,
      ours: (caller, n) => get(`/api/assets/${asset(caller, n)}`),
      bare: (caller, n) => get(`/assets/${asset(caller, n)}`),
    },
    {
      name: 'create asset',
      ...write,
      ours: (caller) => keyed(post('/api/assets', newAsset(caller))),
      bare: (caller) => post('/assets', newAsset(caller)),
    },
    {
      name: 'create ticket',
      ...write,
      ours: (caller) => keyed(post('/api/tickets', newTicket(caller))),
      bare: (caller) => post('/tickets', newTicket(caller)),
      directus: (caller) => post(DIRECTUS, toColumns(newTicket(caller))),
      pocketbase: (caller) => post(POCKET, toColumns(newTicket(caller))),
    },
    {
      name: 'update ticket',
      ...write,
      isNoted: true,
      ours: (caller, n) => put(`/api/tickets/${ticket(caller, n)}`, { minutesSpent: count++ }),
      bare: (caller, n) => put(`/tickets/${ticket(caller, n)}`, { minutesSpent: count++ }),
      directus: (caller, n) => patch(`${DIRECTUS}/${ticket(caller, n)}`),
      pocketbase: (caller, n) => patch(pocket(caller, n)),
    },
    {
      name: 'update asset',
      ...write,
      ours: (caller, n) => put(`/api/assets/${asset(caller, n)}`, { os: `Debian ${count++}` }),
      bare: (caller, n) => put(`/assets/${asset(caller, n)}`, { os: `Debian ${count++}` }),
    },
    {
      name: 'reply, admin',
      ...write,
      isNoted: true,
      ours: (caller, n) => keyed(post(`/api/tickets/${ticket(caller, n)}/reply`, { body: BODY })),
      bare: (caller, n) =>
        post(`/reply/admin/${CALLERS.admin[caller]?.sub}/${ticket(caller, n)}`, { body: BODY }),
    },
    {
      name: 'reply, owner',
      role: 'owner',
      isWrite: true,
      ours: (caller, n) => keyed(post(`/api/tickets/${own(caller, n)}/reply`, { body: BODY })),
      bare: (caller, n) =>
        post(`/reply/owner/${CALLERS.owner[caller]?.sub}/${own(caller, n)}`, { body: BODY }),
    },
  ]
}
