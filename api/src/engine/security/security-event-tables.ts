import { NO_PERSON } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant, defineTable } from '#platform/define-table.ts'

/** As the privacy notice promises for technical data. */
const RETENTION = '12 months'

const EVENT = {
  label: 'Sign-ins to your account, refusals and other security events, by a reference',
  category: 'technical',
  purposes: ['security'],
  retention: 'technical',
  source: 'system',
} as const

/** Events of accounts and guarded data. Stores references and enumerated values, never user input. */
export const securityEvents = defineTable(
  'security_events',
  {
    id: uuid('id').primaryKey(),
    at: instant('at').notNull().defaultNow(),
    kind: text('kind').notNull(),
    /** Actor and affected account: rows of `subject_refs`. */
    actorRef: uuid('actor_ref'),
    aboutRef: uuid('about_ref'),
    model: text('model'),
    record: uuid('record'),
    outcome: text('outcome'),
    /** A hash of the session's id. */
    session: text('sid'),
    /** Deduplicates events that are reported more than once. */
    sourceId: text('source_id').unique(),
  },
  {
    holds: {
      id: NO_PERSON,
      at: NO_PERSON,
      kind: NO_PERSON,
      actorRef: EVENT,
      aboutRef: EVENT,
      model: NO_PERSON,
      record: NO_PERSON,
      outcome: NO_PERSON,
      session: EVENT,
      sourceId: EVENT,
    },
    by: 'ref',
    erase: 'opaque',
    expires: { column: 'at', term: RETENTION },
    appendOnly: true,
  },
  (t) => [
    index('security_events_at_index').on(t.at, t.id),
    index('security_events_kind_index').on(t.kind, t.at, t.id),
    // With the kind: the page queries an account's events by kind.
    index('security_events_actor_index')
      .on(t.actorRef, t.kind, t.at, t.id)
      .where(sql`${t.actorRef} is not null`),
    index('security_events_about_index')
      .on(t.aboutRef, t.kind, t.at, t.id)
      .where(sql`${t.aboutRef} is not null`),
    index('security_events_record_index')
      .on(t.record, t.at, t.id)
      .where(sql`${t.record} is not null`),
  ],
)

/** Events by hour, for the plot: counting a million rows would be slow. */
export const securityEventCounts = defineTable(
  'security_event_counts',
  {
    hour: instant('hour').notNull(),
    kind: text('kind').notNull(),
    count: integer('count').notNull(),
  },
  { holds: NO_PERSON, by: null, erase: 'opaque', expires: { column: 'hour', term: RETENTION } },
  (t) => [primaryKey({ columns: [t.hour, t.kind] })],
)
