import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ADMIN, startTest, type Test } from '../../../test/kit.ts'
import { fullBody, createOne, modelAt } from '../../../test/sample-records.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

const make = (path: string, changes: object = {}) => createOne(t, modelAt(path), ADMIN, changes)
const put = (path: string, body: object) => t.call('PUT', `/api/${path}`, ADMIN, { body })

const holding = (table: string, id: string, lock: string) =>
  t.database.hold(`select from ${table} where id = '${id}' for ${lock}`)

describe('locks', () => {
  test('new references to a record don’t wait while it is edited', async () => {
    const organisation = await make('organisations')
    const body = await fullBody(t, modelAt('assets'), { organisation })
    const release = await holding('organisations', organisation, 'no key update')
    const created = await t.call('POST', '/api/assets', ADMIN, { body })
    await release()
    expect(created.status, created.text).toBe(201)
  })

  test('while a record is deleted, referrers can be edited, but new references wait', async () => {
    const organisation = await make('organisations')
    const other = await make('organisations')
    const asset = await make('assets', { organisation })
    const release = await holding('organisations', organisation, 'update')
    const kept = await put(`assets/${asset}`, { organisation, name: 'Kept' })
    const moved = await put(`assets/${asset}`, { organisation: other })
    const back = await put(`assets/${asset}`, { organisation })
    await release()
    expect([kept.status, moved.status, back.status]).toEqual([200, 200, 503])
  })

  test('an edit doesn’t wait for key share locks, a deletion does', async () => {
    const organisation = await make('organisations')
    const release = await holding('organisations', organisation, 'key share')
    const edited = await put(`organisations/${organisation}`, { name: 'Edited' })
    const deleted = await t.call('DELETE', `/api/organisations/${organisation}`, ADMIN)
    await release()
    expect([edited.status, deleted.status]).toEqual([200, 503])
  })
})

const deadlocks = async () => {
  const [row] = await t.database.sql(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  return Number(row.deadlocks)
}

test('concurrent replies and messages queue without deadlocks', async () => {
  const before = await deadlocks()
  const ticket = await make('tickets')
  const statuses = new Set<number>()
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, place) =>
        place % 2
          ? t.call('POST', `/api/tickets/${ticket}/reply`, ADMIN, { body: { body: 'Reply' } })
          : t.call('POST', '/api/messages', ADMIN, { body: { ticket, body: 'Message' } }),
      ),
    )
    for (const { status } of answers) statuses.add(status)
  }
  expect(statuses).toEqual(new Set([200, 201]))
  expect((await deadlocks()) - before).toBe(0)
})

describe('a transaction aborted by PostgreSQL', () => {
  // On a slow machine, the other transaction may wait for its second lock first, and be the one aborted.
  test(
    'a transaction aborted by a deadlock is retried without an error',
    { retry: 3 },
    async () => {
      const before = await deadlocks()
      const [from, to] = [await make('organisations'), await make('organisations')]
      const asset = await make('assets', { organisation: from })
      const other = new pg.Client({ connectionString: t.database.url('gatehouse_migrate') })
      await other.connect()
      await other.query('begin')
      await other.query('select from assets where id = $1 for update', [asset])
      const moving = put(`assets/${asset}`, { organisation: to })
      await vi.waitFor(async () => expect(await waiting()).toBe(1), { interval: 20 })
      // The request locks the organisation and waits for the asset: a deadlock.
      try {
        await other.query('select from organisations where id = $1 for update', [to])
      } finally {
        await other.end()
      }
      const { status, text } = await moving
      expect(status, text).toBe(200)
      expect((await deadlocks()) - before).toBe(1)
    },
  )

  test('an aborted transaction is retried up to five times, and writes one revision', async () => {
    await failing(5)
    const before = await traces()
    const created = await t.call('POST', '/api/tickets', ADMIN, {
      body: await fullBody(t, modelAt('tickets')),
    })
    expect(created.status, created.text).toBe(201)
    const after = await traces()
    expect({
      tickets: after.tickets - before.tickets,
      revisions: after.revisions - before.revisions,
      mails: after.mails - before.mails,
    }).toEqual({ tickets: 1, revisions: 1, mails: 2 })
  })

  test('an aborted transaction fails after the fifth retry, and the request can be repeated', async () => {
    const body = await fullBody(t, modelAt('tickets'))
    await failing(6)
    const response = await t.call('POST', '/api/tickets', ADMIN, { body })
    expect(response.json).toMatchObject({ status: 503, code: 'overloaded' })
    expect(response.headers.get('retry-after')).not.toBeNull()
    expect((await t.call('POST', '/api/tickets', ADMIN, { body })).status).toBe(201)
  })

  /** A sequence, because rollbacks don't reset it. */
  const failing = (times: number) =>
    t.database.sql(`drop sequence if exists tries cascade; create sequence tries;
      grant usage on sequence tries to gatehouse_app;
      create or replace function collide() returns trigger language plpgsql as $$ begin
        if nextval('tries') <= ${times} then raise exception 'collided' using errcode = '40001'; end if; return new; end $$;
      drop trigger if exists collide on tickets;
      create trigger collide before insert on tickets for each row execute function collide()`)

  async function traces() {
    const [row] = await t.database.sql(`select (select count(*)::int from tickets) as tickets,
      (select count(*)::int from revisions where model = 'tickets') as revisions,
      (select count(*)::int from outbox where kind like 'ticket-%') as mails`)
    return row as { tickets: number; revisions: number; mails: number }
  }

  async function waiting() {
    const rows = await t.database.sql(
      `select from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted`,
    )
    return rows.length
  }
})
