import { NO_PERSON } from '@gatehouse/model'
import { boolean, index, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant, defineTable } from '#platform/define-table.ts'

/** Deleted after its hour, which makes the counts anonymous. */
export const hourlySalts = defineTable(
  'hourly_salts',
  {
    hour: instant('hour').primaryKey(),
    salt: uuid('salt').notNull(),
  },
  { holds: NO_PERSON, by: null, erase: 'opaque', expires: { column: 'hour', term: '1 hour' } },
)

/** `caller` is the salted hash of a network: an IPv4 address or an IPv6 /64. */
export const hourlyCounts = defineTable(
  'hourly_counts',
  {
    hour: instant('hour').notNull(),
    caller: text('caller').notNull(),
    count: integer('count').notNull(),
  },
  {
    holds: {
      hour: NO_PERSON,
      caller: {
        label: 'Hashed IP address, to limit how often forms are sent',
        category: 'technical',
        purposes: ['security'],
        retention: 'transient',
        source: 'system',
      },
      count: NO_PERSON,
    },
    by: null,
    erase: 'opaque',
    expires: { column: 'hour', term: '1 hour' },
  },
  (t) => [primaryKey({ columns: [t.hour, t.caller] })],
)

const CHOICE = {
  label: 'Your cookie choice, without who you are',
  category: 'preference',
  purposes: ['rights'],
  retention: 'technical',
  source: 'you',
} as const

/** Proof of the cookie choice, without account or address. */
export const cookieChoices = defineTable(
  'cookie_choices',
  {
    id: uuid('id').primaryKey(),
    choice: text('choice').notNull(),
    switchState: boolean('switch_state').notNull(),
    gpc: boolean('gpc').notNull(),
    noticeVersion: text('notice_version').notNull(),
    dialogHash: text('dialog_hash').notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  {
    holds: {
      id: NO_PERSON,
      choice: CHOICE,
      switchState: CHOICE,
      gpc: CHOICE,
      noticeVersion: NO_PERSON,
      dialogHash: NO_PERSON,
      at: CHOICE,
    },
    by: null,
    erase: 'opaque',
    expires: { column: 'at', term: '12 months' },
  },
  (t) => [index('cookie_choices_at_index').on(t.at)],
)

/** The last number of a privacy case, per year of the site's calendar. */
export const caseCounters = defineTable(
  'case_counters',
  {
    year: integer('year').primaryKey(),
    last: integer('last').notNull(),
  },
  { holds: NO_PERSON, by: null, erase: 'opaque', expires: null },
)
