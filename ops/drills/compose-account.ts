import { setTimeout } from 'node:timers/promises'
import { attachFile, readAttached } from './kit/attached-file.ts'
import type { ComposeEnvironment } from './compose-requests.ts'
import { launchBrowser, signIn } from './kit/identity/sign-in.ts'
import { newApp } from './kit/identity/totp.ts'
import type { Result } from './kit/results.ts'

const PASSWORD = 'a-password-of-her-own'
/** Authenticator app; the invitation sets it up. */
const APP = newApp()
/** Pages that the invitation leads through, each known by a field. */
const STEPS: [string, Record<string, string>][] = [
  ['password-new', { 'password-new': PASSWORD, 'password-confirm': PASSWORD }],
  ['firstName', { firstName: 'Erin', lastName: 'Marlow' }],
  ['password-new', { 'password-new': PASSWORD, 'password-confirm': PASSWORD }],
]
const MAIL_TIMEOUT_MS = 30_000
const LINK = /https:\/\/\S+\/login-actions\/action-token\S+/
export const TICKET = {
  fullName: 'Erin',
  email: 'erin@gatehouse.test',
  subject: 'Kept',
  message: 'Hello',
}

/** Where the owner signs in. */
export type OwnedSite = Pick<
  ComposeEnvironment,
  'visit' | 'site' | 'identity' | 'answers' | 'services'
>

/** The first owner follows the invitation, sets up the second factor and signs in from outside. */
export async function asOwner(owned: OwnedSite): Promise<Result[]> {
  const { visit, site, identity, answers } = owned
  const link = await invitation(owned)
  const browser = launchBrowser({ visit, issuer: `${identity}/realms/gatehouse`, site })
  const welcome = await browser.go(link)
  const proceed = /href="([^"]*action-token[^"]*)"/
    .exec(welcome.body)?.[1]
    ?.replaceAll('&amp;', '&')
  let page = await browser.go(new URL(proceed ?? link, identity).href)
  for (const [field, values] of STEPS)
    if (page.body.includes(`name="${field}"`)) page = await browser.submit(page, values)
  await browser.end(page, APP)
  const unknown = await visit(`${site}/api/me`)
  const token = await tokenOf(owned)
  const me = await visit(`${site}/api/me`, { headers: bearer(token) })
  const ticket = await visit(`${site}/api/tickets`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify(TICKET),
  })
  const content = 'a file of the owner'
  const sent = await attachFile({ visit, site, token }, content)
  const received = await readAttached({ visit, site, token }, sent)
  const people = await visit(`${site}/api/system`, { headers: bearer(token) })
  return [
    {
      title: 'invitation of the first owner',
      isRight: welcome.status === 200,
      figure: answers['OWNER_EMAIL'] ?? '',
    },
    {
      title: 'second factor set up',
      isRight: APP.secret !== '',
      figure: APP.secret === '' ? 'not asked for' : 'an authenticator app',
    },
    {
      title: 'rejected without a token',
      isRight: unknown.status === 401,
      figure: String(unknown.status),
    },
    { title: 'signed in from outside', isRight: me.status === 200, figure: me.body.slice(0, 200) },
    { title: 'a ticket is created', isRight: ticket.status === 201, figure: String(ticket.status) },
    { title: 'a file goes up and down', isRight: received === content, figure: received },
    {
      title: 'an owner’s page is served',
      isRight: people.status === 200,
      figure: String(people.status),
    },
  ]
}

async function invitation({ services, answers }: OwnedSite) {
  const subjects = new Set<string>()
  const deadline = Date.now() + MAIL_TIMEOUT_MS
  while (Date.now() < deadline) {
    for (const { to, text, subject } of await services.readMails()) {
      subjects.add(subject)
      const link = LINK.exec(text)?.[0]
      if (link && to.includes(answers['OWNER_EMAIL'] ?? '')) return link
    }
    await setTimeout(300)
  }
  throw new Error(`No invitation: ${[...subjects].join(', ') || 'no email at all'}`)
}

export const tokenOf = ({ visit, identity, site, answers }: OwnedSite) =>
  signIn({
    visit,
    issuer: `${identity}/realms/gatehouse`,
    site,
    username: answers['OWNER_EMAIL'] ?? '',
    password: PASSWORD,
    app: APP,
    more: { acr_values: 'mfa' },
  })

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
