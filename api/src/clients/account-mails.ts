import { accounts } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { recordIn } from '#engine/mail-record.ts'
import type { IdRow } from '#platform/db.ts'
import { paragraphs, type Mail } from '#platform/mail/outbox.ts'
import { signatureOf } from '#platform/mail/signature.ts'

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
    text: (_, config, { account, ...texts }) => ({
      subject: account.factorsSubject(config.site.name),
      text: paragraphs(
        account.factors,
        account.unexpected(config.owner.email),
        signatureOf(config, texts),
      ),
    }),
  } satisfies Mail<AboutAccount, IdRow>,
}
