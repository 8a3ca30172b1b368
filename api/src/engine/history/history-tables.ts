import { NO_PERSON } from '@gatehouse/model'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { REFERENCE } from '#engine/build-tables.ts'
import { instant, defineTable } from '#platform/define-table.ts'

const FORMER_VALUES = {
  label: 'Log of changes to the records about you, with earlier values',
  category: 'technical',
  purposes: ['security', 'delivery'],
  retention: 'technical',
  source: 'system',
} as const

/** Maps opaque references to accounts. Erasing a person deletes the row, which anonymises the log. */
export const subjectRefs = defineTable(
  'subject_refs',
  {
    sub: text('sub').primaryKey(),
    ref: uuid('ref').notNull().unique(),
  },
  {
    holds: {
      sub: {
        label: 'Account identifier that such a reference stands for',
        category: 'account',
        purposes: ['security'],
        retention: 'technical',
        source: 'idp',
      },
      ref: REFERENCE,
    },
    by: 'sub',
    erase: 'row',
    expires: null,
    // Swapping two references would attribute one account's actions to the other.
    appendOnly: true,
  },
)

/** Values before and after every change; undo, restore and conflict merging derive from it. Append-only. */
export const revisions = defineTable(
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
    // Owner at the time, and whether non-admins could see the record.
    owner: text('owner'),
    org: uuid('org'),
    isOpen: boolean('is_open').notNull().default(false),
    // False in rows of older releases: a job backfills the three columns above; until then only admins see them.
    isSettled: boolean('is_settled').notNull().default(false),
  },
  {
    holds: {
      id: NO_PERSON,
      operationId: NO_PERSON,
      model: NO_PERSON,
      recordId: NO_PERSON,
      version: NO_PERSON,
      action: NO_PERSON,
      before: FORMER_VALUES,
      after: FORMER_VALUES,
      actorRef: REFERENCE,
      at: NO_PERSON,
      owner: {
        label: 'Account that a record belonged to at the time of a change',
        category: 'account',
        purposes: ['account'],
        retention: 'technical',
        source: 'idp',
      },
      org: NO_PERSON,
      isOpen: NO_PERSON,
      isSettled: NO_PERSON,
    },
    by: 'record',
    erase: 'rewrite',
    expires: null,
    appendOnly: true,
  },
  (t) => [
    uniqueIndex('revisions_record_unique').on(t.model, t.recordId, t.version),
    index('revisions_operation_index').on(t.operationId),
    index('revisions_unsettled_index')
      .on(t.model, t.recordId)
      .where(sql`not ${t.isSettled}`),
  ],
)

/** Actor, action and record, without values. Append-only for the application's role. */
export const auditEvents = defineTable(
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
    /** The revision it describes; null for actions without one, and in rows of older releases. */
    revisionId: uuid('revision_id'),
  },
  {
    holds: {
      seq: NO_PERSON,
      at: NO_PERSON,
      actorRef: REFERENCE,
      actorKind: NO_PERSON,
      action: NO_PERSON,
      entity: NO_PERSON,
      entityId: NO_PERSON,
      fields: NO_PERSON,
      outcome: NO_PERSON,
      caseId: NO_PERSON,
      policy: NO_PERSON,
      counts: NO_PERSON,
      noticeVersion: NO_PERSON,
      requestId: NO_PERSON,
      revisionId: NO_PERSON,
    },
    by: 'ref',
    erase: 'opaque',
    expires: null,
    appendOnly: true,
  },
  (t) => [
    index('audit_events_entity_index').on(t.entity, t.entityId, t.seq),
    // For the change log: a time range becomes a range of `seq` in the other indexes.
    index('audit_events_at_index').on(t.at, t.seq),
    index('audit_events_model_index').on(t.entity, t.seq),
    index('audit_events_actor_index').on(t.actorRef, t.entity, t.seq),
    uniqueIndex('audit_events_revision_unique')
      .on(t.revisionId)
      .where(sql`${t.revisionId} is not null`),
  ],
)

/** Results of the nightly comparison of revisions and audit rows. */
export const historyChecks = defineTable(
  'history_checks',
  {
    day: date('day').primaryKey(),
    at: instant('at').notNull().defaultNow(),
    revisions: integer('revisions').notNull(),
    auditRows: integer('audit_rows').notNull(),
    mismatches: integer('mismatches').notNull(),
  },
  { holds: NO_PERSON, by: null, erase: 'opaque', expires: { column: 'at', term: '12 months' } },
)
