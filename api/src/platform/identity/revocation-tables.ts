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

/** Revokes tokens issued or sessions begun until `notBefore`, or a single session. */
export const revocations = defineTable(
  'revocations',
  {
    id: uuid('id').primaryKey(),
    /** Without `sub` and `sid`: all accounts. A session may have both. */
    sub: text('sub'),
    sid: text('sid'),
    notBefore: instant('not_before').notNull(),
    notedAt: instant('noted_at').notNull().defaultNow(),
    /** Whether sessions begun until then end too; otherwise only tokens, which clients renew. */
    endsSessions: boolean('ends_sessions').notNull().default(false),
    /** The session that revoked the others and continues. */
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

/** One row: whether the identity provider’s log is readable, and the time until which it was read. */
export const identityReads = defineTable(
  'identity_reads',
  {
    name: text('name').primaryKey(),
    isUp: boolean('is_up').notNull(),
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

/** Sessions shown on the account page. Stores neither an IP address nor a full user agent. */
export const sessionsSeen = defineTable(
  'sessions_seen',
  {
    id: uuid('id').primaryKey(),
    /** Session ID at the provider, used to end the session. */
    sid: text('sid').notNull().unique(),
    sub: text('sub').notNull(),
    /** Values of fixed lists (device.ts). */
    browser: text('browser').notNull(),
    system: text('system').notNull(),
    begunAt: instant('begun_at').notNull().defaultNow(),
    /** Accurate to five minutes. */
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
