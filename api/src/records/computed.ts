import type { Context, Model, Value } from '@gatehouse/model'
import { fieldsOf } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import type { Row, Runner } from '#db.ts'
import { columnOf, tableOf, type Engine } from './engine.ts'

type Place = { engine: Engine; tx: Runner; context: Context }
type OnRead = (records: Row[], place: Place) => Value[] | Promise<Value[]>
type OnWrite = (record: Row, place: Place) => Value | Promise<Value>

/** Values that depend on today: for a whole page at once, in at most one statement. */
export const computedOnRead: Record<string, OnRead> = {
  contractStatus: (records, { context }) =>
    records.map((contract) => {
      if (String(contract['startOn']) > context.today) return 'draft'
      return isOver(contract['endOn'], context) || isOver(contract['terminatedOn'], context)
        ? 'ended'
        : 'active'
    }),

  async organisationRelationship(records, { engine, tx, context }) {
    const contracts = engine.models.find((model) => model.path === 'contracts')
    if (!contracts) return records.map(() => 'prospect')
    const table = tableOf(engine, contracts)
    const rows = await tx.query(
      sql`select organisation, bool_or(coalesce(least(end_on, terminated_on), 'infinity') >= ${context.today}::date) as running
        from ${table} where organisation = any(${sql.param(records.map((record) => record['id']))}::uuid[])
        and ${columnOf(table, 'deletedAt')} is null group by organisation`,
      'prepared',
    )
    const running = new Map(rows.map((row) => [row['organisation'], row['running']]))
    return records.map(({ id }) => {
      if (!running.has(id)) return 'prospect'
      return running.get(id) ? 'client' : 'former'
    })
  },
}

/** Values kept in a column, made anew with each change of the record. */
export const computedOnWrite: Record<string, OnWrite> = {
  async ticketDueAt(ticket, { engine, tx }) {
    const services = engine.models.find((model) => model.path === 'services')
    const [service] =
      services && ticket['service']
        ? await tx.query(
            sql`select response_hours from ${tableOf(engine, services)} where id = ${ticket['service']}`,
          )
        : []
    const hours = Number(service?.['response_hours'] ?? engine.site.responseHours)
    return addHours(ticket['openedAt'], hours)
  },

  ticketClosedAt: (ticket, { context }) => {
    if (ticket['status'] !== 'Resolved' && ticket['status'] !== 'Closed') return null
    return typeof ticket['closedAt'] === 'string' ? ticket['closedAt'] : context.now
  },

  // GDPR Art. 33: the authority hears of a personal data breach within 72 hours of its detection.
  incidentNotifyBy: (incident) =>
    incident['personalDataBreach'] === true
      ? addHours(incident['detectedAt'], BREACH_NOTICE_HOURS)
      : null,
}

/** Names a model uses that no function here has. Part of the start-up checks. */
export const checkComputed = (models: Model[]) =>
  models.flatMap((model) =>
    fieldsOf(model).flatMap(([name, { computed }]) => {
      if (!computed) return []
      const known = computed.on === 'read' ? computedOnRead : computedOnWrite
      return Object.hasOwn(known, computed.by)
        ? []
        : [
            `${model.path}: field "${name}" is computed by "${computed.by}", which is not there on ${computed.on}`,
          ]
    }),
  )

const BREACH_NOTICE_HOURS = 72
const HOUR_MS = 3_600_000

const isOver = (day: unknown, context: Context) => typeof day === 'string' && day < context.today

const addHours = (instant: unknown, hours: number) =>
  typeof instant === 'string' ? new Date(Date.parse(instant) + hours * HOUR_MS).toISOString() : null
