import { countryFacts, countryOfHost, isCountry, isTimeZone } from './countries.ts'

/** By name, which is the setting's in .env where there is one. */
export type Answers = Record<string, string>

export type Question = {
  name: string
  text: string
  /** Taken if the answer is empty. Without this function, the earlier answer is. */
  suggest?: (answers: Answers, earlier: Answers) => string | undefined
  /** The answer that the suggestion is made from: while that is wrong, a missing one is no error of its own. */
  suggestedFrom?: string
  /** Decided by the answers before; default: yes. */
  isAsked?: (answers: Answers) => boolean
  isOptional?: boolean
  /** Neither the answer nor the suggestion is shown. */
  isSecret?: boolean
  /** What a right answer looks like, if this one is wrong. */
  findError: (answer: string, answers: Answers) => string | null
}

const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?'
const HOST = new RegExp(`^(?=.{4,253}$)(${LABEL}\\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$`)
const EMAIL = /^[^@\s<>",;:\\]+@[^@\s<>",;:\\]+\.[^@\s<>",;:\\]+$/
const BUCKET = /^https:\/\/[a-z0-9.-]+(:\d+)?\/[a-z0-9][a-z0-9.-]+$/
const SMTP = ['smtp:', 'smtps:']
export const TLS_MODES = ['acme', 'files', 'off']

const hostError = (answer: string) =>
  HOST.test(answer)
    ? null
    : 'It must be a host name in small letters such as portal.mine.example, without https://.'
const emailError = (answer: string) =>
  EMAIL.test(answer) ? null : 'It must be an email address such as me@mine.example.'
const emptyError = (answer: string) => (answer ? null : 'It must not be empty.')

const siteHost: Question = {
  name: 'SITE_HOST',
  text: 'Host name of the site, such as portal.mine.example',
  findError: hostError,
}

/** Asked on a server, where Keycloak may be installed or not; containers always have it. */
const provider: Question = {
  name: 'OIDC_ISSUER',
  text: 'Realm of an identity provider that you have already, such as https://id.mine.example/realms/gatehouse. Empty: Keycloak is installed here',
  isOptional: true,
  findError: (answer) =>
    urlOf(answer)?.protocol === 'https:'
      ? null
      : 'It must be an address that starts with https://.',
}

const installation: Question[] = [
  {
    name: 'IDENTITY_HOST',
    text: 'Host name of its sign-in pages, on the same machine',
    suggestedFrom: 'SITE_HOST',
    isAsked: ({ OIDC_ISSUER }) => !OIDC_ISSUER,
    suggest: ({ SITE_HOST }, earlier) =>
      SITE_HOST === earlier['SITE_HOST'] && earlier['IDENTITY_HOST']
        ? earlier['IDENTITY_HOST']
        : SITE_HOST && `id.${SITE_HOST}`,
    findError: (answer, { SITE_HOST }) =>
      answer === SITE_HOST ? 'It must differ from the site’s.' : hostError(answer),
  },
  {
    name: 'OWNER_EMAIL',
    text: 'Your email address: you become the first owner',
    findError: emailError,
  },
  {
    name: 'SMTP_URL',
    text: 'Mail relay, such as smtp://user@relay.mine.example:587; a password is asked for next. Empty: later, and until then no email is sent',
    isOptional: true,
    findError: (answer) =>
      isRelay(answer)
        ? null
        : 'It must be smtp://user@host:587 or smtps://user@host:465; in the user’s name, write @ as %40.',
  },
  {
    name: 'SMTP_PASSWORD',
    text: 'Password at the mail relay',
    isSecret: true,
    isAsked: ({ SMTP_URL = '' }) => {
      const { username, password } = urlOf(SMTP_URL) ?? {}
      return Boolean(username) && !password
    },
    suggest: ({ SMTP_URL }, earlier) =>
      SMTP_URL === earlier['SMTP_URL'] ? earlier['SMTP_PASSWORD'] : '',
    findError: emptyError,
  },
  {
    name: 'BACKUP_BUCKET',
    text: 'S3 bucket for backups, as https://endpoint/bucket. Empty: later',
    isOptional: true,
    findError: (answer) =>
      isBucket(answer) ? null : 'It must be https://, the endpoint, / and the bucket’s name.',
  },
  ...(['BACKUP_S3_KEY', 'BACKUP_S3_SECRET'] as const).map((name): Question => ({
    name,
    text: name === 'BACKUP_S3_KEY' ? 'Access key of the bucket' : 'Secret of that key',
    isSecret: true,
    isAsked: ({ BACKUP_BUCKET }) => Boolean(BACKUP_BUCKET),
    suggest: ({ BACKUP_BUCKET }, earlier) =>
      BACKUP_BUCKET === earlier['BACKUP_BUCKET'] ? earlier[name] : '',
    findError: emptyError,
  })),
  {
    name: 'TLS',
    text: 'Certificate: acme (from Let’s Encrypt, by itself), files (your own, in tls/), off (a balancer in front has it)',
    suggest: (_answers, { TLS }) => TLS || 'acme',
    findError: (answer) =>
      TLS_MODES.includes(answer) ? null : `It must be ${TLS_MODES.join(', ')}.`,
  },
]

/** Asked for site/site.json, which is never overwritten. */
const site: Question[] = [
  { name: 'SITE_NAME', text: 'Name of your business, as visitors know it', findError: emptyError },
  {
    name: 'LEGAL_NAME',
    text: 'Its legal name',
    suggestedFrom: 'SITE_NAME',
    suggest: ({ SITE_NAME }) => SITE_NAME,
    findError: emptyError,
  },
  { name: 'POSTAL_ADDRESS', text: 'Its postal address, on one line', findError: emptyError },
  {
    name: 'PRIVACY_EMAIL',
    text: 'Email address for questions about privacy',
    suggestedFrom: 'OWNER_EMAIL',
    suggest: ({ OWNER_EMAIL }) => OWNER_EMAIL,
    findError: emailError,
  },
  {
    name: 'COUNTRY',
    text: 'Its country, in two letters such as IE',
    suggest: ({ SITE_HOST = '' }) => countryOfHost(SITE_HOST),
    findError: (answer) =>
      isCountry(answer) ? null : 'It must be a code of ISO 3166 in capitals, such as IE or GB.',
  },
  {
    name: 'TIME_ZONE',
    text: 'Its time zone, such as America/Chicago',
    isAsked: ({ COUNTRY = '' }) => isCountry(COUNTRY) && !countryFacts(COUNTRY).timezone,
    suggest: localTimeZone,
    findError: (answer) =>
      isTimeZone(answer) ? null : 'It must be an IANA time zone, such as America/Chicago.',
  },
  {
    name: 'CURRENCY',
    text: 'Its currency, in three letters such as EUR',
    isAsked: ({ COUNTRY = '' }) => isCountry(COUNTRY) && !countryFacts(COUNTRY).currency,
    findError: (answer) =>
      Intl.supportedValuesOf('currency').includes(answer)
        ? null
        : 'It must be a code of ISO 4217 in capitals, such as EUR.',
  },
  ...(['AUTHORITY_NAME', 'AUTHORITY_URL'] as const).map((name): Question => ({
    name,
    text:
      name === 'AUTHORITY_NAME'
        ? 'Authority that visitors may complain to about privacy'
        : 'Its website, as https://…',
    isAsked: ({ COUNTRY = '' }) => isCountry(COUNTRY) && !countryFacts(COUNTRY).authority,
    findError: (answer) =>
      name === 'AUTHORITY_NAME' || /^https?:\/\/[^\s/]+\.[^\s/]+/.test(answer)
        ? emptyError(answer)
        : 'It must be an address that starts with https://.',
  })),
]

type Installed = { hasSite: boolean; isServer?: boolean }

export const questionsOf = ({ hasSite, isServer = false }: Installed) => [
  siteHost,
  ...(isServer ? [provider] : []),
  ...installation,
  ...(hasSite ? [] : site),
]

export const ALL_QUESTIONS = questionsOf({ hasSite: false, isServer: true })

/** The mail client decodes user and password. */
function isRelay(text: string) {
  const url = urlOf(text)
  if (!url || !SMTP.includes(url.protocol) || !url.hostname) return false
  return [url.username, url.password].every((part) => /^([^%]|%[\da-f]{2})*$/i.test(part))
}

export const isBucket = (text: string) => BUCKET.test(text)

/** Null instead of an error. */
export const urlOf = (text: string) => (URL.canParse(text) ? new URL(text) : null)

/** Of the machine, as far as a container knows it. */
function localTimeZone() {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone === 'UTC' ? '' : zone
}
