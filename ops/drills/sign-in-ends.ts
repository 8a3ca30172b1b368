import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { credentialsOf, openPage, type Victim } from './kit/identity/left-open.ts'
import { launchBrowser, type Token } from './kit/identity/sign-in.ts'
import type { IdentityStack } from './kit/identity/stack.ts'
import { newApp } from './kit/identity/totp.ts'

const NEW_PASSWORD = 'the right person chose this 5'
/** Less than a token's five minutes and a fresh sign-in's ten. */
const OWNER_TOKEN_MS = 200_000
const TRIES_MAX = 6

/** An account whose sessions are to be ended, and the token of the thief's session. */
export type Target = Victim & {
  id: string
  email: string
  address: string
  token: Token
  /** The owner's session, which must continue. */
  home: { browser: ReturnType<typeof launchBrowser>; token: Token } | null
}

type Person = { username: string; password: string }
type Scene = { stack: IdentityStack; base: string; owner: Person }
type Way = (target: Target) => Promise<unknown>

export const WAYS = [
  'signed out by an owner',
  'signed out by oneself',
  'device signed out',
  'others signed out',
  'own password',
  'password set in the console',
  'disabled',
  'demoted',
  'factor removed',
] as const
export type SessionEndName = (typeof WAYS)[number]

export function buildSessionEnds({ stack, base, owner }: Scene): Record<SessionEndName, Way> {
  const asOwner = openOwner(stack, owner)

  async function call(token: string, path: string, { method = 'POST', body }: Asked = {}) {
    for (let tries = 1; ; tries++) {
      const response = await fetch(`${base}/api/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      if (response.ok) return response
      // Retries: a busy machine may return 503.
      if (response.status !== 503 || tries === TRIES_MAX)
        throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
      await setTimeout(tries * 1_000)
    }
  }

  const ask = async (target: Target, asked: (id: string) => [path: string, asked?: Asked]) => {
    const [path, rest] = asked(await accountOf(stack, target.id))
    await call(await asOwner(), path, rest)
  }
  return {
    'signed out by an owner': (target) => ask(target, (id) => [`people/${id}/sign-out`]),
    'signed out by oneself': async ({ token, address }) => {
      await stack.at(address).visit(`${stack.settings.issuer}/protocol/openid-connect/logout`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          client_id: 'gatehouse-web',
          refresh_token: token.refresh_token ?? '',
        }).toString(),
      })
    },
    'device signed out': async (target) => {
      const token = await tokenAtHome(target)
      const listed = await call(token, 'me/sessions', { method: 'GET' })
      const { items } = (await listed.json()) as { items: { id: string; isThis: boolean }[] }
      for (const { id } of items.filter(({ isThis }) => !isThis))
        await call(token, `me/sessions/${id}/sign-out`)
    },
    'others signed out': async (target) =>
      call(await tokenAtHome(target), 'me/sessions/sign-out-others'),
    'own password': async (target) => {
      if (!target.home) return
      const { browser } = target.home
      const page = await openPage(browser, 'password', target)
      // Keycloak's "sign out from other devices" is not ticked.
      const fields = { 'password-new': NEW_PASSWORD, 'password-confirm': NEW_PASSWORD }
      const app = target.app ?? undefined
      const { token } = await browser.end(await browser.submit(page, fields), app)
      if (!token.access_token) throw new Error(`${target.username} can't change the password`)
      target.home.token = token
      target.password = NEW_PASSWORD
    },
    'password set in the console': async (target) => {
      await stack.api.change('', 'PUT', `/users/${target.id}/reset-password`, {
        type: 'password',
        value: NEW_PASSWORD,
        temporary: false,
      })
      target.password = NEW_PASSWORD
    },
    disabled: (target) =>
      ask(target, (id) => [`people/${id}`, { method: 'PUT', body: { enabled: false } }]),
    demoted: (target) =>
      ask(target, (id) => [`people/${id}`, { method: 'PUT', body: { level: 'none' } }]),
    'factor removed': (target) => ask(target, (id) => [`accounts/${id}/forgetfactors`]),
  }
}

type Asked = { method?: string; body?: object }

/** Reads one account: a list would query the provider for each of them. */
async function accountOf({ settings }: IdentityStack, sub: string) {
  const client = new pg.Client({ connectionString: settings.databaseUrl('gatehouse_app') })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from accounts where sub = $1', [
    sub,
  ])
  await client.end()
  return rows[0]?.id ?? ''
}

/** Actions of the owner, in another session. */
export const isOwnAction = (way: SessionEndName) => /^(device|others|own )/.test(way)

export async function signInAtHome(stack: IdentityStack, target: Target) {
  const browser = launchBrowser(stack.at(target.address.replace(/^127\.1\./, '127.2.')))
  const form = await browser.submit(await browser.begin(), credentialsOf(target))
  const { token } = await browser.end(form)
  if (!token.access_token) throw new Error(`${target.username} can't sign in at home`)
  return { browser, token }
}

/** Refreshes the token: setting up a second factor has revoked earlier ones. */
async function tokenAtHome({ home }: Target) {
  if (home) home.token = await home.browser.refresh(home.token)
  return home?.token.access_token ?? ''
}

/** Signs in again when the token or its fresh sign-in is about to expire. */
function openOwner(stack: IdentityStack, person: Person) {
  const app = newApp()
  let known: Promise<{ text: string; until: number }> | null = null
  const signIn = async () => {
    const browser = launchBrowser(stack.at('127.0.0.80'))
    let { token } = await browser.end(await browser.submit(await browser.begin(), person), app)
    let page = await browser.begin({ acr_values: 'fresh' })
    if (page.body.includes('name="password"')) page = await browser.submit(page, person)
    token = (await browser.end(page, app)).token
    if (!token.access_token) throw new Error('The owner can’t sign in')
    // Waits until the second of the set-up is over.
    await setTimeout(5_000)
    return { text: token.access_token, until: Date.now() + OWNER_TOKEN_MS }
  }
  return async () => {
    if (!known || (await known).until < Date.now()) known = signIn()
    return (await known).text
  }
}
