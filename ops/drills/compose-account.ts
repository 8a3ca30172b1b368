import { setTimeout } from 'node:timers/promises'
import type { Deployed } from './compose-requests.ts'
import { launchBrowser, signIn } from './kit/identity/sign-in.ts'
import { newApp } from './kit/identity/totp.ts'
import type { Result } from './kit/results.ts'

const PASSWORD = 'a-password-of-her-own'
/** Authenticator app; the invitation sets it up. */
const APP = newApp()
const MAIL_TIMEOUT_MS = 30_000
const LINK = /https:\/\/\S+\/login-actions\/action-token\S+/
export const TICKET = {
  fullName: 'Erin',
  email: 'erin@gatehouse.test',
  subject: 'Kept',
  message: 'Hello',
}

/** The first owner follows the invitation, sets up the second factor and signs in from outside. */
export async function asOwner(deployed: Deployed): Promise<Result[]> {
  const { visit, site, identity, answers } = deployed
  const link = await invitation(deployed)
  const browser = launchBrowser({ visit, issuer: `${identity}/realms/gatehouse`, site })
  const welcome = await browser.go(link)
  const proceed = /href="([^"]*action-token[^"]*)"/
    .exec(welcome.body)?.[1]
    ?.replaceAll('&amp;', '&')
  const form = await browser.go(new URL(proceed ?? link, identity).href)
  const chosen = await browser.submit(form, {
    'password-new': PASSWORD,
    'password-confirm': PASSWORD,
  })
  await browser.end(chosen, APP)
  const unknown = await visit(`${site}/api/me`)
  const token = await tokenOf(deployed)
  const me = await visit(`${site}/api/me`, { headers: bearer(token) })
  const ticket = await visit(`${site}/api/tickets`, {
    method: 'POST',
    headers: { ...bearer(token), 'content-type': 'application/json' },
    body: JSON.stringify(TICKET),
  })
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
    {
      title: 'an owner’s page is served',
      isRight: people.status === 200,
      figure: String(people.status),
    },
  ]
}

async function invitation({ relay, answers }: Deployed) {
  const deadline = Date.now() + MAIL_TIMEOUT_MS
  while (Date.now() < deadline) {
    for (const { to, text } of relay.mails) {
      const link = LINK.exec(text)?.[0]
      if (link && to.includes(answers['OWNER_EMAIL'] ?? '')) return link
    }
    await setTimeout(300)
  }
  throw new Error(
    `No invitation: ${relay.mails.map(({ subject }) => subject).join(', ') || 'no email at all'}`,
  )
}

export const tokenOf = ({ visit, identity, site, answers }: Deployed) =>
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
