import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { type Complaints, expect, listenForBreaches, saveButton, signIn, test } from './kit.ts'

test.setTimeout(300_000)

const PUBLIC = [
  '/',
  '/profile',
  '/contact',
  '/privacy',
  '/msp/services',
  '/msp-services',
  '/msp/services/managed-workplace',
  '/security',
  '/login',
  '/unauthorised',
]

/** Width × theme; at 200 % zoom a window has half as many pixels of its own. */
const SCREENS = [
  { name: '1440 wide, light', width: 1440, colorScheme: 'light', zoom: 1 },
  { name: '1440 wide, dark', width: 1440, colorScheme: 'dark', zoom: 1 },
  { name: '390 wide, light', width: 390, colorScheme: 'light', zoom: 1 },
  { name: '390 wide, dark', width: 390, colorScheme: 'dark', zoom: 1 },
  { name: '1440 wide at 200 %, light', width: 1440, colorScheme: 'light', zoom: 2 },
  { name: '390 wide at 200 %, dark', width: 390, colorScheme: 'dark', zoom: 2 },
] as const

for (const { name, width, colorScheme, zoom } of SCREENS) {
  const viewport = { width: width / zoom, height: 900 / zoom }

  test.describe(name, () => {
    test.use({
      viewport,
      deviceScaleFactor: zoom,
      colorScheme,
      contextOptions: { reducedMotion: 'reduce' },
    })

    test(`every public page: axe finds nothing with the cookie dialog open and gone, nothing scrolls sideways, the console stays empty (${name})`, async ({
      page,
      complaints,
    }) => {
      await page.addInitScript(listenForBreaches)
      for (const path of PUBLIC) {
        await open(page, path)
        await look(page, path)
        await page.getByRole('button', { name: 'Cookie settings' }).last().click()
        await expect(page.getByRole('dialog', { name: 'Your Privacy Choices' })).toBeVisible()
        await look(page, `${path} with the dialog`)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toBeHidden()
        await expectCalm(page, path, complaints)
      }
    })

    // The public face is looked at in all six ways, record pages in four.
    if (zoom > 1) return
    test(`every record page: axe finds nothing (${name})`, async ({ page, admin }) => {
      // Signs in while the button is in the bar, then looks at the size that is asked for.
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto('/')
      await signIn(page, admin)
      await page.setViewportSize(viewport)
      for (const path of [
        '/desk',
        '/system',
        '/requests',
        '/incidents',
        '/incidents/create',
        '/services/create',
        '/privacyrequests',
      ])
        await open(page, path).then(() => look(page, path))
      await open(page, '/desk')
      await page.locator('.queue a').first().click()
      await expect(page.locator('.timeline')).toBeVisible()
      await look(page, 'a request')
      await open(page, '/incidents')
      const detail = (await page.locator('.c-main a').first().getAttribute('href')) ?? ''
      const id = detail.split('/').at(-1)
      for (const path of [
        detail,
        `/incidents/edit/${id}`,
        `/incidents/delete/${id}`,
        `/incidents/${id}/history`,
        '/incidents?trash=true',
        '/nothing/here',
      ])
        await open(page, path).then(() => look(page, path))
    })
  })
}

async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** WCAG 2.0 to 2.2, A and AA, and what axe calls best practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

async function look(page: Page, what: string) {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze()
  expect(
    violations.map(({ id, nodes }) => `${what} ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
  ).toEqual([])
}

async function expectCalm(page: Page, path: string, complaints: Complaints) {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(beyond, `${path} scrolls sideways`).toBeLessThanOrEqual(0)
  expect(await page.evaluate(() => Reflect.get(window, 'breaches')), path).toEqual([])
  expect(complaints, path).toEqual([])
}

test('from the landing page to a filled contact form with the keyboard alone', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await tabTo(page, 'Get in touch')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/contact$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Contact' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio', { name: 'Query' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Callback Request' })).toBeChecked()
  for (const text of [
    'Dana Whitlock',
    'dana@client.example',
    'A call',
    'Tuesday at ten, please.',
  ]) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
  }
  await expect(page.getByLabel('Message', { exact: true })).toHaveValue('Tuesday at ten, please.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Authentication Required' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Send message' })).toBeFocused()
})

/** Presses Tab until the link has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, name: string) {
  const link = page.getByRole('link', { name }).first()
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    if (await link.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`${name} can not be reached`)
}

test('a record page can be worked with the keyboard alone', async ({ page, admin }) => {
  await page.goto('/')
  await signIn(page, admin)
  await page.goto('/organisations/create')
  await page.locator('#field-name').focus()
  await page.keyboard.type('Keyboard Works')
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    if (await saveButton(page).evaluate((button) => button === document.activeElement)) break
  }
  await page.keyboard.press('Enter')
  await expect(page.getByText('Organisations (Keyboard Works) created Successfully')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Organisations' })).toBeFocused()
})
