import { accounts } from '@gatehouse/model/models'
import type { Mail } from '#engine/mail-kind.ts'
import { recordIn } from '#engine/mail-record.ts'
import { paragraphs } from '#platform/mail/outbox.ts'
import { signatureOf } from '#platform/mail/signature.ts'

type AboutAccount = { accountId: string }

export const accountMails = {
  'factors-removed': {
    about: recordIn(accounts, { id: 'accountId', reference: 'name' }),
    async facts({ records, mail: { data, recipient } }) {
      const account = await records(accounts).get(data.accountId)
      const isTheirs = account?.email?.toLowerCase() === recipient.toLowerCase()
      return isTheirs && account.emailVerified ? account : null
    },
    text: (_, config, { account, ...texts }) => ({
      subject: account.factorsSubject(config.site.name),
      text: paragraphs(
        account.factors,
        account.unexpected(config.owner.email),
        signatureOf(config, texts),
      ),
    }),
  } satisfies Mail<AboutAccount, object>,
}
