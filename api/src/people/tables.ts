import { NO_PERSON } from '@gatehouse/model'
import { index, text, uuid } from 'drizzle-orm/pg-core'
import { instant, ownTable } from '#platform/own-table.ts'

const DEVICE = {
  label: 'Kind of browser and system you are signed in with, since when and when last used',
  category: 'technical',
  purposes: ['security'],
  retention: 'transient',
  source: 'system',
} as const

/** Where someone is signed in, for their own page. Neither an address nor a whole user agent. */
export const sessionsSeen = ownTable(
  'sessions_seen',
  {
    id: uuid('id').primaryKey(),
    /** The provider's id of the session, which it is ended by. */
    sid: text('sid').notNull().unique(),
    sub: text('sub').notNull(),
    /** Words of closed lists (device.ts). */
    browser: text('browser').notNull(),
    system: text('system').notNull(),
    begunAt: instant('begun_at').notNull().defaultNow(),
    /** To five minutes. */
    usedAt: instant('used_at').notNull().defaultNow(),
  },
  {
    holds: {
      id: NO_PERSON,
      sid: DEVICE,
      sub: DEVICE,
      browser: DEVICE,
      system: DEVICE,
      begunAt: DEVICE,
      usedAt: DEVICE,
    },
    by: 'sub',
    erase: 'row',
    // As long as a session lasts.
    expires: { column: 'usedAt', term: '10 hours' },
  },
  (t) => [
    index('sessions_seen_sub_index').on(t.sub),
    index('sessions_seen_used_at_index').on(t.usedAt),
  ],
)
