import { sql } from 'drizzle-orm'
import { auditEvents } from '#engine/history/history-tables.ts'
import { modelOf, tableOf, type Engine } from '#engine/engine.ts'

/** Longer than a weekend without a worker. Only tickets changed within this time are read. */
const LOOK_BACK = sql.raw(`interval '3 days'`)

/**
 * Moves the last contact of organisations forward to that of their tickets, which replies, closing and reopening update.
 * Writes no revision and keeps the version, since it is no edit. Skips locked organisations until the next run.
 */
export const updateLastContacts = (engine: Engine) => {
  const tickets = tableOf(engine, modelOf(engine, 'tickets'))
  const organisations = tableOf(engine, modelOf(engine, 'organisations'))
  return engine.db.query(
    sql`update ${organisations} set last_contact_on = contacted.day
      from (
        select found.id, latest.day from (
          select organisation, (max(last_contact_at) at time zone ${engine.site.timezone})::date as day
          from ${tickets}
          where id in (
              select entity_id from ${auditEvents} where entity = 'tickets' and seq >= (
                select seq from ${auditEvents} where at >= now() - ${LOOK_BACK} order by at, seq limit 1))
            and organisation is not null and deleted_at is null
          group by organisation
        ) latest join ${organisations} found on found.id = latest.organisation
        where (found.last_contact_on < latest.day or found.last_contact_on is null) and found.deleted_at is null
        order by found.id for no key update of found skip locked
      ) contacted
      where ${organisations}.id = contacted.id and contacted.day is not null`,
    'prepared',
  )
}
