import { accounts } from '@gatehouse/model/models'
import type { Mail } from '#engine/mail-kind.ts'
import { recordIn } from '#engine/mail-record.ts'
import { paragraphs } from '#platform/mail/outbox.ts'
import { signatureOf } from '#platform/mail/signature.ts'

type AboutStaff = { accountId: string }
type Facts = { level: 'technician' | 'owner' }

/** Invitations are sent by the identity provider. */
export const staffMails = {
  'staff-level': {
    about: recordIn(accounts, { id: 'accountId', reference: 'name' }),
    async facts({ records, mail: { data, recipient } }) {
      const account = await records(accounts).get(data.accountId)
      const isTheirs = account?.email?.toLowerCase() === recipient.toLowerCase()
      return isTheirs && account.staff && account.staff !== 'none' ? { level: account.staff } : null
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
