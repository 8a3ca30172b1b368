import type { Page } from '@playwright/test'
import {
  type PageErrors,
  expect,
  collectCspViolations,
  signInAndOpen,
  PUBLIC_PAGES,
  saveButton,
  test,
} from './kit.ts'
import { expectAccessible } from './axe-check.ts'

test.setTimeout(300_000)

/** Each in light and dark; 200 % zoom halves the viewport. */
const SCREENS = [
  { name: '1440 wide', width: 1440, zoom: 1 },
  { name: '390 wide', width: 390, zoom: 1 },
  { name: '1440 wide at 200 %', width: 1440, zoom: 2 },
  { name: '390 wide at 200 %', width: 390, zoom: 2 },
] as const

for (const { name, width, zoom } of SCREENS) {
  const viewport = { width: width / zoom, height: 900 / zoom }

  test.describe(name, () => {
    test.use({
      viewport,
      deviceScaleFactor: zoom,
      contextOptions: { reducedMotion: 'reduce' },
    })

    test(`every public page: axe finds nothing with the cookie dialog open and gone, nothing scrolls sideways, the console stays empty (${name})`, async ({
      page,
      complaints,
    }) => {
      await page.addInitScript(collectCspViolations)
      for (const path of PUBLIC_PAGES) {
        await open(page, path)
        await expectAccessible(page, path)
        await page.getByRole('button', { name: 'Cookie settings' }).last().click()
        await expect(page.getByRole('dialog', { name: 'Your Privacy Choices' })).toBeVisible()
        await expectAccessible(page, `${path} with the dialog`)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toBeHidden()
        await expectCalm(page, path, complaints)
      }
    })

    // Public pages in all four setups, record pages in two.
    if (zoom > 1) return
    test(`every record page: axe finds nothing (${name})`, async ({ page, admin }) => {
      // Signs in at a width that shows the button, then resizes.
      await page.setViewportSize({ width: 1440, height: 900 })
      await signInAndOpen(page, admin)
      await page.setViewportSize(viewport)
      for (const path of [
        '/desk',
        '/system',
        '/people',
        '/security-events',
        '/changes',
        '/sessions',
        '/requests',
        '/incidents',
        '/incidents/create',
        '/services/create',
        '/privacyrequests',
      ])
        await open(page, path).then(() => expectAccessible(page, path))
      await open(page, '/desk')
      await page.locator('.queue a').first().click()
      await expect(page.locator('.timeline')).toBeVisible()
      await expectAccessible(page, 'a request')
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
        await open(page, path).then(() => expectAccessible(page, path))
    })
  })
}

async function open(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

async function expectCalm(page: Page, path: string, complaints: PageErrors) {
  expect(await page.evaluate(() => Reflect.get(window, 'breaches')), path).toEqual([])
  expect(complaints, path).toEqual([])
}

test('the keyboard alone reaches the contact form from the landing page and fills it in', async ({
  page,
}) => {
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
    '+353 20 910 0101',
    'Tuesday at ten',
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

test('every focused element has the design’s focus ring, not the browser’s', async ({ page }) => {
  for (const path of ['/', '/contact', '/privacy', '/login']) {
    await open(page, path)
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press('Tab')
      const { name, ring } = await page.evaluate(ringOfFocused)
      // After the last link the focus leaves the page.
      if (name !== 'BODY') expect(ring, `${path}: ${name}`).toBe('2px solid')
    }
  }
})

function ringOfFocused() {
  const focused = document.activeElement ?? document.body
  // A radio's outline is drawn on its label.
  const { outlineWidth, outlineStyle } = getComputedStyle(focused.closest('.seg label') ?? focused)
  const name = focused === document.body ? 'BODY' : focused.outerHTML.slice(0, 120)
  return { name, ring: `${outlineWidth} ${outlineStyle}` }
}

async function tabTo(page: Page, name: string) {
  const link = page.getByRole('link', { name }).first()
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    if (await link.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`${name} not reached with Tab`)
}

test('a record page works with the keyboard alone', async ({ page, admin }) => {
  await signInAndOpen(page, admin)
  await page.goto('/organisations/create')
  await page.locator('#field-name').focus()
  await page.keyboard.type('Keyboard Works')
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    if (await saveButton(page).evaluate((button) => button === document.activeElement)) break
  }
  await page.keyboard.press('Enter')
  await expect(page.getByText('Organisation (Keyboard Works) created Successfully')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Organisations' })).toBeFocused()
})
