import { canDo, type Model } from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import type { Person } from '../../ops/drills/kit/key-server.ts'
import { measureRepeatedly, requesterFor, type SendRequest } from '../growth/measure-request.ts'
import type { SizedDatabase } from '../growth/sized-database.ts'
import type { Found } from '../growth/verdict.ts'

const LIMIT = 500
const RELATED_SHOWN = '5'
/** Many records refer to these: the manager's organisation has 5 % of all tickets, a service 10 %, the contact 1 %. */
const LARGEST: Record<string, string> = {
  organisations: 'select organisation as id from contacts where user_sub = $1',
  contacts: 'select id from contacts where user_sub = $1',
}

type Caller = { who: string; person: NonNullable<Person> }

/** Every request of a record page, for each model: the record, `about`, its history and messages, and its related lists. */
export async function* measureRecordPages(
  environment: SizedDatabase,
  { who, person }: Caller,
  manager: string,
): AsyncGenerator<Found> {
  const ask = await requesterFor(environment, person)
  for (const model of models.filter((one) => canDo(one, 'get', person))) {
    const id = await recordOf(environment, model, manager)
    if (id === null || !(await ask({ path: `${model.path}/${id}` })).isOk) continue
    for (const request of requestsOf(model, id)) {
      const { text: _text, ...cost } = await measureRepeatedly(() => ask(request))
      const part = request.path.replace(id, '…')
      yield {
        what: `page of ${model.path} as ${who}: ${part}`,
        group: 'record page: one request',
        ...cost,
        ...(isOfTenThousand(model, request, person) ? {} : { limit: LIMIT }),
      }
    }
  }
}

/**
 * Reported without a limit: a client's list of a contact with 1 % of all tickets. PostgreSQL takes contact and account for
 * independent, expects 100 of the 10,000 rows, and sorts them all.
 */
const isOfTenThousand = (model: Model, { path }: SendRequest, { role }: NonNullable<Person>) =>
  model.path === 'contacts' && path === 'tickets' && role !== 'admin'

async function recordOf({ client }: SizedDatabase, { path }: Model, manager: string) {
  const statement = LARGEST[path]
  const { rows } = await client.query<{ id: string }>(
    statement ?? `select id from ${path} where deleted_at is null order by id desc limit 1`,
    statement ? [manager] : [],
  )
  return rows[0]?.id ?? null
}

function requestsOf({ path, related = [], timeline }: Model, id: string): SendRequest[] {
  const own = ['', '/about', '/history'].map((part) => ({ path: `${path}/${id}${part}` }))
  const referring = related.map(({ model, by }) => ({
    path: model,
    query: { ...referringTo(by, id), limit: RELATED_SHOWN, total: 'none' },
  }))
  const messages = timeline
    ? [{ path: timeline.model, query: { ...referringTo(timeline.by, id), total: 'none' } }]
    : []
  return [...own, ...referring, ...messages]
}

const referringTo = (by: string, id: string) => ({
  filter: JSON.stringify({ all: [[by, 'eq', id]] }),
})
