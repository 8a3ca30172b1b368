import { text } from 'drizzle-orm/pg-core'
import { NO_PERSON } from '@gatehouse/model'
import { instant, defineTable } from '#platform/define-table.ts'

/** What was told by mail, and when: each once an hour. */
export const securityMails = defineTable(
  'security_mails',
  {
    /** A kind of alert, or a kind and the reference of the person it is about. */
    subject: text('subject').primaryKey(),
    at: instant('at').notNull().defaultNow(),
  },
  {
    holds: {
      subject: {
        label: 'That you were warned of something about your account, by a reference',
        category: 'technical',
        purposes: ['security'],
        retention: 'transient',
        source: 'system',
      },
      at: NO_PERSON,
    },
    by: 'ref',
    erase: 'row',
    expires: { column: 'at', term: '1 day' },
  },
)
