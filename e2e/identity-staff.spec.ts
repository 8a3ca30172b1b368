import type { Page } from '@playwright/test'
import { expect, fillKeycloak, mailsTo, storedUser, test, unique } from './kit.ts'
import {
  choosePassword,
  submitCode,
  fillIn,
  linkSeconds,
  linkTo,
  createAccount,
  PASSWORD,
  setUpCodes,
  typePasswordAgain,
} from './identity-kit.ts'

test.setTimeout(180_000)

const banner = (page: Page) => page.getByRole('banner')
const nameOf = (what: string) => unique(what).replaceAll(' ', '-').toLowerCase()

async function openSignIn(page: Page, path = '/') {
  await page.goto(path)
  await banner(page).getByRole('button', { name: 'Login' }).click()
}

async function expectSignedIn(page: Page) {
  await expect(banner(page).getByRole('button', { name: 'Logout' })).toBeVisible()
}

async function signOut(page: Page) {
  await banner(page).getByRole('button', { name: 'Logout' }).click()
  await expect(banner(page).getByRole('button', { name: 'Login' })).toBeVisible()
}

test('an admin without a second factor is redirected to set one up, then asked for it, and has admin rights', async ({
  page,
}) => {
  const admin = await createAccount(nameOf('ada'), ['owner'])
  await openSignIn(page)
  await fillKeycloak(page, admin)
  await typePasswordAgain(page)
  await expect(
    page.getByRole('heading', { level: 1, name: 'Set up codes on your phone' }),
  ).toBeVisible()
  await expect(page.getByRole('status')).toContainText('Your account needs a second step')
  const phone = await setUpCodes(page)
  await expectSignedIn(page)
  expect((await storedUser(page))?.profile.acr).toBe('mfa')
  await page.goto('/desk')
  await expect(page.getByRole('heading', { level: 1, name: 'Desk' })).toBeVisible()
  await page.goto('/')
  await signOut(page)

  await openSignIn(page)
  await fillKeycloak(page, admin)
  await expect(page.getByLabel('Code from your phone')).toBeVisible()
  await submitCode(page, phone)
  await expectSignedIn(page)
  expect((await storedUser(page))?.profile.acr).toBe('mfa')
})

test('an invited colleague chooses a password, sets up a second factor, works as a technician and can’t use owners’ actions', async ({
  page,
  browser,
}) => {
  const owner = await createAccount(nameOf('owner'), ['owner'])
  await openSignIn(page)
  await fillKeycloak(page, owner)
  await typePasswordAgain(page)
  const phone = await setUpCodes(page)
  await expectSignedIn(page)
  const email = `${nameOf('colleague')}@example.test`
  await page.goto('/people')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Level').selectOption('Technician')
  await page.getByRole('button', { name: 'Send invitation' }).click()
  // Inviting needs a new sign-in with a code, so that a stolen session can't invite.
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Sign in again' }).click()
  await submitCode(await opened, phone)
  await expect(page.getByText(`Invitation sent to ${email}.`)).toBeVisible()

  const context = await browser.newContext()
  await context.addInitScript(() => sessionStorage.setItem('cookieConsent', 'essential'))
  const theirs = await context.newPage()
  const invitation = await linkTo(email, 'You’re invited to join our staff')
  expect(linkSeconds(invitation)).toBe(72 * 3_600)
  expect((await mailsTo(email))[0]?.text).toContain('The link works for 3 days.')
  // Abandoned halfway, the link works again.
  await theirs.goto(invitation)
  await theirs.getByRole('link', { name: 'Continue' }).click()
  await theirs.goto(invitation)
  await theirs.getByRole('link', { name: 'Continue' }).click()
  await fillIn(theirs, { firstName: 'Tess', lastName: 'Colleague' })
  await theirs.getByRole('button', { name: 'Continue' }).click()
  await choosePassword(theirs)
  await expect(theirs.getByRole('heading', { level: 1, name: 'All done' })).toBeVisible()
  await expect(theirs.getByRole('link', { name: 'Back to the site' })).toBeVisible()
  await openSignIn(theirs)
  await fillKeycloak(theirs, { username: email, password: PASSWORD })
  await typePasswordAgain(theirs)
  await setUpCodes(theirs)
  await expectSignedIn(theirs)

  await theirs.goto('/desk')
  await expect(theirs.getByRole('heading', { level: 1, name: 'Desk' })).toBeVisible()
  await expect(theirs.getByRole('link', { name: 'People' })).toBeHidden()
  await theirs.goto('/people')
  await expect(theirs.getByRole('button', { name: 'Send invitation' })).toBeHidden()
  const { access_token: token } = await storedUser(theirs)
  const rejection = await theirs.request.post('/api/people', {
    headers: { authorization: `Bearer ${token}` },
    data: { email: `${nameOf('third')}@example.test`, level: 'owner' },
  })
  expect(rejection.status()).toBe(403)
  await context.close()
})
