import { openingLines, telLink } from '@gatehouse/model'
import {
  call,
  config,
  expect,
  openAndSignIn,
  REALM,
  signInAndOpen,
  test,
  unique,
  untilMail,
} from './kit.ts'

// The sample's details; e2e/second-site.spec.ts has a site without them.
const { phone = '', emergency, hours = {} } = config.site
const LINES = openingLines(hours, config.site.locale)
const PHONE = telLink(phone)
const EMERGENCY = telLink(emergency?.phone ?? '')

test.setTimeout(120_000)

const addressOf = (name: string) => `${name}-${crypto.randomUUID()}@example.test`

test('the header shows the phone from 992 px and its icon below, with the same name', async ({
  page,
}) => {
  for (const [width, isText] of [
    [1440, true],
    [992, true],
    [991, false],
    [390, false],
    [320, false],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/')
    const link = page.getByRole('banner').getByRole('link', { name: `Call ${phone}` })
    await expect(link).toHaveAttribute('href', PHONE)
    await expect(link.getByText(phone)).toBeVisible({ visible: isText })
    const box = await link.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `at ${width}`).toBeLessThanOrEqual(0)
  }
})

test('footer and contact page have phone, email address, hours; the footer also the emergency number', async ({
  page,
}) => {
  await page.goto('/contact')
  const footer = page.getByRole('contentinfo')
  await expect(footer.locator('a[href^="tel:"]')).toHaveCount(2)
  await expect(footer.getByRole('link', { name: phone, exact: true })).toHaveAttribute(
    'href',
    PHONE,
  )
  await expect(footer.getByRole('link', { name: emergency?.phone ?? '' })).toHaveAttribute(
    'href',
    EMERGENCY,
  )
  await expect(footer).toContainText(emergency?.note ?? '')
  const aside = page.getByRole('complementary')
  await expect(aside.getByRole('link', { name: phone, exact: true })).toHaveAttribute('href', PHONE)
  for (const place of [footer, aside]) {
    await expect(place).toContainText(config.owner.email)
    for (const line of LINES) await expect(place).toContainText(line)
  }
})

test('the contact form shows the emergency number for a Client Report only', async ({ page }) => {
  await page.goto('/contact')
  const note = page.locator('form .for-report')
  await expect(note).toBeHidden()
  await page.getByRole('main').locator('label', { hasText: 'Client Report' }).click()
  await expect(note).toBeVisible()
  await expect(note.getByRole('link')).toHaveAttribute('href', EMERGENCY)
  await page.getByRole('main').locator('label', { hasText: 'Query' }).click()
  await expect(note).toBeHidden()
})

test('JSON-LD of the firm has telephone and opening hours', async ({ page }) => {
  const home = await (await page.request.get('/')).text()
  const blocks = [...home.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, text = '']) => JSON.parse(text) as Record<string, unknown>,
  )
  const firm = blocks.find((one) => one['@type'] === 'ProfessionalService')
  expect(firm).toMatchObject({ telephone: phone })
  expect(firm?.['openingHoursSpecification']).toContainEqual({
    '@type': 'OpeningHoursSpecification',
    dayOfWeek: 'Monday',
    opens: '08:00',
    closes: '18:00',
  })
})

test('the sign-in page has the phone', async ({ page }) => {
  await page.goto('/contact')
  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(`${REALM}/**`)
  const link = page.getByRole('link', { name: phone, exact: true })
  await expect(link).toHaveAttribute('href', PHONE)
  await expect(link.locator('..')).toContainText(LINES.join(', '))
})

for (const [what, callback] of [
  ['with a number', { phone: '+353 20 910 0199', callbackWish: 'Tuesday after ten' }],
  ['without one', { phone: '', callbackWish: '' }],
] as const)
  test(`a callback request ${what} is sent, confirmed above the form, and mailed to the desk`, async ({
    page,
    user,
    browser,
    admin,
  }) => {
    const [subject, email] = [unique('Callback'), addressOf('callback')]
    await signInAndOpen(page, user, '/contact')
    await page.goto('/contact')
    await page.getByRole('main').locator('label', { hasText: 'Callback Request' }).click()
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByLabel(/^Phone/).fill(callback.phone)
    await page.getByLabel(/^Good time to call/).fill(callback.callbackWish)
    await page.getByLabel('Subject', { exact: true }).fill(subject)
    await page.getByLabel('Message', { exact: true }).fill('About backups.')
    await page.getByRole('button', { name: 'Send message' }).click()
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText('Your message has been sent!')
    await expect(alert).toContainText('working hours')
    await expect(alert).toBeInViewport()
    await expect(page.getByLabel('Subject', { exact: true })).toHaveValue('')
    const alertBox = await alert.boundingBox()
    const typeBox = await page.getByRole('group', { name: 'Contact type' }).boundingBox()
    expect(alertBox?.y).toBeLessThan(typeBox?.y ?? 0)

    const received = await untilMail(email, () => true)
    expect(received.text).toContain(`Phone: ${phone}\n${LINES.join('\n')}`)
    expect(received.text).not.toContain('Emergency')
    const opened = await untilMail(config.owner.email, (mail) => mail.subject.includes(subject))
    const lines = 'Phone: +353 20 910 0199\nGood time to call: Tuesday after ten\n'
    expect(opened.text.includes(lines)).toBe(callback.phone !== '')
    expect(/Phone:|Good time/.test(opened.text)).toBe(callback.phone !== '')

    const id = /\/tickets\/([\w-]+)/.exec(opened.text)?.[1] ?? ''
    const staff = await (await browser.newContext()).newPage()
    await openAndSignIn(staff, admin, `/tickets/${id}`)
    await expect(staff.getByRole('heading', { level: 1 })).toContainText(subject)
    await expect(staff.getByText('Tuesday after ten')).toHaveCount(callback.phone ? 1 : 0)
    await expect(staff.locator('a[href^="tel:"]')).toHaveCount(callback.phone ? 1 : 0)
    await staff.context().close()
  })

test('the emails of a Client Report have the emergency number', async ({ page, user }) => {
  const email = addressOf('report')
  await signInAndOpen(page, user, '/')
  await call(page, 'POST', 'tickets', {
    fullName: 'Rae',
    email,
    subject: unique('Report'),
    contactType: 'Report',
    message: 'Files are encrypted.',
  })
  const mail = await untilMail(email, () => true)
  expect(mail.text).toContain(`Emergency: ${emergency?.phone}\n${emergency?.note}`)
})
