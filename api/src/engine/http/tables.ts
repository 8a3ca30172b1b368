import { date, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

/** How somebody likes to see a list. Forgotten a year after it was last asked for. */
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
