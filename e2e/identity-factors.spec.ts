import type { Page } from '@playwright/test'
import { expect, fillKeycloak, keycloakAdmin, SITE, test, unique, untilMail } from './kit.ts'
import {
  fillIn,
  createAccount,
  PASSWORD,
  setUpCodes,
  signInAddress,
  typePasswordAgain,
} from './identity-kit.ts'

test.setTimeout(120_000)

const nameOf = (what: string) => unique(what).replaceAll(' ', '-').toLowerCase()

/** Signs in with only the password, before any second factor is set up. */
async function signIn(page: Page, roles: string[]) {
  const person = await createAccount(nameOf('factor'), roles)
  await page.goto(signInAddress())
  await fillKeycloak(page, person)
  await stopOnSite(page)
  return person
}

/** Waits for the site and ends its app, whose silent sign-in would restart the next form at Keycloak. */
async function stopOnSite(page: Page) {
  await page.waitForURL(`${SITE}/**`)
  await page.waitForLoadState('networkidle')
  await page.goto('/robots.txt')
}

const setUpPage = (page: Page) => page.locator('#kc-totp-secret-qr-code')

for (const { who, roles, level } of [
  { who: 'a client', roles: [], level: 'fresh' },
  { who: 'a technician', roles: ['admin'], level: 'mfa' },
  { who: 'an owner', roles: ['owner'], level: 'fresh' },
])
  test(`a session cookie of ${who} can’t set up a second factor without the password`, async ({
    page,
  }) => {
    await signIn(page, roles)
    await page.goto(signInAddress({ acr_values: level }))
    await expect(page.locator('#password')).toBeVisible()
    await expect(setUpPage(page)).toBeHidden()
    await typePasswordAgain(page, 'wrong horse battery 9')
    await expect(page.locator('#input-error-password')).toBeVisible()
    await typePasswordAgain(page)
    await expect(setUpPage(page)).toBeVisible()
    // If the page is left, the cookie alone does not reopen it.
    await page.goto(signInAddress())
    await stopOnSite(page)
    await page.goto(signInAddress({ acr_values: level }))
    await expect(page.locator('#password')).toBeVisible()
  })

test('every enabled required action of Keycloak asks for authentication first', async ({
  page,
}) => {
  const { json } = await keycloakAdmin('GET', '/authentication/required-actions')
  const enabled = json.filter((action: { enabled: boolean }) => action.enabled)
  expect(enabled.length).toBeGreaterThan(8)
  for (const { alias, config } of enabled) expect(config?.max_auth_age, alias).toBe('0')

  await signIn(page, [])
  // Keycloak's max_age has a resolution of one second.
  await page.waitForTimeout(2_000)
  for (const action of ['UPDATE_PROFILE', 'UPDATE_EMAIL', 'CONFIGURE_TOTP', 'delete_credential']) {
    await page.goto(signInAddress({ kc_action: action }))
    await expect(page.locator('#password'), action).toBeVisible()
  }
})

test('setting up a second factor from the account pages asks for the password once', async ({
  page,
}) => {
  await signIn(page, [])
  await page.waitForTimeout(2_000)
  await page.goto(signInAddress({ kc_action: 'CONFIGURE_TOTP' }))
  await fillIn(page, { password: PASSWORD })
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(setUpPage(page)).toBeVisible()
})

test('the mail about a new second factor links to help for a stolen account, not to a reset', async ({
  page,
}) => {
  const { username } = await signIn(page, [])
  await page.goto(signInAddress({ acr_values: 'fresh' }))
  await typePasswordAgain(page)
  await setUpCodes(page)
  await page.waitForURL(`${SITE}/**`)
  const mail = await untilMail(`${username}@example.test`, ({ text }) =>
    text.includes('codes from a phone'),
  )
  const link = `${SITE}/security#not-me`
  expect(mail.text).toContain(`What to do if it wasn’t you:\n${link}`)
  expect(mail.html).toContain(`href="${link}"`)

  await page.goto(link)
  const section = page.locator('#not-me')
  await expect(section).toBeInViewport()
  await expect(section.getByRole('link')).toHaveAttribute('href', 'mailto:hello@gatehouse.example')
})
