import type { Page } from '@playwright/test'
import { REALM, SITE } from './kit.ts'
import {
  addPasskeyDevice,
  choosePassword,
  codeOf,
  submitCode,
  fillIn,
  linkTo,
  PASSWORD,
  type Phone,
  setUpCodes,
  signInAddress,
} from './identity-kit.ts'

/** Called on every page of Keycloak that users see. */
type See = (page: Page, name: string) => Promise<void>

/** One user's journey through all of Keycloak's pages, errors included. */
export async function seeIdentityPages(page: Page, see: See) {
  const suffix = crypto.randomUUID().slice(0, 8)
  const person = { username: `page-${suffix}`, email: `page-${suffix}@example.test` }
  await seeSignIn(page, see)
  await seeRegistration(page, see, person)
  await seeReset(page, see, person.email)
  const phone = await seeCodes(page, see)
  const codes = await seeRecoveryCodes(page, see, phone)
  await seePasskeys(page, see, phone)
  await seeFactors(page, see, { ...person, phone, recoveryCode: codes[0] ?? '' })
  await seeAccount(page, see)
  await seeEnds(page, see)
}

const clickButton = (page: Page, name: string) => page.getByRole('button', { name }).click()

async function seeSignIn(page: Page, see: See) {
  await page.goto(signInAddress())
  await see(page, 'sign-in')
  await fillIn(page, { username: 'nobody', password: 'wrong wrong wrong' })
  await clickButton(page, 'Sign in')
  await page.locator('#input-error-username').waitFor()
  await see(page, 'sign-in-wrong')
}

async function seeRegistration(
  page: Page,
  see: See,
  { username, email }: { username: string; email: string },
) {
  await page.goto(signInAddress({ prompt: 'create' }))
  await see(page, 'register')
  await fillIn(page, { username: 'a', email: 'not-an-address' })
  await clickButton(page, 'Register')
  await page.locator('#input-error-email').waitFor()
  await see(page, 'register-errors')
  await fillIn(page, { username, email, firstName: 'Ann', lastName: 'Lee' })
  await clickButton(page, 'Register')
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await see(page, 'confirm-email')
  const link = await linkTo(email, 'Confirm your email address')
  await page.goto(link)
  await fillIn(page, { 'password-new': 'password1234', 'password-confirm': 'password12345' })
  await clickButton(page, 'Continue')
  await page.locator('#input-error-password-confirm').waitFor()
  await see(page, 'password-errors')
  await choosePassword(page)
  await page.waitForURL(`${SITE}/**`)
  await page.goto(link)
  await see(page, 'used-link')
  await page.context().clearCookies()
}

async function seeReset(page: Page, see: See, email: string) {
  await page.goto(signInAddress())
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await see(page, 'reset')
  await fillIn(page, { username: email })
  await clickButton(page, 'Continue')
  await page.getByText('a link is on its way').waitFor()
  await see(page, 'reset-sent')
  await page.goto(await linkTo(email, 'Choose a new password'))
  await page.locator('#password-new').waitFor()
  await see(page, 'new-password')
  await choosePassword(page)
  await page.waitForURL(`${SITE}/**`)
}

/** Opens a required action of the signed-in user; Keycloak may ask for the password or a code again. */
async function openAction(page: Page, see: See, action: string, phone?: Phone) {
  await page.goto(signInAddress({ kc_action: action }))
  if (!(await page.locator('#kc-attempted-username').isVisible())) return
  if (await page.locator('#password').isVisible()) {
    await see(page, 'password-again')
    await fillIn(page, { password: PASSWORD })
    await clickButton(page, 'Sign in')
  }
  if (phone && (await page.locator('#otp').isVisible())) await submitCode(page, phone)
}

async function seeCodes(page: Page, see: See) {
  await openAction(page, see, 'UPDATE_PROFILE')
  await page.getByRole('heading', { name: 'Your details' }).waitFor()
  await see(page, 'details')
  // A session started by a reset has no acr level yet: signing in with the password sets one.
  await page.goto(signInAddress({ acr_values: 'fresh' }))
  await fillIn(page, { password: PASSWORD })
  await clickButton(page, 'Sign in')
  await page.waitForURL(`${SITE}/**`)
  await page.goto(signInAddress({ acr_values: 'fresh' }))
  await page.getByText('Next, you set up a second step').waitFor()
  await see(page, 'password-before-set-up')
  await openAction(page, see, 'CONFIGURE_TOTP')
  await page.locator('#kc-totp-secret-qr-code').waitFor()
  await see(page, 'codes-set-up')
  await fillIn(page, { totp: '000000' })
  await clickButton(page, 'Continue')
  await page.locator('#input-error-otp-code').waitFor()
  await see(page, 'codes-set-up-wrong')
  const made = await setUpCodes(page)
  await page.waitForURL(`${SITE}/**`)
  return made
}

