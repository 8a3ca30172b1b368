import type { MailTexts, Partly } from '@gatehouse/model'
import type * as contact from '#messages/contact.ts'
import type * as cookies from '#messages/cookies.ts'
import type * as deleting from '#messages/delete.ts'
import type * as desk from '#messages/desk.ts'
import type * as detail from '#messages/detail.ts'
import type * as fields from '#messages/fields.ts'
import type * as files from '#messages/files.ts'
import type * as filter from '#messages/filter.ts'
import type * as form from '#messages/form.ts'
import type * as heads from '#messages/heads.ts'
import type * as history from '#messages/history.ts'
import type * as illustration from '#messages/illustration.ts'
import type * as list from '#messages/list.ts'
import type * as logs from '#messages/logs.ts'
import type * as login from '#messages/login.ts'
import type * as mails from '#messages/mails.ts'
import type * as markdown from '#messages/markdown.ts'
import type * as palette from '#messages/palette.ts'
import type * as people from '#messages/people.ts'
import type * as privacy from '#messages/privacy.ts'
import type * as profile from '#messages/profile.ts'
import type * as reading from '#messages/reading.ts'
import type * as record from '#messages/record.ts'
import type * as requests from '#messages/requests.ts'
import type * as security from '#messages/security.ts'
import type * as services from '#messages/services.ts'
import type * as sessions from '#messages/sessions.ts'
import type * as shell from '#messages/shell.ts'
import type * as site from '#messages/site.ts'
import type * as specifiedCookies from '#messages/specified-cookies.ts'
import type * as specifiedPages from '#messages/specified-pages.ts'
import type * as specified from '#messages/specified.ts'
import type * as stepUp from '#messages/step-up.ts'
import type * as system from '#messages/system.ts'
import type * as write from '#messages/write.ts'

/** Another language is a folder beside `en` whose files, by name, satisfy this. */
export type Messages = {
  contact: typeof contact
  cookies: typeof cookies
  delete: typeof deleting
  desk: typeof desk
  detail: typeof detail
  fields: typeof fields
  files: typeof files
  filter: typeof filter
  form: typeof form
  heads: typeof heads
  history: typeof history
  illustration: typeof illustration
  list: typeof list
  login: typeof login
  logs: typeof logs
  mails: typeof mails
  markdown: typeof markdown
  palette: typeof palette
  people: typeof people
  privacy: typeof privacy
  profile: typeof profile
  reading: typeof reading
  record: typeof record
  requests: typeof requests
  security: typeof security
  services: typeof services
  sessions: typeof sessions
  shell: typeof shell
  site: typeof site
  'specified-cookies': typeof specifiedCookies
  'specified-pages': typeof specifiedPages
  specified: typeof specified
  'step-up': typeof stepUp
  system: typeof system
  write: typeof write
}

/** What a site may say in its own words: `messages/list.ts` in its folder satisfies `Overrides['list']`. */
export type Overrides = {
  [Area in Exclude<keyof Messages, `specified${string}`>]: Partly<
    Messages[Area][keyof Messages[Area]]
  >
} & {
  /** What emails say. */
  'mail-texts': Partly<MailTexts>
}
