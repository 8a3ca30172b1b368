import type { Page } from '@playwright/test'
import {
  expect,
  fillKeycloak,
  collectCspViolations,
  mailsTo,
  openAndSignIn,
  SITE,
  test,
} from './kit.ts'
import {
  address,
  delayModules,
  expectContact,
  expectReceived,
  fillContact,
  fillInquiry,
  PERSON,
  watchAddresses,
} from './form-leaks.ts'
import { expectAccessibleNow } from './axe-check.ts'

test('[PRIV-04] a privacy request typed and sent before the app runs is stored once', async ({
  page,
  complaints,
}) => {
  await page.addInitScript(collectCspViolations)
  const expectNoLeak = watchAddresses(page)
  const email = address()
  const posts: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(request.headers()['content-type'] ?? '')
  })
  const releaseModules = await delayModules(page)
  await page.goto('/privacy', { waitUntil: 'commit' })
  await fillInquiry(page, email)
  const send = page.getByRole('button', { name: 'Send request' })
  await send.dblclick()
  await expect(send).toHaveAttribute('aria-busy', 'true')
  expect(posts).toEqual([])
  releaseModules()
  await expect(page.locator('.toast-message')).toHaveText([
    /^We’ve received your request PR-\S+\.$/,
  ])
  await expect(page).toHaveURL('/privacy')
  await expect(send).not.toHaveAttribute('aria-busy')
  await expect(page.locator('#inquiry').getByLabel('Message')).toHaveValue('')
  expect(posts).toEqual(['application/json'])
  await expect.poll(() => mailsTo(email), { timeout: 30_000 }).toHaveLength(1)
  expectNoLeak()
  expect(complaints).toEqual([])
  expect(await page.evaluate(() => Reflect.get(window, 'breaches'))).toEqual([])
})

for (const path of ['/contact', '/contact?subject=Backups'])
  test(`[CONTACT-03] ${path}: a message typed and sent before the app runs is kept until the visitor signs in`, async ({
    page,
    user,
  }) => {
    const expectNoLeak = watchAddresses(page)
    const releaseModules = await delayModules(page)
    await page.goto(path, { waitUntil: 'commit' })
    await fillContact(page)
    // Enter in a field submits too.
    await page.getByLabel('Subject').press('Enter')
    releaseModules()
    const dialog = page.getByRole('dialog', { name: 'Authentication Required' })
    await expect(dialog).toBeVisible()
    await expectContact(page)
    await dialog.getByRole('button', { name: 'Sign In' }).click()
    await fillKeycloak(page, user)
    await expect(page).toHaveURL('/contact')
    await expectContact(page)
    expectNoLeak()
  })

test('a link clicked before the app runs keeps the form’s input', async ({ page }) => {
  await page.goto('/contact')
  await expect(page.locator('html')).toHaveAttribute('data-app', 'document')
  const releaseModules = await delayModules(page)
  const subject = page.getByRole('textbox', { name: /Subject/ })
  await subject.fill('Still here')
  const loads = watchLoads(page)
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link', { name: 'Security' }).click()
  await expect(page.locator('#app-status')).toHaveText('Loading app...')
  releaseModules()
  await expect(page.getByRole('heading', { level: 1, name: /security/i })).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Contact' }).first().click()
  await expect(subject).toHaveValue('Still here')
  expect(loads).toEqual([])
})

