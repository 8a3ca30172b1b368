import { NO_PERSON } from '@gatehouse/model'
import {
  boolean,
  index,
  integer,
  jsonb,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant, defineTable } from '#platform/define-table.ts'

const REPEATED_FORM = {
  label: 'Reference and hash of a form you sent, so that sending it twice stores it once',
  category: 'technical',
  purposes: ['security'],
  retention: 'transient',
  source: 'you',
} as const

/** Identifies the result of a POST, without values: a repeat's response is rebuilt from the revision. */
export const idempotencyKeys = defineTable(
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
    /** Whether a confirmation was queued; null if the model has none. */
    isConfirmed: boolean('is_confirmed'),
  },
  {
    holds: {
      ownerRef: REPEATED_FORM,
      key: REPEATED_FORM,
      requestHash: REPEATED_FORM,
      status: NO_PERSON,
      recordId: NO_PERSON,
      revisionId: NO_PERSON,
      createdAt: NO_PERSON,
      replays: NO_PERSON,
      isConfirmed: NO_PERSON,
    },
    by: 'ref',
    erase: 'row',
    expires: { column: 'createdAt', term: '24 hours' },
  },
  (t) => [
    primaryKey({ columns: [t.ownerRef, t.key] }),
    index('idempotency_keys_created_at_index').on(t.createdAt),
  ],
)

/** Progress of a purge: removed links and failures. Deleted with the record. */
export const purges = defineTable(
  'purges',
  {
    model: text('model').notNull(),
    recordId: uuid('record_id').notNull(),
    /** By model; ends up in the audit row of the purge. */
    unlinked: jsonb('unlinked').notNull().default({}),
    refusals: integer('refusals').notNull().default(0),
    reason: text('reason'),
    triedAt: instant('tried_at').notNull().defaultNow(),
  },
  { holds: NO_PERSON, by: 'record', erase: 'opaque', expires: null },
  (t) => [primaryKey({ columns: [t.model, t.recordId] })],
)
