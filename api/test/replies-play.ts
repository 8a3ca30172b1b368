import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { sendMail } from '#jobs/send-mail.ts'
import type { Client } from './clients.ts'
import { ADMIN, type Person, type Test } from './kit.ts'
import { jobTools } from './mail-worker.ts'
import type { Actor, Cast } from './replies-cast.ts'
import { buildOracle, type Reader, type State } from './replies-oracle.ts'

export const KINDS = [
  'contact',
  'contact',
  'organisation',
  'handOver',
  'undo',
  'undo',
  'restore',
  'reply',
  'reply',
  'reply',
  'close',
  'approve',
  'decline',
  'decline',
  'trash',
] as const
export type Command = { kind: (typeof KINDS)[number]; pick: number; isTyped: boolean }
export type Sequence = { opening: Omit<Command, 'kind'>; commands: Command[] }

export type RepliesFixture = {
  t: Test
  /** Manager of the first organisation. */
  manager: Client
  organisations: (string | null)[]
  count: (what: string) => void
}

/** Every sequence ends with a staff reply. */
const LAST: Command = { kind: 'reply', pick: 0, isTyped: false }

const STATE = sql`email, client_id as "clientId", contact, organisation`
type Row = State & { version: number; isTrashed: boolean }

export function buildPlayer({ t, manager, organisations, count }: RepliesFixture) {
  return play

  async function play({ opening: first, commands }: Sequence, own: Cast, n: number) {
    const [linked, asking, bare] = own
    const contacts = [linked.contact, asking.contact, bare.contact, null]
    const oracle = buildOracle()
    const operations: string[] = []
    const typedIn = (step: number) => `typed-${n}-${step}@example.test`
    const id = await open(own, first, typedIn(0))

    const read = async () => {
      const [row] = await t.db.query(
        sql<Row>`select ${STATE}, version, deleted_at is not null as "isTrashed" from tickets where id = ${id}`,
      )
      return row ?? expect.fail('ticket not found')
    }
    const readersOf = async (): Promise<Reader[]> => {
      const rows = await t.db.query(
        sql<{
          id: string
        }>`select c.id from contacts c join accounts a on a.sub = c.user_sub and a.link = 'approved'
          where c.id in (${linked.contact}, ${asking.contact})`,
      )
      const isLinked = ({ contact }: Actor) => rows.some((row) => row.id === contact)
      const canRead = async (person: Person) =>
        (await call('GET', `/api/tickets/${id}`, person)).status === 200
      return Promise.all(
        [...own, { ...manager }].map(async (one) => ({
          sub: one.sub,
          email: one.email,
          contact: one.contact,
          isLinked: one.sub === manager.sub || isLinked(one),
          canRead: one.sub !== null && (await canRead(personOf(one))),
        })),
      )
    }

    let before = await read()
    oracle.observe(before, typedIn(0))
    for (const [place, { kind, pick, isTyped }] of [...commands, LAST].entries()) {
      const typed = typedIn(place + 1)
      const email = isTyped ? { email: typed } : {}
      const put = (body: object) => call('PUT', `/api/tickets/${id}`, ADMIN, body)
      const post = (path: string, body: object = {}) => call('POST', `/api/${path}`, ADMIN, body)
      const fields = isTyped ? {} : { fields: [['contact', 'clientId', 'organisation'][pick % 3]] }
      const owner = isTyped
        ? own.find(({ sub }) => sub !== null && sub === before.clientId)
        : undefined
      const { account } = owner ?? (pick % 2 === 0 ? linked : asking)
      if (before.isTrashed && !['approve', 'decline', 'trash'].includes(kind)) {
        await post(`tickets/${id}/restore`)
        before = await read()
      }
      const run = {
        contact: () => put({ contact: contacts[pick % 4], ...(pick > 7 ? email : {}) }),
        organisation: () => put({ organisation: organisations[pick % 3], ...email }),
        handOver: () => put({ clientId: [linked.sub, asking.sub, null][pick % 3], ...email }),
        undo: () => post(`operations/${operations[pick % (operations.length || 1)]}/undo`),
        restore: () =>
          post(`tickets/${id}/restore`, { version: 1 + (pick % before.version), ...fields }),
        reply: () => post(`tickets/${id}/reply`, { body: `reply ${n} ${place}` }),
        close: () => post(`tickets/${id}/close`),
        approve: () => post(`accounts/${account}/approve`),
        decline: () => post(`accounts/${account}/refuse`),
        trash: () =>
          before.isTrashed
            ? post(`tickets/${id}/restore`)
            : call('DELETE', `/api/tickets/${id}`, ADMIN),
      }[kind]
      const found = before
      const readers = kind === 'reply' || kind === 'close' ? await readersOf() : []
      const { status, headers, text } = await run()
      const what = `${kind} ${status} ${text.slice(0, 200)}`
      expect([200, 204, 404, 409, 422], what).toContain(status)
      count(`${kind} ${status}`)
      const operation = headers['operation-id']
      if (operation) operations.unshift(String(operation))
      if (kind === 'reply') {
        const [mail] = await t.db.query(
          sql<{
            recipient: string
          }>`select recipient from outbox join messages m on m.id = (data ->> 'messageId')::uuid
            where m.ticket = ${id} and m.body = ${`reply ${n} ${place}`}`,
        )
        const isReadable = readers.some(({ canRead }) => canRead)
        if (status === 422) expect([found.email, isReadable], what).toEqual([null, false])
        else expect(headers['mailed'], what).toBe(String(mail !== undefined))
        if (mail) expect(oracle.objection(found, mail.recipient, readers), what).toBeNull()
        else if (status === 200) expect(isReadable, what).toBe(true)
        count(`reply ${status === 422 ? 'refused' : mail ? 'mailed' : 'unmailed'}`)
      }
      if (kind === 'close' && status === 200 && found.email !== null)
        expect(oracle.objection(found, found.email, readers), what).toBeNull()
      before = await read()
      // Restoring a full version restores its address.
      const chosen = kind === 'restore' && before.email !== found.email ? before.email : typed
      oracle.observe(before, status === 200 && isTyped ? chosen : null)
    }

    const now = before
    const readers = await readersOf()
    for (const to of await deliver(id)) {
      expect(now.isTrashed).toBe(false)
      expect(oracle.objection(now, to, readers), `at the end to ${to}`).toBeNull()
      count('mail delivered')
    }
  }

  /** In-process, because there are thousands of requests. */
  async function call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    who: Person,
    body?: object,
  ) {
    const authorization = `Bearer ${who ? await t.tokenOf(who) : ''}`
    const {
      statusCode: status,
      headers,
      body: text,
    } = await t.app.inject({
      method,
      url,
      headers: { authorization },
      ...(body ? { payload: body } : {}),
    })
    return { status, headers, text }
  }

  function personOf({ sub, email }: Pick<Actor, 'sub' | 'email'>): Person {
    if (sub === manager.sub) return manager
    return { sub: sub ?? '', name: email, role: 'user', email, emailVerified: true }
  }

  async function open(
    [linked, asking, bare]: Cast,
    { pick, isTyped }: Sequence['opening'],
    typed: string,
  ) {
    const contact = [linked, linked, asking, bare, null][pick % 5]?.contact
    const organisation = organisations[pick % 3]
    const base = { subject: 'Phone', message: 'x' }
    const client = pick > 8 ? [linked, asking][pick % 2] : null
    const typedValues = { fullName: 'Typed', email: typed }
    const bodies = client
      ? [{ ...base, fullName: 'Me', email: client.email }]
      : [
          { ...base, contact, organisation, ...(isTyped || !contact ? typedValues : {}) },
          // The contact belongs to another organisation.
          { ...base, ...typedValues, organisation },
        ]
    for (const body of bodies) {
      const made = await call('POST', '/api/tickets', client ? personOf(client) : ADMIN, body)
      if (made.status === 201) return String(JSON.parse(made.text).id)
      expect(made.status, made.text).toBe(422)
    }
    return expect.fail('no ticket was opened')
  }

  async function deliver(id: string) {
    const to: string[] = []
    const mailer = { send: async (mail: { to: string }) => void to.push(mail.to), close: () => {} }
    const tools = jobTools(t, { mailer })
    const rows = await t.db.query(
      sql<{
        id: string
      }>`select id from outbox where kind not in ('ticket-opened', 'ticket-replied') and
        (data ->> 'ticketId' = ${id} or data ->> 'messageId' in (select id::text from messages where ticket = ${id}))`,
    )
    for (const row of rows) await sendMail.run(row.id, tools)
    return to
  }
}
