import { text } from 'drizzle-orm/pg-core'
import { NO_PERSON } from '@gatehouse/model'
import { instant, defineTable } from '#platform/define-table.ts'

/** Alerts sent by mail; each at most once an hour. */
export const securityMails = defineTable(
  'security_mails',
  {
    /** An alert kind, followed by the account's reference if it concerns one account. */
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
