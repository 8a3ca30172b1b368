import { accounts } from '@gatehouse/model/models'
import type { Mail } from '#engine/mail-kind.ts'
import { recordIn } from '#engine/mail-record.ts'
import { paragraphs } from '#platform/mail/outbox.ts'
import { signatureOf } from '#platform/mail/signature.ts'

export type AlertKind =
  'admin-granted' | 'admin-factor' | 'admin-failures' | 'exported' | 'history-mismatch'

/** Sent to the account, and to the desk as `…-desk`. */
export type PersonalKind = 'guessed-at' | 'password-known' | 'factor-parked' | 'password-parked'
type Personal = 'guessedAt' | 'passwordKnown' | 'factorParked' | 'passwordParked'

type AboutAccount = { accountId?: string }

const ABOUT = recordIn(accounts, { id: 'accountId', reference: 'name' })

const warning = (kind: Personal) =>
  ({
    about: ABOUT,
    facts: async ({ mail }) => mail.data,
    text: (_, config, { security, ...texts }) => ({
      subject: security[kind].subject(config.site.name),
      text: paragraphs(
        ...security[kind].person(`${config.site.url}/login`),
        security.questions(config.owner.email),
        signatureOf(config, texts),
      ),
    }),
  }) satisfies Mail<AboutAccount, AboutAccount>

const warningToDesk = (kind: Personal) =>
  ({
    about: ABOUT,
    facts: async ({ mail }) => mail.data,
    text: ({ accountId }, { site }, { security }) => ({
      subject: security[kind].deskSubject,
      text: paragraphs(
        ...security[kind].desk,
        `${site.url}/${accountId ? `accounts/${accountId}` : 'security-events'}`,
      ),
    }),
  }) satisfies Mail<AboutAccount, AboutAccount>

export const securityMailKinds = {
  'guessed-at': warning('guessedAt'),
  'guessed-at-desk': warningToDesk('guessedAt'),
  'password-known': warning('passwordKnown'),
  'password-known-desk': warningToDesk('passwordKnown'),
  'factor-parked': warning('factorParked'),
  'factor-parked-desk': warningToDesk('factorParked'),
  'password-parked': warning('passwordParked'),
  'password-parked-desk': warningToDesk('passwordParked'),
  'security-alert': {
    about: ABOUT,
    facts: async ({ mail }) => mail.data,
    text: ({ alert }, { site }, { security }) => ({
      subject: security.alertSubject(site.name, security.alerts[alert].subject),
      text: paragraphs(security.alerts[alert].text, security.see(`${site.url}/security-events`)),
    }),
  } satisfies Mail<{ alert: AlertKind }, { alert: AlertKind }>,
}
