import type pg from 'pg'
import { ADMIN } from '../buffers/lists.ts'
import { OWNER } from '../../ops/drills/kit/million-seed.ts'
import { spreadOf } from '../compare/median-range.ts'
import { requesterFor, requireOk, type SendRequest, type RequestCost } from './measure-request.ts'
import type { Found } from './verdict.ts'
import type { SizedDatabase } from './sized-database.ts'

/** The first executions use custom plans. */
const UNCOUNTED = 7
const COUNTED = 13
const NEW = {
  subject: 'The telephone is silent',
  fullName: 'Client',
  email: 'client@example.test',
  message: 'Since this morning the telephone in the meeting room does not ring. The others do.',
}
const REPLY = { body: 'We have changed the switch. Does it ring again?' }

/** Writes of staff and of a client, on tickets created here and deleted afterwards. */
export async function* measureWrites(scene: SizedDatabase): AsyncGenerator<Found> {
  const made: string[] = []
  try {
    for (const [who, person] of Object.entries({ admin: ADMIN, owner: OWNER })) {
      const ask = await requesterFor(scene, person)
      const own: string[] = []
      const created = await many(ask, () => ({ method: 'POST', path: 'tickets', body: NEW }))
      for (const { text } of created) own.push((JSON.parse(text) as { id: string }).id)
      made.push(...own)
      yield toFound(`create a ticket, ${who}`, created)
      if (person === ADMIN) {
        const updated = await many(ask, (n) => ({
          method: 'PUT',
          path: `tickets/${own[n]}`,
          body: { minutesSpent: n + 1 },
        }))
        yield toFound('update a ticket, admin', updated)
      }
      const replied = await many(ask, (n) => ({
        method: 'POST',
        path: `tickets/${own[n]}/reply`,
        body: REPLY,
      }))
      yield toFound(`reply to a ticket, ${who}`, replied)
    }
  } finally {
    await remove(scene.client, made)
  }
}

async function many(
  ask: (request: SendRequest) => Promise<RequestCost>,
  toAsk: (n: number) => SendRequest,
) {
  const all: RequestCost[] = []
  for (let n = 0; n < UNCOUNTED + COUNTED; n++) all.push(requireOk(await ask(toAsk(n))))
  return all
}

function toFound(what: string, asked: RequestCost[]): Found {
  const counted = asked.slice(UNCOUNTED)
  return {
    what,
    group: what,
    buffers: spreadOf(counted.map(({ buffers }) => buffers)).median,
    ms: spreadOf(counted.map(({ ms }) => ms)).median,
  }
}

/** As superuser and without triggers; only rows of the audit log remain. */
async function remove(client: pg.Client, tickets: string[]) {
  await client.query('set session_replication_role = replica')
  const { rows } = await client.query<{ id: string }>(
    'delete from messages where ticket = any($1) returning id',
    [tickets],
  )
  const records = [...tickets, ...rows.map(({ id }) => id)]
  await client.query('delete from revisions where record_id = any($1)', [records])
  await client.query('delete from tickets where id = any($1)', [tickets])
  await client.query('reset session_replication_role')
}
