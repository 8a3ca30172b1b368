import { accounts } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { recordIn } from '#engine/mail-record.ts'
import { paragraphs, type Mail } from '#platform/mail/outbox.ts'
import { signatureOf } from '#platform/mail/signature.ts'

type AboutStaff = { accountId: string }
type Facts = { level: 'technician' | 'owner' }

/** Invitations are sent by the identity provider. */
export const staffMails = {
  'staff-level': {
    about: recordIn(accounts, { id: 'accountId', reference: 'name' }),
    async facts(db, { data, recipient }) {
      const [row] = await db.query(
        sql<Facts>`select staff as level from accounts where id = ${data.accountId}
          and staff <> 'none' and lower(email) = lower(${recipient}) and deleted_at is null`,
      )
      return row ?? null
    },
    text: ({ level }, config, { account, ...texts }) => ({
      subject: account.staffSubject(config.site.name),
      text: paragraphs(
        account.levels[level](config.site.name),
        account.staffNext(`${config.site.url}/desk`),
        account.unexpected(config.owner.email),
        signatureOf(config, texts),
      ),
    }),
  } satisfies Mail<AboutStaff, Facts>,
}
