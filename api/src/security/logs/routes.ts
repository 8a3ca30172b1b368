import { Readable } from 'node:stream'
import { SECURITY_EVENTS, type SecurityEventOutcome } from '@gatehouse/model'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Engine } from '#engine/engine.ts'
import { recordSecurityEvents } from '#engine/security/store-events.ts'
import { invalidToken } from '#platform/errors.ts'
import { OWNER, type AccessRequirement } from '#platform/http/access-level.ts'
import { refuseOtherMethods } from '#platform/http/resource.ts'
import { pageOfChanges, type LoggedChange } from './changes.ts'
import { countEvents } from './counts.ts'
import { toCsv } from './csv.ts'
import { pageOfEvents, type LoggedEvent } from './events.ts'
import type { Person } from './resolve-names.ts'
import { readLogQuery, type LogQuery } from './query.ts'

const EVENTS_URL = '/api/security-events'
const CHANGES_URL = '/api/changes'
/** Rows per statement of an export; one batch is in memory at a time. */
const BATCH = 1_000

/** An export can't be revoked, so it requires a fresh sign-in. */
const FRESH_OWNER: AccessRequirement = { ...OWNER, isFresh: true }

type Page<Item> = { items: Item[]; next: string | null }
type Log<Item> = {
  url: string
  name: SecurityEventOutcome<'exported'>
  read: (engine: Engine, you: string, query: LogQuery, limit?: number) => Promise<Page<Item>>
  columns: Record<string, (item: Item) => string | number | null>
}

const nameOf = (person: Person | null) => person && (person.name ?? 'Former account')

const EVENTS: Log<LoggedEvent> = {
  url: EVENTS_URL,
  name: 'security-events',
  read: pageOfEvents,
  columns: {
    Time: ({ at }) => at,
    Event: ({ kind }) => SECURITY_EVENTS[kind]?.title ?? kind,
    Outcome: ({ outcome }) => outcome,
    By: ({ by }) => nameOf(by),
    About: ({ about }) => nameOf(about),
    Model: ({ record }) => record?.model ?? null,
    'Record ID': ({ record }) => record?.id ?? null,
    Record: ({ record }) => record?.label ?? null,
    'Reference of by': ({ by }) => by?.ref ?? null,
    'Reference of about': ({ about }) => about?.ref ?? null,
  },
}

const CHANGES: Log<LoggedChange> = {
  url: CHANGES_URL,
  name: 'changes',
  read: pageOfChanges,
  columns: {
    Time: ({ at }) => at,
    Action: ({ action }) => action,
    By: ({ by, byKind }) => nameOf(by) ?? byKind,
    Model: ({ record }) => record?.model ?? null,
    'Record ID': ({ record }) => record?.id ?? null,
    Record: ({ record }) => record?.label ?? null,
    Fields: ({ fields }) => fields.join('; '),
    'Reference of by': ({ by }) => by?.ref ?? null,
  },
}

export function logRoutes(app: FastifyInstance, engine: Engine) {
  serveLog(app, engine, EVENTS)
  serveLog(app, engine, CHANGES)
  const url = `${EVENTS_URL}/counts`
  app.get(url, { config: { needs: OWNER } }, ({ query }) =>
    countEvents(engine, readLogQuery(engine, query as Record<string, unknown>).kind),
  )
  refuseOtherMethods(app, url, ['GET'], 'GET')
}

function serveLog<Item>(app: FastifyInstance, engine: Engine, log: Log<Item>) {
  const asked = ({ query }: FastifyRequest) =>
    readLogQuery(engine, query as Record<string, unknown>)
  app.get(log.url, { config: { needs: OWNER } }, (request) =>
    log.read(engine, subOf(request), asked(request)),
  )
  const url = `${log.url}/export`
  app.get(url, { config: { needs: FRESH_OWNER } }, async (request, reply) => {
    const query = asked(request)
    const sub = subOf(request)
    // Committed before the first row is sent: the caller may abort the export.
    await recordSecurityEvents(engine.db, [
      { kind: 'exported', outcome: log.name, actor: { sub }, sid: request.visitor?.sid ?? null },
    ])
    return sendCsv(reply, log, (before) => {
      // Ends the export if the caller was signed out or disabled meanwhile.
      if (request.visitor && app.isRevoked(request.visitor)) throw invalidToken()
      return log.read(engine, sub, { ...query, before }, BATCH)
    })
  })
  refuseOtherMethods(app, log.url, ['GET'], 'GET')
  refuseOtherMethods(app, url, ['GET'], 'GET')
}

const subOf = ({ visitor }: FastifyRequest) => visitor?.sub ?? ''

/** Reads the next batch only after the previous one was sent; stops when the caller disconnects. */
function sendCsv<Item>(
  reply: FastifyReply,
  { name, columns }: Log<Item>,
  read: (before: string | null) => Promise<Page<Item>>,
) {
  async function* rows() {
    yield toCsv(Object.keys(columns))
    for (let before: string | null = null; ;) {
      const page: Page<Item> = await read(before)
      yield page.items.map((item) => toCsv(Object.values(columns).map((of) => of(item)))).join('')
      before = page.next
      if (before === null) return
    }
  }
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(rows(), { objectMode: false }))
}