test('an empty contact form sent before the app runs is validated, not sent', async ({ page }) => {
  const releaseModules = await delayModules(page)
  await page.goto('/contact', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Send message' }).click()
  releaseModules()
  await expect(page.getByText('Full name is required.')).toBeVisible()
  await expect(page.getByText('Message is required.')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('text typed while the app starts is kept, even over an older draft', async ({ page }) => {
  await page.addInitScript(() =>
    sessionStorage.setItem(
      'contactDraft:',
      JSON.stringify({ subject: 'From the draft', message: 'From the draft' }),
    ),
  )
  const releaseModules = await delayModules(page)
  await page.goto('/contact', { waitUntil: 'commit' })
  const message = page.getByLabel('Message', { exact: true })
  await message.focus()
  const text = 'typed while the scripts arrive, one key after the other, and on and on'
  const typing = page.keyboard.type(text, { delay: 25 })
  setTimeout(releaseModules, 500)
  await typing
  await expect(page.getByLabel('Subject')).toHaveValue('From the draft')
  await expect(message).toHaveValue(text)
})

for (const action of [
  'typed before the scripts arrived',
  'typed after the scripts arrived, into a field that had the focus',
])
  test(`text ${action} is stored as a draft without a further click, and is there after a reload`, async ({
    page,
  }) => {
    const releaseModules = await delayModules(page)
    await page.goto('/contact', { waitUntil: 'commit' })
    const message = page.getByLabel('Message', { exact: true })
    await message.focus()
    const isEarly = action === 'typed before the scripts arrived'
    if (isEarly) await page.keyboard.type('typed early')
    releaseModules()
    await expect(page.locator('html')).not.toHaveAttribute('data-app', 'loading')
    if (!isEarly) await page.keyboard.type('typed early')
    await expect
      .poll(() => page.evaluate(() => sessionStorage.getItem('contactDraft:')))
      .toContain('typed early')
    await page.reload()
    await expect(message).toHaveValue('typed early')
  })

test('text typed while the account loads is kept, on a slow processor', async ({ page, user }) => {
  await openAndSignIn(page, user)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await page.goto('/contact', { waitUntil: 'commit' })
  await page.getByLabel('Subject').fill(PERSON.subject)
  await expect(page.getByRole('banner').getByRole('button', { name: 'Logout' })).toBeVisible()
  await expect(page.getByLabel('Subject')).toHaveValue(PERSON.subject)
  await page.goto('/privacy', { waitUntil: 'commit' })
  await fillInquiry(page, address())
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(page.locator('#inquiry')).toContainText('We’ve received your request')
})

test('the app keeps input that the browser restores after Back', async ({ page }) => {
  await page.goto('/privacy')
  await fillInquiry(page, 'nora.quill@example.test')
  await page.goto('/security')
  await page.goBack()
  await expect(page.locator('#inquiry').getByLabel('Message')).toHaveValue(PERSON.message)
  await page.getByRole('button', { name: /^Theme:/ }).click()
  await expect(page.locator('#inquiry').getByLabel('Message')).toHaveValue(PERSON.message)
})

test('Login clicked before the app runs redirects to the identity provider once', async ({
  page,
}) => {
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/openid-connect/auth?')) requests.push(request.url())
  })
  const releaseModules = await delayModules(page)
  await page.goto('/security', { waitUntil: 'commit' })
  const login = page.getByRole('banner').getByRole('button', { name: 'Login' })
  await login.click()
  await login.click()
  releaseModules()
  await expect(page.locator('#kc-login')).toBeVisible()
  expect(requests).toHaveLength(1)
  expect(requests[0]).toContain('returnUrl%3D%252Fsecurity')
})

test('[NAV-04] a signed-in user sees Loading instead of Login before the app runs', async ({
  page,
  user,
}) => {
  await openAndSignIn(page, user)
  const releaseModules = await delayModules(page)
  await page.goto('/', { waitUntil: 'commit' })
  const banner = page.getByRole('banner')
  await expect(banner.getByText('Loading', { exact: true }).first()).toBeVisible()
  await expect(banner.getByRole('button', { name: 'Login' })).toHaveCount(0)
  releaseModules()
  await expect(banner.getByRole('button', { name: 'Logout' })).toBeVisible()
  await expect(banner.getByText('Loading', { exact: true })).toHaveCount(0)
  expect(page.url()).toBe(`${SITE}/`)
})

for (const path of ['/', '/?utm_source=mail'])
  test(`${path}: the phone menu and the theme react to clicks before the app runs`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.addInitScript(() => {
      if (!localStorage.getItem('themeMode')) localStorage.setItem('themeMode', 'light')
    })
    const releaseModules = await delayModules(page)
    await page.goto(path, { waitUntil: 'commit' })
    await page.getByRole('button', { name: /^Theme:/ }).click()
    await page.getByRole('button', { name: 'Menu' }).press('Enter')
    releaseModules()
    await expect(page.getByRole('navigation', { name: 'Menu' })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-bs-theme', 'dark')
    expect(await page.evaluate(() => localStorage.getItem('themeMode'))).toBe('dark')
  })

test.describe('when the app can’t be loaded', () => {
  test.beforeEach(({ page }) => page.route('**/static/*.js', (route) => route.abort()))

  test('[PRIV-04] the Privacy Inquiry Form is sent even if the app can’t be loaded', async ({
    page,
  }) => {
    const expectNoLeak = watchAddresses(page)
    const email = address()
    await page.goto('/privacy')
    await fillInquiry(page, email)
    await page.getByRole('button', { name: 'Send request' }).click()
    await expectReceived(page)
    await expect.poll(() => mailsTo(email), { timeout: 30_000 }).toHaveLength(1)
    expectNoLeak()
  })

  for (const [width, colorScheme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)
    test(`every result page of a form passes axe at ${width}, ${colorScheme}`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      for (const path of ['/contact', '/privacy', '/privacy/received']) {
        await page.goto(path)
        await expectAccessibleNow(page, path)
      }
      await page.goto('/privacy')
      await page.getByRole('button', { name: 'Send request' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Request not sent')
      await expect(page.locator('html')).toHaveAttribute('data-bs-theme', colorScheme)
      await expectAccessibleNow(page, 'the refused request')
      await page.goto('/privacy')
      await fillInquiry(page, address())
      await page.getByRole('button', { name: 'Send request' }).click()
      await expectReceived(page)
      await expectAccessibleNow(page, 'the received request')
      await page.goto('/contact')
      await page.getByRole('button', { name: 'Send message' }).click()
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Message not sent')
      await expectAccessibleNow(page, 'the message that was not sent')
    })

  test('the contact form names other ways to reach us if the app can’t be loaded', async ({
    page,
  }) => {
    const expectNoLeak = watchAddresses(page)
    await page.goto('/contact')
    await expect(page.getByRole('main').locator('.needs-scripts')).toBeVisible()
    await fillContact(page)
    await page.getByRole('button', { name: 'Send message' }).click()
    await expect(page).toHaveURL('/contact')
    expectNoLeak()
  })
})

test('[PRIV-04] the Privacy Inquiry Form is sent even if the app fails at start', async ({
  page,
}) => {
  await page.route('**/static/site-*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' }),
  )
  await page.goto('/privacy')
  await fillInquiry(page, address())
  await page.getByRole('button', { name: 'Send request' }).click()
  await expectReceived(page)
})

test('[PRIV-04] a privacy request sent early is stored even if the app then fails to load', async ({
  page,
}) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/static/*.js', async (route) => {
    await promise
    await route.abort()
  })
  const email = address()
  await page.goto('/privacy', { waitUntil: 'commit' })
  await fillInquiry(page, email)
  await page.getByRole('button', { name: 'Send request' }).click()
  resolve()
  await expectReceived(page)
})

function watchLoads(page: Page) {
  const loads: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame())
      loads.push(request.url())
  })
  return loads
}
