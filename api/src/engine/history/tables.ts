import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant } from '#platform/columns.ts'

/** Maps opaque references to accounts. Erasing a person deletes the row, which anonymises the log. */
export const subjectRefs = pgTable('subject_refs', {
  sub: text('sub').primaryKey(),
  ref: uuid('ref').notNull().unique(),
})

/** Values before and after every change; undo, restore and conflict merging derive from it. */
export const revisions = pgTable(
  'revisions',
  {
    id: uuid('id').primaryKey(),
    operationId: uuid('operation_id').notNull(),
    model: text('model').notNull(),
    recordId: uuid('record_id').notNull(),
    version: integer('version').notNull(),
    action: text('action').notNull(),
    before: jsonb('before'),
    after: jsonb('after'),
    actorRef: uuid('actor_ref'),
    at: instant('at').notNull().defaultNow(),
    // Who owned the record then, and whether anyone but an admin could see it.
    owner: text('owner'),
    org: uuid('org'),
    isOpen: boolean('is_open').notNull().default(false),
    // False in rows of older releases: a job backfills the three columns above; until then only admins see them.
    isSettled: boolean('is_settled').notNull().default(false),
  },
  (t) => [
    uniqueIndex('revisions_record_unique').on(t.model, t.recordId, t.version),
    index('revisions_operation_index').on(t.operationId),
    index('revisions_unsettled_index')
      .on(t.model, t.recordId)
      .where(sql`not ${t.isSettled}`),
  ],
)

/** Who did what, without values. Append-only for the application's role. */
export const auditEvents = pgTable(
  'audit_events',
  {
    seq: bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
    at: instant('at').notNull().defaultNow(),
    actorRef: uuid('actor_ref'),
    actorKind: text('actor_kind').notNull(),
    action: text('action').notNull(),
    entity: text('entity').notNull(),
    entityId: uuid('entity_id'),
    fields: text('fields').array().notNull(),
    outcome: text('outcome').notNull(),
    caseId: uuid('case_id'),
    policy: text('policy'),
    counts: jsonb('counts'),
    noticeVersion: text('notice_version'),
    requestId: text('request_id').notNull(),
  },
  (t) => [index('audit_events_entity_index').on(t.entity, t.entityId, t.seq)],
)
