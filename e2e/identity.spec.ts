import type { Page } from '@playwright/test'
import { expect, fillKeycloak, mailsTo, REALM, test, unique } from './kit.ts'
import {
  addPasskeyDevice,
  choosePassword,
  submitCode,
  fillIn,
  linkSeconds,
  linkTo,
  PASSWORD,
  setUpCodes,
} from './identity-kit.ts'

test.setTimeout(240_000)

const banner = (page: Page) => page.getByRole('banner')
const clickButton = (page: Page, name: string) => page.getByRole('button', { name }).click()

async function expectSignedIn(page: Page) {
  await expect(banner(page).getByRole('button', { name: 'Logout' })).toBeVisible()
}

async function signOut(page: Page) {
  await page.goto('/')
  await banner(page).getByRole('button', { name: 'Logout' }).click()
  await expect(banner(page).getByRole('button', { name: 'Login' })).toBeVisible()
}

async function openSignIn(page: Page) {
  await page.goto('/')
  await banner(page).getByRole('button', { name: 'Login' }).click()
  // Doesn't wait for the load: the browser may offer a passkey immediately and return.
  await page.waitForURL(`${REALM}/**`, { waitUntil: 'commit' })
}

/** Sets up a factor on the account pages, after Keycloak asks for authentication. */
async function setUp(page: Page, what: string, title: string, proof: 'password' | 'passkey') {
  await page.goto(`${REALM}/account/account-security/signing-in`)
  await clickButton(page, `Set up ${what}`)
  const heading = page.getByRole('heading', { level: 1, name: title })
  if (proof === 'password') {
    await fillIn(page, { password: PASSWORD })
    await clickButton(page, 'Sign in')
  } else {
    const passkey = page.getByText('Use a passkey')
    await passkey.or(heading).first().waitFor()
    // The browser may have offered it before the click.
    await passkey.click().catch(() => {})
  }
  await heading.waitFor()
}
const isBack = (page: Page) =>
  expect(page.getByRole('heading', { level: 1, name: 'Ways to sign in' })).toBeVisible()

const newcomer = () => {
  const username = unique('new').replaceAll(' ', '-').toLowerCase()
  return { username, email: `${username}@example.test` }
}

async function fillRegistration(page: Page, { username, email }: ReturnType<typeof newcomer>) {
  await fillIn(page, { username, email, firstName: 'Ann', lastName: 'Lee' })
  await clickButton(page, 'Register')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
}

test('a visitor registers, confirms the address, resets the password, and signs in with a passkey, a code and a recovery code', async ({
  page,
  context,
}) => {
  const person = newcomer()
  await page.goto('/login')
  await clickButton(page, 'Register')
  await fillRegistration(page, person)
  await page.goto(await shortLinkTo(person.email, 'Confirm your email address'))
  await choosePassword(page, 'another horse battery 8')
  await expectSignedIn(page)
  await signOut(page)

  await openSignIn(page)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await fillIn(page, { username: person.email })
  await clickButton(page, 'Continue')
  await expect(page.getByText('a link is on its way')).toBeVisible()
  await page.goto(await shortLinkTo(person.email, 'Choose a new password'))
  await choosePassword(page)
  await expectSignedIn(page)
  await signOut(page)
  await openSignIn(page)
  await fillKeycloak(page, { username: person.email, password: PASSWORD })
  await expectSignedIn(page)

  const device = await addPasskeyDevice(context, page)
  await setUp(page, 'Passkey', 'Set up a passkey', 'password')
  await clickButton(page, 'Set up passkey')
  await isBack(page)
  await signOut(page)
  await openSignIn(page)
  // The browser may have offered it before the click.
  await page
    .getByRole('link', { name: 'Use a passkey' })
    .click()
    .catch(() => {})
  await expectSignedIn(page)

  await setUp(page, 'Codes from your phone', 'Set up codes on your phone', 'passkey')
  const phone = await setUpCodes(page)
  await isBack(page)
  await device.setOwner(false)
  await signOut(page)

  await openSignIn(page)
  await fillKeycloak(page, { username: person.email, password: PASSWORD })
  await chooseWay(page, 'Code from your phone')
  await submitCode(page, phone)
  await expectSignedIn(page)
  await signOut(page)

  await openSignIn(page)
  await fillKeycloak(page, { username: person.email, password: PASSWORD })
  await chooseWay(page, 'Recovery code')
  await fillIn(page, { recoveryCodeInput: phone.recoveryCodes[0]?.toLowerCase() ?? '' })
  await clickButton(page, 'Sign in')
  await expectSignedIn(page)
})

