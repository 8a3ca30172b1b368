import { isNull } from 'drizzle-orm'
import { date, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Writes per caller and minute, so that the limit holds across replicas. */
export const writeCounts = pgTable(
  'write_counts',
  {
    caller: text('caller').notNull(),
    minute: instant('minute').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.caller, t.minute] }),
    index('write_counts_minute_index').on(t.minute),
  ],
)

/** Kept two days: a rolling 24 hours spans today's and yesterday's salt. */
export const dailySalts = pgTable('daily_salts', {
  day: date('day', { mode: 'string' }).primaryKey(),
  salt: uuid('salt').notNull(),
})

/** Confirmations of the last 24 hours to unverified addresses, by salted hash. */
export const confirmations = pgTable(
  'confirmations',
  {
    id: uuid('id').primaryKey(),
    addressHash: text('address_hash').notNull(),
    queuedAt: instant('queued_at').notNull().defaultNow(),
  },
  (t) => [
    index('confirmations_address_hash_index').on(t.addressHash),
    index('confirmations_queued_at_index').on(t.queuedAt),
  ],
)

/** A mail until the relay has accepted it; dead letters stay. The queue schedules attempts. */
export const outbox = pgTable(
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
  (t) => [index('outbox_waiting_index').on(t.createdAt).where(isNull(t.failedAt))],
)
