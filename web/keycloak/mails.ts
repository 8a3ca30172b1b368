/** Keycloak’s mails, each declared once and written as text and as HTML. */
type Link = { label: string; address: string }
type Mail = { key: string; subject: string; says: (string | Link)[]; html?: string }

const link = (label: string): Link => ({ label, address: '{0}' })
/** For mails with our own template, which passes the page's URL as an argument. */
const NOT_YOU_LINK: Link = { label: 'What to do if it wasn’t you', address: '{3}' }
/** Java message format: the argument with this number is a date. */
const on = (argument: number) => `on {${argument},date,d MMMM yyyy} at {${argument},time,HH:mm z}`
/** Doesn't suggest a password reset: it requires the second factor, which may be a thief's. */
const NOT_YOU = 'If it wasn’t you, email us now.'

const MAILS: Mail[] = [
  {
    key: 'emailVerification',
    subject: 'Confirm your email address',
    says: [
      'Someone, we hope you, made an account at {2} with this address.',
      link('Confirm this address'),
      'The link works for {3}. If it wasn’t you, do nothing: the account can’t be used without this.',
    ],
  },
  {
    key: 'emailUpdateConfirmation',
    subject: 'Confirm your new email address',
    says: [
      'You asked to use {1} for your account at {2}.',
      link('Confirm this address'),
      'The link works for {3}. If it wasn’t you, do nothing: the address stays as it is.',
    ],
  },
  {
    key: 'passwordReset',
    subject: 'Choose a new password',
    says: [
      'Someone, we hope you, asked to choose a new password for your account at {2}.',
      link('Choose a new password'),
      'The link works for {3}. If it wasn’t you, do nothing: your password stays as it is.',
    ],
  },
  {
    // Sent only to invited staff.
    key: 'executeActions',
    subject: 'You’re invited to join our staff',
    says: [
      '{2} invites you to work with its records, as a member of staff. What to do: {3}. When you first sign in, you set up a second step, such as codes on your phone.',
      link('Set up your account'),
      'The link works for {4}. If it has expired, ask for a new one. If you expect nothing from us, do nothing.',
    ],
  },
  {
    key: 'eventLoginError',
    subject: 'Someone failed to sign in to your account',
    says: [
      `Someone failed to sign in to your account ${on(0)}, from {1}.`,
      'If it was you, do nothing. If not, choose a new password on the sign-in page.',
    ],
  },
  {
    key: 'eventUpdatePassword',
    subject: 'Your password was changed',
    says: [`Your password was changed ${on(0)}, from {1}.`, NOT_YOU],
  },
  {
    key: 'eventUpdateTotp',
    subject: 'Codes from a phone were set up',
    says: [`Codes from a phone were set up for your account ${on(0)}, from {1}.`, NOT_YOU],
  },
  {
    key: 'eventRemoveTotp',
    subject: 'Codes from a phone were removed',
    says: [`Codes from a phone were removed from your account ${on(0)}, from {1}.`, NOT_YOU],
  },
  {
    key: 'eventUpdateCredential',
    subject: 'A way to sign in was changed',
    says: [
      `A way to sign in to your account was set up or changed ${on(1)}, from {2}: {0}.`,
      NOT_YOU_LINK,
    ],
  },
  {
    key: 'eventRemoveCredential',
    subject: 'A way to sign in was removed',
    says: [`A way to sign in was removed from your account ${on(1)}, from {2}: {0}.`, NOT_YOU_LINK],
  },
  {
    key: 'eventUserDisabledByTemporaryLockout',
    subject: 'Someone is guessing your password',
    says: [
      `Many wrong passwords were tried for your account, last ${on(0)}. Signing in is slowed for at most five minutes; where you’re signed in, you stay so.`,
      'If it was you, wait five minutes and try again. If not, nothing was opened: with a passkey or codes from your phone, guessing is of no use.',
    ],
    html: 'Html',
  },
  {
    key: 'eventUserDisabledByPermanentLockout',
    subject: 'Your account was locked',
    says: [
      `Your account was locked after many wrong passwords, last ${on(0)}.`,
      'To have it opened, email us.',
    ],
    html: 'Html',
  },
  {
    key: 'emailTest',
    subject: 'Test of the mail settings',
    says: ['This is a test. Nothing needs to be done.'],
  },
]

/** Texts that replace Keycloak’s names of required actions and credentials. */
const KEYCLOAK_TEXTS = {
  'requiredAction.CONFIGURE_TOTP': 'set up codes on your phone',
  'requiredAction.CONFIGURE_RECOVERY_AUTHN_CODES': 'save recovery codes',
  'requiredAction.UPDATE_PASSWORD': 'choose a password',
  'requiredAction.UPDATE_PROFILE': 'check your details',
  'requiredAction.VERIFY_EMAIL': 'confirm your email address',
  'requiredAction.webauthn-register': 'set up a security key',
  'requiredAction.webauthn-register-passwordless': 'set up a passkey',
  'credential.password': 'password',
  'credential.otp': 'codes from a phone',
  'credential.webauthn': 'security key',
  'credential.webauthn-passwordless': 'passkey',
  'credential.recovery-authn-codes': 'recovery codes',
  'credential.other': 'another way',
}

export function mailMessages(mail: string) {
  const foot = `We never ask for your password by email or phone. Questions? Email`
  return [
    ...MAILS.flatMap(({ key, subject, says, html = 'BodyHtml' }) => [
      `${key}Subject=${subject}`,
      `${key}Body=${[...says.map(asText), `${foot} ${mail}`].join(String.raw`\n\n`)}`,
      `${key}${html}=${says.map(asHtml).join('')}`,
    ]),
    ...Object.entries({ ...KEYCLOAK_TEXTS, ghFoot: foot, ghOrCall: 'or call' }).map(
      ([key, text]) => `${key}=${text}`,
    ),
    '',
  ].join('\n')
}

const asText = (part: string | Link) =>
  typeof part === 'string' ? part : String.raw`${part.label}:\n${part.address}`
const asHtml = (part: string | Link) =>
  `<p>${typeof part === 'string' ? part : `<a href="${part.address}">${part.label}</a>`}</p>`