/** A link that the user requested by mail: valid for 15 minutes, and says so. */
async function shortLinkTo(address: string, subject: string) {
  const link = await linkTo(address, subject)
  expect(linkSeconds(link)).toBe(900)
  const mail = (await mailsTo(address)).find((one) => one.subject === subject)
  expect(mail?.text).toContain('The link works for 15 minutes.')
  return link
}

/** Keycloak asks for the factor set up first; others are behind a link. */
async function chooseWay(page: Page, title: string) {
  await page.getByRole('link', { name: 'Use another way' }).click()
  await page.getByRole('button', { name: title }).click()
}

const typedText = () => ({
  'Full name': 'Ann Wintergreen',
  Subject: unique('Printer on fire'),
  Message: 'Smoke in the copy room since nine.',
})

async function registerFromContact(
  page: Page,
  person: ReturnType<typeof newcomer>,
  typed: Record<string, string>,
) {
  await page.goto('/contact')
  for (const [label, text] of Object.entries(typed))
    await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByLabel('Email').fill(person.email)
  await clickButton(page, 'Send message')
  await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click()
  await fillRegistration(page, person)
}

async function expectTyped(page: Page, typed: Record<string, string>) {
  await expect(page).toHaveURL(/\/contact$/, { timeout: 30_000 })
  for (const [label, text] of Object.entries(typed))
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(text)
}

test('opening the mail’s link in another tab signs in both tabs, and the first keeps its input', async ({
  page,
  context,
}) => {
  const person = newcomer()
  const typed = typedText()
  await registerFromContact(page, person, typed)
  const mail = await context.newPage()
  await mail.goto(await linkTo(person.email, 'Confirm your email address'))
  await choosePassword(mail)
  await expectSignedIn(mail)
  await expectTyped(page, typed)
  await expectSignedIn(page)
})

test('contact form input is restored after registration, and never appeared in a URL', async ({
  page,
}) => {
  const person = newcomer()
  const typed = typedText()
  const addresses: string[] = []
  page.context().on('request', (request) => addresses.push(request.url()))
  await registerFromContact(page, person, typed)
  await page.goto(await linkTo(person.email, 'Confirm your email address'))
  await choosePassword(page)
  await expectTyped(page, typed)
  await clickButton(page, 'Send message')
  await expect(page.getByText('Your message has been sent!')).toBeVisible()

  expect(addresses.length).toBeGreaterThan(10)
  const words = ['Wintergreen', 'Printer', 'Smoke', person.email]
  const leaked = addresses.flatMap((address) => {
    const plain = [address, safely(address), ...base64In(address)].join(' ')
    return words.filter((word) => plain.includes(word)).map((word) => `${word} in ${address}`)
  })
  // Keycloak's own link contains the recipient's address.
  expect(leaked.filter((one) => !one.includes('/login-actions/action-token?'))).toEqual([])
})

const safely = (address: string) => {
  try {
    return decodeURIComponent(address.replaceAll('+', ' '))
  } catch {
    return address
  }
}

/** Decoded parts of a URL that may be base64. */
const base64In = (address: string) =>
  (address.match(/[\w-]{16,}/g) ?? []).map((part) => Buffer.from(part, 'base64url').toString())
