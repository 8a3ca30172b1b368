import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant } from '#platform/columns.ts'

/** Enough to answer a repeated POST, without values: the response is rebuilt from the revision. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    ownerRef: uuid('owner_ref').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    status: smallint('status').notNull(),
    recordId: uuid('record_id').notNull(),
    revisionId: uuid('revision_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    replays: integer('replays').notNull().default(0),
    /** Whether a confirmation was queued; null where none belongs to what was created. */
    isConfirmed: boolean('is_confirmed'),
  },
  (t) => [
    primaryKey({ columns: [t.ownerRef, t.key] }),
    index('idempotency_keys_created_at_index').on(t.createdAt),
  ],
)

/** Progress of a purge: removed links and refusals. Deleted with the record. */
export const purges = pgTable(
  'purges',
  {
    model: text('model').notNull(),
    recordId: uuid('record_id').notNull(),
    /** By model; ends up in the audit row of the purge. */
    unlinked: jsonb('unlinked').notNull().default({}),
    refusals: integer('refusals').notNull().default(0),
    /** Why it was refused last. */
    reason: text('reason'),
    triedAt: instant('tried_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.model, t.recordId] })],
)
