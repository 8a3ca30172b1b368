import type { Page } from '@playwright/test'
import { expectAccessible } from './axe-check.ts'
import { createRecord } from './form-kit.ts'
import { call, expect, signInAndOpen, test, unique } from './kit.ts'

const row = (cell: (index: number) => string) =>
  `|${Array.from({ length: 12 }, (_, index) => cell(index)).join('|')}|`
const WIDE = [
  'Before the table.',
  '',
  row((index) => `Column ${index}`),
  row((index) => [':-', ':-:', '-:'][index % 3] ?? ''),
  row((index) => `value ${index}`),
  row((index) => `${index * 1000}`),
  '',
  'After the table.',
].join('\n')

for (const width of [1440, 390])
  test(`a wide table of a text scrolls in its own box, with the keyboard too, ${width} wide`, async ({
    page,
    admin,
  }) => {
    await signInAndOpen(page, admin)
    await page.setViewportSize({ width, height: 844 })
    const { id } = await createRecord(page, 'articles', {
      title: unique('Table'),
      slug: unique('t').replace(' ', '-'),
      kind: 'Guide',
      body: WIDE,
    })
    await page.goto(`/articles/${id}`)
    const box = page.getByRole('region', { name: 'Table 1' })
    await expect(box.getByRole('columnheader')).toHaveCount(12)
    await expect(box.getByRole('columnheader', { name: 'Column 2' })).toHaveCSS('text-align', 'end')
    expect(await overflowOf(page)).toBeLessThanOrEqual(0)
    await box.focus()
    await expect(box).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => box.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
    await expectAccessible(page, `a table, ${width} wide`, '.md-table')
  })

test('a wide table does not widen a service’s page on a phone', async ({ page, admin }) => {
  await signInAndOpen(page, admin)
  await page.setViewportSize({ width: 390, height: 844 })
  const { items } = (await call(page, 'GET', 'services')) as {
    items: { id: string; slug: string }[]
  }
  const [service = { id: '', slug: '' }] = items
  await page.route(`**/api/services/${service.id}*`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), description: WIDE } })
  })
  await page.goto('/services')
  await page.goto(`/services/${service.slug}?view=page`)
  await expect(page.getByRole('region', { name: 'Table 1' })).toBeVisible()
  expect(await overflowOf(page)).toBeLessThanOrEqual(0)
})

const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
