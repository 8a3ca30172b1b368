import { date, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

/** List preferences per person; deleted a year after their last use. */
export const listViews = pgTable(
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
  (t) => [
    uniqueIndex('list_views_owner_unique').on(t.sub, t.model),
    index('list_views_used_on_index').on(t.usedOn),
  ],
)
