import { expect, collectCspViolations, signInAndOpen, test } from './kit.ts'

test('every page complies with the strict content security policy and Trusted Types, with an empty console', async ({
  page,
  admin,
  complaints,
}) => {
  test.setTimeout(120_000)
  await page.addInitScript(collectCspViolations)
  const response = await page.goto('/')
  const policy = response?.headers()['content-security-policy'] ?? ''
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ])
    expect(policy).toContain(part)
  const check = async (path: string) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await page.evaluate(() => Reflect.get(window, 'breaches')), path).toEqual([])
  }
  for (const path of [
    '/',
    '/profile',
    '/contact',
    '/privacy',
    '/privacy/received',
    '/login',
    '/unauthorised',
    '/services',
    '/articles',
  ])
    await check(path)
  await signInAndOpen(page, admin)
  for (const path of [
    'organisations',
    'contacts',
    'services',
    'contracts',
    'tickets',
    'assets',
    'incidents',
    'articles',
  ]) {
    await check(`/${path}`)
    await check(`/${path}/create`)
  }
  await page.goto('/organisations')
  await page.getByRole('main').getByRole('link').nth(2).click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(complaints).toEqual([])
})

test('the content security policy blocks style attributes and inner HTML', async ({ page }) => {
  await page.addInitScript(collectCspViolations)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => {
    try {
      document.body.innerHTML = '<b>x</b>'
    } catch {
      // Trusted Types block it.
    }
    document.querySelector('h1')?.setAttribute('style', 'color: red')
  })
  const breaches = await page.evaluate(() => Reflect.get(window, 'breaches') as string[])
  expect(breaches.some((breach) => breach.startsWith('require-trusted-types-for'))).toBe(true)
  expect(breaches.some((breach) => breach.startsWith('style-src'))).toBe(true)
})
