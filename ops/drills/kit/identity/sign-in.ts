import { createHash, randomBytes } from 'node:crypto'
import { codeOf, type App } from './totp.ts'
import type { HttpResponse, Visitor } from '../http-clients.ts'

type Site = {
  visit: Visitor
  issuer: string
  site: string
  /** Of an earlier sign-in; filled with those the provider sets. */
  cookies?: Map<string, string>
}
type Person = { username: string; password: string }
type SignIn = Site &
  Person & {
    /** More parameters of the request: `acr_values`, `kc_action`. */
    more?: Record<string, string>
    /** An authenticator app, set up if Keycloak asks for it. */
    app?: App
  }

/** Gets a token as a browser does: sign-in form, second factor if asked for, authorisation code, PKCE. */
export async function signIn(how: SignIn) {
  const { page, token } = await trySignIn(how)
  if (!token.access_token)
    throw new Error(`The sign-in returned no token: ${JSON.stringify(token)} ${page.status}`)
  return token.access_token
}

export type Token = {
  access_token?: string
  refresh_token?: string
  id_token?: string
  expires_in?: number
  error?: string
}

/** Like `signIn`, but returns the last page without a token if the sign-in is rejected. */
export async function trySignIn({ username, password, more = {}, app, ...site }: SignIn) {
  const browser = launchBrowser(site)
  const form = await browser.begin(more)
  const first = await browser.end(await browser.submit(form, { username, password }), app)
  // Like the site: an account without a factor signs in first, then is asked to set one up.
  const isBelow = more['acr_values'] !== undefined && claimsOf(first.token).acr === 'session'
  if (!app || !isBelow) return first
  const again = await browser.begin(more)
  // For an existing session, Keycloak asks for the password before the set-up.
  const isAsked = again.body.includes('name="password"')
  return browser.end(isAsked ? await browser.submit(again, { password }) : again, app)
}

export function launchBrowser({ visit, issuer, site, cookies = new Map() }: Site) {
  const secret = randomBytes(32).toString('base64url')
  const client = { client_id: 'gatehouse-web', redirect_uri: `${site}/signin-callback` }

  /** Follows redirects among the provider's pages. */
  async function go(address: string, question: Parameters<Visitor>[1] = {}): Promise<HttpResponse> {
    const response = await visit(address, {
      ...question,
      headers: {
        ...question.headers,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    })
    for (const cookie of (response.headers['set-cookie'] as string[] | undefined) ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = String(response.headers['location'] ?? '')
    return location.startsWith(issuer) ? go(location) : response
  }

  const browser = {
    go,
    begin: (more: Record<string, string> = {}) =>
      go(
        `${issuer}/protocol/openid-connect/auth?${new URLSearchParams({
          ...client,
          response_type: 'code',
          scope: 'openid',
          code_challenge: createHash('sha256').update(secret).digest('base64url'),
          code_challenge_method: 'S256',
          ...more,
        })}`,
      ),
    /** Sends the page's first form, with its hidden fields. */
    submit: async (page: HttpResponse, fields: Record<string, string>) => {
      const [form = ''] = /<form[\s\S]*?<\/form>/.exec(page.body) ?? []
      const target = /action="([^"]+)"/.exec(form)?.[1]?.replaceAll('&amp;', '&')
      if (!target) throw new Error(`The page has no sign-in form: ${page.status}`)
      return go(target, post({ ...hiddenOf(form), ...fields }))
    },
    /** Completes the steps after the password; returns the token or the last page. */
    end: async (page: HttpResponse, app?: App): Promise<{ page: HttpResponse; token: Token }> => {
      const location = String(page.headers['location'] ?? '')
      const code = location.startsWith(site) ? new URL(location).searchParams.get('code') : null
      if (code) return { page, token: await exchange({ grant_type: 'authorization_code', code }) }
      if (app && page.body.includes('name="totpSecret"')) {
        app.secret = hiddenOf(page.body)['totpSecret'] ?? ''
        const fields = { totp: await codeOf(app), userLabel: 'drill' }
        return browser.end(await browser.submit(page, fields), app)
      }
      if (app && page.body.includes('name="generatedRecoveryAuthnCodes"'))
        return browser.end(await browser.submit(page, {}), app)
      if (app && page.body.includes('name="otp"'))
        return browser.end(await browser.submit(page, { otp: await codeOf(app) }), app)
      return { page, token: {} }
    },
    refresh: (token: Token) =>
      exchange({ grant_type: 'refresh_token', refresh_token: token.refresh_token ?? '' }),
  }

  async function exchange(fields: Record<string, string>) {
    const { body } = await visit(
      `${issuer}/protocol/openid-connect/token`,
      post({ ...client, ...fields, code_verifier: secret }),
    )
    return JSON.parse(body) as Token
  }
  return browser
}

export const claimsOf = ({ access_token: token = '' }: Token) =>
  token
    ? (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
        sub?: string
        exp?: number
        acr?: string
        role?: string
        owner?: boolean
        email_verified?: boolean
      })
    : {}

const post = (fields: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

const hiddenOf = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<input[^>]*type="hidden"[^>]*>/g)].flatMap(([input]) => {
      const name = /name="([^"]+)"/.exec(input)?.[1]
      return name ? [[name, /value="([^"]*)"/.exec(input)?.[1] ?? '']] : []
    }),
  )
