import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, signIn, test } from './kit.ts'

test.setTimeout(180_000)

const SCREENS = [
  { name: 'wide and light', width: 1440, colorScheme: 'light' },
  { name: 'narrow and dark', width: 390, colorScheme: 'dark' },
] as const

for (const { name, width, colorScheme } of SCREENS)
  test(`axe finds nothing on any screen, ${name}`, async ({ page, admin }) => {
    // Sign in while the button is in the bar, then look at the size that is asked for.
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const path of ['/login', '/unauthorised', '/nothing/here', '/services'])
      await look(page, path)
    await page.goto('/')
    await signIn(page, admin)
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/incidents', '/incidents/create', '/services/create', '/contacts/create'])
      await look(page, path)
    await page.goto('/incidents')
    const detail = (await page.locator('.c-main a').first().getAttribute('href')) ?? ''
    const id = detail.split('/').at(-1)
    for (const path of [detail, `/incidents/edit/${id}`, `/incidents/delete/${id}`])
      await look(page, path)
  })

async function look(page: Page, path: string) {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(
    violations.map(({ id, nodes }) => `${path} ${id}: ${nodes.map(({ html }) => html).join(' ')}`),
  ).toEqual([])
}

test('a record page can be worked with the keyboard alone', async ({ page, admin }) => {
  await page.goto('/')
  await signIn(page, admin)
  await page.goto('/organisations/create')
  await page.locator('#field-name').focus()
  await page.keyboard.type('Keyboard Works')
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    if (
      await page
        .getByRole('button', { name: 'Save' })
        .evaluate((button) => button === document.activeElement)
    )
      break
  }
  await page.keyboard.press('Enter')
  await expect(page.getByText('Organisations (Keyboard Works) created Successfully')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Organisations' })).toBeFocused()
})