async function seeRecoveryCodes(page: Page, see: See, phone: Phone) {
  await openAction(page, see, 'CONFIGURE_RECOVERY_AUTHN_CODES', phone)
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
  await see(page, 'recovery-codes')
  const codes = await page.locator('#kc-recovery-codes-list li').allInnerTexts()
  await page.getByLabel('I’ve saved these codes').check()
  await clickButton(page, 'Continue')
  await page.waitForURL(`${SITE}/**`)
  return codes
}

async function seePasskeys(page: Page, see: See, phone: Phone) {
  const { setOwner } = await addPasskeyDevice(page.context(), page)
  await openAction(page, see, 'webauthn-register-passwordless', phone)
  await page.getByRole('heading', { name: 'Set up a passkey' }).waitFor()
  await see(page, 'passkey-set-up')
  await setOwner(false)
  await clickButton(page, 'Set up passkey')
  await page.getByRole('heading', { name: 'The passkey didn’t work' }).waitFor()
  await see(page, 'passkey-error')
  await setOwner(true)
  await clickButton(page, 'Try again')
  await clickButton(page, 'Set up passkey')
  await page.waitForURL(`${SITE}/**`)
  await setOwner(false)
  await page.context().clearCookies()
}

type Factors = { username: string; phone: Phone; recoveryCode: string }

async function seeFactors(page: Page, see: See, { username, phone, recoveryCode }: Factors) {
  await page.goto(signInAddress())
  await fillIn(page, { username, password: PASSWORD })
  await clickButton(page, 'Sign in')
  await seeWay(page, see, 'Passkey', 'passkey')
  await seeWay(page, see, 'Recovery code', 'recovery-code')
  await fillIn(page, { recoveryCodeInput: 'AAAA-AAAA-AAAA' })
  await clickButton(page, 'Sign in')
  await page.locator('#input-error-recoveryCodeInput').waitFor()
  await see(page, 'recovery-code-wrong')
  await fillIn(page, { recoveryCodeInput: recoveryCode })
  await clickButton(page, 'Sign in')
  await page.waitForURL(`${SITE}/**`)
  await page.context().clearCookies()

  await page.goto(signInAddress())
  await fillIn(page, { username, password: PASSWORD })
  await clickButton(page, 'Sign in')
  await seeWay(page, see, 'Code from your phone', 'code')
  await fillIn(page, { otp: codeOf(phone.secret, 0) })
  await clickButton(page, 'Sign in')
  await page.locator('#input-error-otp').waitFor()
  await see(page, 'code-wrong')
  await submitCode(page, phone)
  await page.waitForURL(`${SITE}/**`)
}

/** Chooses a second factor by keyboard: Keycloak's own page supports only the mouse. */
async function seeWay(page: Page, see: See, title: string, name: string) {
  await page.getByRole('link', { name: 'Use another way' }).click()
  await page.getByRole('heading', { name: 'How do you want to confirm it’s you?' }).waitFor()
  if (name === 'passkey') await see(page, 'ways')
  await page.getByRole('button', { name: title }).focus()
  await page.keyboard.press('Enter')
  await page.locator('.gh-ways[role=list] [role=button]').first().waitFor({ state: 'detached' })
  await see(page, name)
}

async function seeAccount(page: Page, see: See) {
  for (const [name, path, content] of [
    ['account', '', 'First name'],
    ['account-ways', 'account-security/signing-in', 'My laptop'],
    ['account-devices', 'account-security/device-activity', 'Current session'],
  ] as const) {
    await page.goto(`${REALM}/account/${path}`)
    await page.getByText(content).first().waitFor()
    await see(page, name)
  }
}

async function seeEnds(page: Page, see: See) {
  await page.goto(`${REALM}/protocol/openid-connect/logout`)
  await see(page, 'sign-out')
  await clickButton(page, 'Sign out')
  await page.getByRole('heading', { name: 'You’re signed out' }).waitFor()
  await see(page, 'signed-out')
  await page.goto(signInAddress({ client_id: 'nobody' }))
  await see(page, 'error')
}
