import type { Page } from '@playwright/test'
import { expectAccessible } from './axe-check.ts'
import { countPresses, presses } from './press-count.ts'
import { createRecord } from './form-kit.ts'
import { delayModules } from './form-leaks.ts'
import { serveSpecOnly } from './spec-only-server.ts'
import { expect, signInAndOpen, test, unique } from './kit.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' })
const input = (page: Page) =>
  page.getByRole('combobox', { name: 'Search pages, records and actions' })

async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  await expect(input(page)).toBeFocused()
}

async function createAsset(page: Page) {
  const tag = unique('TAG')
  const organisation = await createRecord(page, 'organisations', { name: unique('Palette') })
  const asset = await createRecord(page, 'assets', {
    name: unique('device'),
    assetTag: tag,
    kind: 'Laptop',
    organisation: organisation.id,
  })
  return { tag, ...asset }
}

test('an asset is opened by its tag with two keys from a public page, a list and a form', async ({
  page,
  admin,
  complaints,
}) => {
  await page.addInitScript(countPresses)
  await signInAndOpen(page, admin)
  const { id, name, tag } = await createAsset(page)
  for (const path of ['/', '/contact', '/organisations', '/contacts/create'])
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      if (path === '/contacts/create') await page.getByLabel('Email').focus()
      await openPalette(page)
      await page.keyboard.type(tag)
      // Without waiting for the results.
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(`/assets/${id}`)
      await expect(page.getByRole('heading', { level: 1, name })).toBeFocused()
      expect(await presses(page)).toBeLessThanOrEqual(2)
    })
  await openPalette(page)
  await expect(page.getByRole('group', { name: 'Do' })).toContainText('Edit asset')
  expect(complaints).toEqual([])
})

test('palette and sheet: axe finds nothing, by keyboard alone', async ({
  page,
  admin,
  complaints,
}) => {
  await signInAndOpen(page, admin)
  const { id, name, tag } = await createAsset(page)
  await page.goto('/assets')
  const search = page.getByRole('textbox', { name: 'Search assets' })
  await expect(search).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await openPalette(page)
  await page.keyboard.type(tag)
  const option = page.getByRole('option', { name })
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('status').filter({ hasText: '1 result' })).toBeAttached()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page, `palette, ${width} wide`)
  }
  await page.keyboard.press('Escape')
  await expect(palette(page)).toBeHidden()
  await expect(search).toBeFocused()

  await openPalette(page)
  await page.keyboard.type(tag)
  await expect(option).toBeVisible()
  const opened = page.context().waitForEvent('page')
  await page.keyboard.press('Control+Enter')
  await expect(await opened).toHaveURL(new RegExp(`/assets/${id}$`))
  await expect(page).toHaveURL('/assets')

  // Letters don't act in the field that has the focus again.
  await page.keyboard.press('Tab')
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(sheet).toBeVisible()
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await expectAccessible(page, `sheet, ${width} wide`)
  }
  const letters = sheet.getByRole('switch', { name: 'Single-letter shortcuts' })
  await letters.focus()
  await page.keyboard.press('Space')
  await expect(letters).not.toBeChecked()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await page.keyboard.press('?')
  await expect(sheet).toBeHidden()
  expect(complaints).toEqual([])
})

test('Ctrl+K on a public page starts the app, opens the palette and keeps what is typed', async ({
  page,
  complaints,
}) => {
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('data-app', 'document')
  const releaseModules = await delayModules(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('contact')
  releaseModules()
  await expect(input(page)).toHaveValue('contact')
  await expect(page.getByRole('option', { name: 'Contact' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/contact')
  await expect(page.getByRole('heading', { level: 1, name: 'Contact' })).toBeFocused()
  expect(complaints).toEqual([])
})

test('recent records are offered until the sign-out', async ({ page, user }) => {
  const stored = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('recent')))
  await signInAndOpen(page, user, '/articles')
  await page.getByRole('main').getByRole('heading', { level: 2 }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/articles\/./)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Articles')
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.goto('/')
  await openPalette(page)
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toContainText([
    title,
  ])
  expect(await stored()).toHaveLength(1)
  await page.keyboard.type('>sign out')
  await expect(page.getByRole('option')).toHaveText(['Sign out'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Login' })).toBeVisible()
  expect(await stored()).toEqual([])
})

test('on another server the palette has actions and pages, and never asks its search', async ({
  page,
}) => {
  const fields = [{ name: 'label', label: 'Label', type: 'text' }]
  const definition = {
    path: 'Gadgets',
    routeName: 'gadget-list',
    name: 'Gadget',
    viewData: { title: 'Gadgets', displayField: 'label', fields },
  }
  const record = { id: 7, label: 'Lamp' }
  const foreign = await serveSpecOnly(
    [{ definition, metadata: { fields }, record, nextId: 8, answers: 'nothing' }],
    { authority: 'http://localhost:1/nowhere', clientId: 'none' },
  )
  await page.addInitScript(
    (definitions) => sessionStorage.setItem('dynamicRoutes', definitions),
    JSON.stringify([definition]),
  )
  await page.goto(`${foreign.base}/gadgets/7`)
  await expect(page.getByRole('heading', { level: 1, name: 'Lamp' })).toBeVisible()
  await openPalette(page)
  await page.keyboard.type('gadget')
  await expect(page.getByRole('option')).toHaveText([
    'Edit gadget',
    'Delete gadget',
    'Create gadget',
    'Gadgets',
  ])
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${foreign.base}/gadgets`)
  expect(foreign.calls.map(({ path }) => path).filter((path) => path.includes('search'))).toEqual(
    [],
  )
  foreign.stop()
})
