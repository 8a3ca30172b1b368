import { accounts } from '@gatehouse/model/models'
import { sql } from 'drizzle-orm'
import { recordIn } from '#engine/mail-record.ts'
import { paragraphs, type Mail } from '#platform/mail/outbox.ts'

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
    text: ({ level }, { site, owner }, { account }) => ({
      subject: account.staffSubject(site.name),
      text: paragraphs(
        account.levels[level](site.name),
        account.staffNext(`${site.url}/desk`),
        account.unexpected(owner.email),
      ),
    }),
  } satisfies Mail<AboutStaff, Facts>,
}
