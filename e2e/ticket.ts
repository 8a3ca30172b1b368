import type { Page } from '@playwright/test'
import { localClient } from '../ops/drills/kit/http-clients.ts'
import { launchBrowser } from '../ops/drills/kit/identity/sign-in.ts'

type Account = { username: string; password: string }
type Cookies = Map<string, string>
type Session = { cookies: Cookies; startedAt: number }

/** Younger than the age at which the site asks for the password again. */
const SESSION_MS = 120_000
/** What remains of a sign-in: Keycloak's other cookies belong to the form. */
const SESSION_COOKIES = ['AUTH_SESSION_ID', 'KEYCLOAK_IDENTITY', 'KEYCLOAK_SESSION']

/** A session per account, shared by the tests of a worker. */
const sessions = new Map<string, Session>()

/**
 * Signs in over HTTP: the code flow with the account's session at Keycloak, or with the password if it has none. Stores cookies
 * and user in the browser as the form would have left them.
 */
export async function signInByTicket(
  page: Page,
  account: Account,
  { realm, origin }: { realm: string; origin: string },
) {
  const session = sessionOf(account)
  const user = await requestTokens(account, { issuer: realm, site: origin }, session.cookies)
  await page.context().addCookies(
    SESSION_COOKIES.flatMap((name) => {
      const value = session.cookies.get(name)
      return value ? [{ name, value, domain: 'localhost', path: '/realms/gatehouse/' }] : []
    }),
  )
  // Any small file of the origin gives access to its session storage.
  await page.goto(`${origin}/robots.txt`)
  await page.evaluate(([key, value]) => sessionStorage.setItem(key, value), [
    `oidc.user:${realm}:gatehouse-web`,
    JSON.stringify(user),
  ] as const)
}

function sessionOf({ username }: Account) {
  const known = sessions.get(username)
  if (known && Date.now() - known.startedAt < SESSION_MS) return known
  const session: Session = { cookies: new Map(), startedAt: Date.now() }
  sessions.set(username, session)
  return session
}

async function requestTokens(
  { username, password }: Account,
  site: { issuer: string; site: string },
  cookies: Cookies,
) {
  const browser = launchBrowser({ visit: localClient, ...site, cookies })
  const first = await browser.begin()
  const page = first.status === 200 ? await browser.submit(first, { username, password }) : first
  const { token } = await browser.end(page)
  const { id_token: idToken, expires_in: seconds } = token
  if (!idToken || !seconds) throw new Error(`${username} got no token: ${page.status}`)
  const profile = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString())
  return { ...token, profile, expires_at: Math.floor(Date.now() / 1000) + seconds }
}
