import { createHash, createHmac } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, keycloakAdmin, mailsTo, REALM, SITE } from './kit.ts'
import { expectAccessibleNow } from './axe-check.ts'

const STEP_MS = 30_000
export const PASSWORD = 'correct horse battery 9'
export const WIDE = { width: 1440, height: 900 }
export const NARROW = { width: 390, height: 844 }

/** A sign-in URL of the provider; the response matches no pending sign-in, so the site shows its own login page. */
export const signInAddress = (more: Record<string, string> = {}) =>
  `${REALM}/protocol/openid-connect/auth?${new URLSearchParams({
    client_id: 'gatehouse-web',
    response_type: 'code',
    scope: 'openid',
    redirect_uri: `${SITE}/signin-callback`,
    state: 'nobody',
    nonce: 'nobody',
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })}`

/** The code of an authenticator app: RFC 6238, six digits, SHA-1. */
export function codeOf(secret: string, at = Date.now()) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = secret
    .replaceAll(/\s/g, '')
    .split('')
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP_MS)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

/** An authenticator app; a code is valid once, so tests wait for an unused one. */
export type Phone = { secret: string; used: string; recoveryCodes: string[] }
export async function submitCode(page: Page, phone: Phone) {
  while (codeOf(phone.secret) === phone.used) await page.waitForTimeout(500)
  phone.used = codeOf(phone.secret)
  await fillIn(page, { otp: phone.used })
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Sets up an authenticator app, and saves the recovery codes offered the first time. */
export async function setUpCodes(page: Page): Promise<Phone> {
  await page.locator('#mode-manual').click()
  const secret = await page.locator('#kc-totp-secret-key').innerText()
  const code = codeOf(secret)
  await fillIn(page, { totp: code, userLabel: 'My phone' })
  await page.getByRole('button', { name: 'Continue' }).click()
  return { secret, used: code, recoveryCodes: await saveRecoveryCodes(page) }
}

async function saveRecoveryCodes(page: Page) {
  await page.getByRole('heading', { level: 1, name: 'Save your recovery codes' }).waitFor()
  const codes = await page.locator('#kc-recovery-codes-list li').allInnerTexts()
  await page.getByLabel('I’ve saved these codes').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  return codes
}

/** A virtual authenticator in this page; `setOwner` sets whether user verification succeeds. */
export async function addPasskeyDevice(context: BrowserContext, page: Page) {
  const browser = await context.newCDPSession(page)
  await browser.send('WebAuthn.enable')
  const { authenticatorId } = await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  // Keycloak asks for the passkey's name in a browser dialog.
  page.on('dialog', (dialog) => void dialog.accept('My laptop'))
  return {
    setOwner: (isUserVerified: boolean) =>
      browser.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

export async function linkTo(address: string, subject: string) {
  let link = ''
  await expect
    .poll(
      async () => {
        const mail = (await mailsTo(address)).find((one) => one.subject === subject)
        link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
        return link
      },
      { timeout: 30_000 },
    )
    .not.toBe('')
  return link
}

export function linkSeconds(link: string) {
  const [, claims = ''] = (new URL(link).searchParams.get('key') ?? '').split('.')
  const { exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  return exp - iat
}

/** Keycloak asks for the password before a second factor is set up in an existing session. */
export async function typePasswordAgain(page: Page, password = PASSWORD) {
  await expect(page.getByText('Next, you set up a second step')).toBeVisible()
  await fillIn(page, { password })
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export const fillIn = async (page: Page, fields: Record<string, string>) => {
  for (const [id, value] of Object.entries(fields)) await page.locator(`#${id}`).fill(value)
}

export async function choosePassword(page: Page, password = PASSWORD) {
  await fillIn(page, { 'password-new': password, 'password-confirm': password })
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Runs in both themes, and in both sizes unless one is given. Keycloak's account app adapts to a size only on load. */
export async function forEachThemeAndSize(
  page: Page,
  name: string,
  act: (width: number, colorScheme: string) => Promise<void>,
  sizes = [WIDE, NARROW],
) {
  for (const size of sizes)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      if (name.startsWith('account')) {
        await page.reload()
        await page.getByTestId('page-heading').waitFor()
        await page.waitForTimeout(500)
      }
      await act(size.width, colorScheme)
    }
}

/** In both themes. */
export const expectAccessibleScreen = (page: Page, name: string, size: typeof WIDE) =>
  forEachThemeAndSize(
    page,
    name,
    (width, theme) => expectAccessibleNow(page, `${name}, ${width}, ${theme}`),
    [size],
  )

export async function createAccount(username: string, roles: string[]) {
  const { status } = await keycloakAdmin('POST', '/users', {
    username,
    email: `${username}@example.test`,
    emailVerified: true,
    enabled: true,
    firstName: 'Ada',
    lastName: 'Min',
    credentials: [{ type: 'password', value: PASSWORD }],
  })
  expect(status).toBe(201)
  const { json } = await keycloakAdmin('GET', `/users?username=${username}&exact=true`)
  const mapped = await Promise.all(
    roles.map(async (role) => (await keycloakAdmin('GET', `/roles/${role}`)).json),
  )
  await keycloakAdmin('POST', `/users/${json[0].id}/role-mappings/realm`, mapped)
  return { username, password: PASSWORD }
}
