import { NO_PERSON } from '@gatehouse/model'
import { boolean, index, text, uuid } from 'drizzle-orm/pg-core'
import { instant, ownTable } from '#platform/own-table.ts'

const ENDED = {
  label: 'That your sessions were ended, until every token of theirs has expired',
  category: 'account',
  purposes: ['security'],
  retention: 'transient',
  source: 'system',
} as const

/** Tokens that no longer count: of an account up to a moment, or of a session. */
export const revocations = ownTable(
  'revocations',
  {
    id: uuid('id').primaryKey(),
    /** One of the two; neither: everyone’s. */
    sub: text('sub'),
    sid: text('sid'),
    notBefore: instant('not_before').notNull(),
    notedAt: instant('noted_at').notNull().defaultNow(),
  },
  {
    holds: { id: NO_PERSON, sub: ENDED, sid: ENDED, notBefore: NO_PERSON, notedAt: NO_PERSON },
    by: 'sub',
    erase: 'row',
    // Longer than any token lives.
    expires: { column: 'notedAt', term: '1 hour' },
  },
  (t) => [index('revocations_noted_at_index').on(t.notedAt)],
)

/** Whether the identity provider’s log can be read, and up to when it was: one row. */
export const identityReads = ownTable(
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
