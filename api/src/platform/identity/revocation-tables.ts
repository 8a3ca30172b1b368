import { NO_PERSON } from '@gatehouse/model'
import { boolean, index, text, uuid } from 'drizzle-orm/pg-core'
import { instant, defineTable } from '#platform/define-table.ts'
import { REVOCATION_HOURS, SESSION_MAX_HOURS } from './session-life.ts'

const ENDED = {
  label: 'That your sessions were ended, for as long as one could have lasted',
  category: 'account',
  purposes: ['security'],
  retention: 'transient',
  source: 'system',
} as const

/** Tokens issued up to a moment, sessions begun up to one, or a single session: none of them counts any more. */
export const revocations = defineTable(
  'revocations',
  {
    id: uuid('id').primaryKey(),
    /** Neither: everyone’s. A session may have both. */
    sub: text('sub'),
    sid: text('sid'),
    notBefore: instant('not_before').notNull(),
    notedAt: instant('noted_at').notNull().defaultNow(),
    /** Whether sign-ins begun up to then are over too; otherwise the tokens alone, which are renewed. */
    endsSessions: boolean('ends_sessions').notNull().default(false),
    /** The session in which someone did this themselves, and which goes on. */
    sparedSid: text('spared_sid'),
  },
  {
    holds: {
      id: NO_PERSON,
      sub: ENDED,
      sid: ENDED,
      notBefore: NO_PERSON,
      endsSessions: NO_PERSON,
      sparedSid: ENDED,
      notedAt: NO_PERSON,
    },
    by: 'sub',
    erase: 'row',
    expires: { column: 'notedAt', term: `${REVOCATION_HOURS} hours` },
  },
  (t) => [index('revocations_noted_at_index').on(t.notedAt)],
)

/** Whether the identity provider’s log can be read, and up to when it was: one row. */
export const identityReads = defineTable(
  'identity_reads',
  {
    name: text('name').primaryKey(),
    isUp: boolean('is_up').notNull(),
    /** Everything before has been read. */
    readUntil: instant('read_until').notNull(),
    notedAt: instant('noted_at').notNull().defaultNow(),
  },
  { holds: NO_PERSON, by: null, erase: 'opaque', expires: null },
)

const DEVICE = {
  label: 'Kind of browser and system you are signed in with, since when and when last used',
  category: 'technical',
  purposes: ['security'],
  retention: 'transient',
  source: 'system',
} as const

/** Where someone is signed in, for their own page. Neither an address nor a whole user agent. */
export const sessionsSeen = defineTable(
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
    expires: { column: 'usedAt', term: `${SESSION_MAX_HOURS} hours` },
  },
  (t) => [
    index('sessions_seen_sub_index').on(t.sub),
    index('sessions_seen_used_at_index').on(t.usedAt),
  ],
)
