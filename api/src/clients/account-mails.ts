import { accounts } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { recordIn } from '#engine/mail-record.ts'
import type { IdRow } from '#platform/db.ts'
import { paragraphs, type Mail } from '#platform/mail/outbox.ts'

type AboutAccount = { accountId: string }

export const accountMails = {
  'factors-removed': {
    about: recordIn(accounts, { id: 'accountId', reference: 'name' }),
    async facts(db, { data, recipient }) {
      const [row] = await db.query(
        sql<IdRow>`select id from accounts where id = ${data.accountId}
          and email_verified and lower(email) = lower(${recipient}) and deleted_at is null`,
      )
      return row ?? null
    },
    text: (_, { site, owner }, { account }) => ({
      subject: account.factorsSubject(site.name),
      text: paragraphs(account.factors, account.unexpected(owner.email)),
    }),
  } satisfies Mail<AboutAccount, IdRow>,
}
