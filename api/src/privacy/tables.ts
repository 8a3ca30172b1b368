import { boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#platform/columns.ts'

/** Deleted with its hour, which makes the counts anonymous. */
export const hourlySalts = pgTable('hourly_salts', {
  hour: instant('hour').primaryKey(),
  salt: uuid('salt').notNull(),
})

/** Anonymous requests per hour, by salted hash of the address. */
export const hourlyCounts = pgTable(
  'hourly_counts',
  {
    hour: instant('hour').notNull(),
    caller: text('caller').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.hour, t.caller] })],
)

/** Proof of the cookie choice, without who or where. */
export const cookieChoices = pgTable('cookie_choices', {
  id: uuid('id').primaryKey(),
  choice: text('choice').notNull(),
  switchState: boolean('switch_state').notNull(),
  gpc: boolean('gpc').notNull(),
  noticeVersion: text('notice_version').notNull(),
  dialogHash: text('dialog_hash').notNull(),
  at: instant('at').notNull().defaultNow(),
})

/** The last number given to a privacy case, per year of the site's calendar. */
export const caseCounters = pgTable('case_counters', {
  year: integer('year').primaryKey(),
  last: integer('last').notNull(),
})
