import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'

type Account = { username: string; password: string }
type Provider = { realm: string; client: string; redirectUri: string }
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
  const provider = { realm, client: 'gatehouse-web', redirectUri: `${origin}/signin-callback` }
  const session = sessionOf(account)
  const { user } = await requestTokens(account, provider, session.cookies)
  await page.context().addCookies(
    SESSION_COOKIES.flatMap((name) => {
      const value = session.cookies.get(name)
      return value ? [{ name, value, domain: 'localhost', path: '/realms/gatehouse/' }] : []
    }),
  )
  // Any small file of the origin gives access to its session storage.
  await page.goto(`${origin}/robots.txt`)
  await page.evaluate(([key, value]) => sessionStorage.setItem(key, value), [
    `oidc.user:${realm}:${provider.client}`,
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
  { realm, client, redirectUri }: Provider,
  cookies: Cookies,
) {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: client,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'ticket',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  let response = await send(`${realm}/protocol/openid-connect/auth?${query}`, cookies)
  if (response.status === 200) {
    const form = /action="([^"]+login-actions[^"]+)"/.exec(await response.text())?.[1] ?? ''
    const body = new URLSearchParams({ username, password, credentialId: '' })
    response = await send(form.replaceAll('&amp;', '&'), cookies, { method: 'POST', body })
  }
  const location = response.headers.get('location')
  const code = location ? new URL(location).searchParams.get('code') : null
  if (!code) throw new Error(`${username} got no code: ${response.status} ${location}`)
  const token = await fetch(`${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client,
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
    }),
  })
  const tokens = (await token.json()) as Record<string, string | number>
  if (!token.ok) throw new Error(`${username} got no token: ${JSON.stringify(tokens)}`)
  const claims = String(tokens['id_token']).split('.')[1] ?? ''
  const profile = JSON.parse(Buffer.from(claims, 'base64url').toString()) as object
  const expiresAt = Math.floor(Date.now() / 1000) + Number(tokens['expires_in'])
  return { user: { ...tokens, profile, expires_at: expiresAt } }
}

async function send(url: string, cookies: Cookies, init: RequestInit = {}) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } })
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    cookies.set(name, value)
  }
  return response
}
