import { NO_PERSON } from '@gatehouse/model'
import { isNull, sql } from 'drizzle-orm'
import { date, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant, defineTable } from './define-table.ts'

/** Writes per caller and minute, so that the limit holds across replicas. */
export const writeCounts = defineTable(
  'write_counts',
  {
    caller: text('caller').notNull(),
    minute: instant('minute').notNull(),
    count: integer('count').notNull(),
  },
  {
    holds: {
      caller: {
        label: 'Number of changes per minute, by a reference or a hashed IP address',
        category: 'technical',
        purposes: ['security'],
        retention: 'transient',
        source: 'system',
      },
      minute: NO_PERSON,
      count: NO_PERSON,
    },
    by: 'ref',
    erase: 'row',
    expires: { column: 'minute', term: '5 minutes' },
  },
  (t) => [
    primaryKey({ columns: [t.caller, t.minute] }),
    index('write_counts_minute_index').on(t.minute),
  ],
)

/** Stored for two days: a rolling 24 hours spans today's and yesterday's salt. */
export const dailySalts = defineTable(
  'daily_salts',
  {
    day: date('day', { mode: 'string' }).primaryKey(),
    salt: uuid('salt').notNull(),
  },
  { holds: NO_PERSON, by: null, erase: 'opaque', expires: { column: 'day', term: '2 days' } },
)

/** Confirmations of the last 24 hours to unverified addresses, by salted hash. */
export const confirmations = defineTable(
  'confirmations',
  {
    id: uuid('id').primaryKey(),
    addressHash: text('address_hash').notNull(),
    queuedAt: instant('queued_at').notNull().defaultNow(),
  },
  {
    holds: {
      id: NO_PERSON,
      addressHash: {
        label: 'Hashed email address, to limit how many confirmations are sent to it',
        category: 'technical',
        purposes: ['security'],
        retention: 'transient',
        source: 'you',
      },
      queuedAt: NO_PERSON,
    },
    by: null,
    erase: 'opaque',
    expires: { column: 'queuedAt', term: '24 hours' },
  },
  (t) => [
    index('confirmations_address_hash_index').on(t.addressHash),
    index('confirmations_queued_at_index').on(t.queuedAt),
  ],
)

/** Mails until the relay accepts them, and dead letters. The queue schedules attempts. */
export const outbox = defineTable(
  'outbox',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    /** Null once the address has expired. */
    recipient: text('recipient'),
    data: jsonb('data').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    attempts: integer('attempts').notNull().default(0),
    /** Why the last attempt failed: a code, because relay messages quote addresses. */
    code: text('code'),
    /** Set while it is a dead letter. */
    failedAt: instant('failed_at'),
    /** Set by the first permanent failure; resending doesn't extend it. */
    addressUntil: instant('address_until'),
  },
  {
    holds: {
      id: NO_PERSON,
      kind: NO_PERSON,
      recipient: {
        label: 'Email address of a message on its way to you, or that could not be delivered',
        category: 'contact',
        purposes: ['rights'],
        retention: 'transient',
        source: 'you',
      },
      data: {
        label: 'Which request or privacy case that message is about',
        category: 'communication',
        purposes: ['rights'],
        retention: 'transient',
        source: 'you',
        stays: true,
      },
      createdAt: NO_PERSON,
      attempts: NO_PERSON,
      code: NO_PERSON,
      failedAt: NO_PERSON,
      addressUntil: NO_PERSON,
    },
    by: 'email',
    erase: 'row',
    // A dead letter is reduced to kind, record and code, for admins who investigate the cause.
    expires: {
      column: 'addressUntil',
      term: '0 days',
      says: '7 days, or 7 days after delivery has failed',
      reduce: {
        set: sql`recipient = null,
          data = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(data) where key like '%Id')`,
        where: sql`failed_at is not null and recipient is not null`,
      },
    },
  },
  (t) => [index('outbox_waiting_index').on(t.createdAt).where(isNull(t.failedAt))],
)
