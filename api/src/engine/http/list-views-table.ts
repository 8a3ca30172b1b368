import { NO_PERSON } from '@gatehouse/model'
import { date, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { defineTable } from '#platform/define-table.ts'

const PREFERENCE = {
  label: 'The columns and the number of rows you chose for a list',
  category: 'preference',
  purposes: ['delivery'],
  retention: 'technical',
  source: 'you',
} as const

/** List preferences per account; deleted a year after their last use. */
export const listViews = defineTable(
  'list_views',
  {
    id: uuid('id').primaryKey(),
    sub: text('sub').notNull(),
    model: text('model').notNull(),
    columns: text('columns').array(),
    pageSize: integer('page_size'),
    density: text('density').notNull(),
    usedOn: date('used_on', { mode: 'string' }).notNull().defaultNow(),
  },
  {
    holds: {
      id: NO_PERSON,
      sub: {
        label: 'Account that a list preference belongs to',
        category: 'account',
        purposes: ['delivery'],
        retention: 'technical',
        source: 'idp',
      },
      model: PREFERENCE,
      columns: PREFERENCE,
      pageSize: PREFERENCE,
      density: PREFERENCE,
      usedOn: PREFERENCE,
    },
    by: 'sub',
    erase: 'row',
    expires: { column: 'usedOn', term: '12 months' },
  },
  (t) => [
    uniqueIndex('list_views_owner_unique').on(t.sub, t.model),
    index('list_views_used_on_index').on(t.usedOn),
  ],
)
