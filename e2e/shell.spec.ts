import type { Page } from '@playwright/test'
import { collectCspViolations, expect, signInAndOpen, test } from './kit.ts'
import { expectAccessible } from './axe-check.ts'

const banner = (page: Page) => page.getByRole('banner')
const rail = (page: Page, name: string) => page.getByRole('navigation', { name })
/** Everything that the bar and the desk linked to before staff had a rail. */
const STAFF_PAGES = ['Requests', 'System', 'People', 'Security events', 'Changes']

test('[NAV-01] [LAY-07] [LAY-08] staff pages have the four pages in the menu Site, the rail and the status line; public pages don’t', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin, '/desk')
  await banner(page).getByRole('button', { name: 'Site' }).click()
  await expect(page.locator('#site-menu a')).toHaveText(['Home', 'Profile', 'Contact', 'Privacy'])
  await page.keyboard.press('Escape')
  await expect(rail(page, 'Staff pages').getByRole('link')).toHaveText(STAFF_PAGES)
  await expect(rail(page, 'Records').getByRole('link', { name: /^Tickets \d/ })).toBeVisible()
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText(`© ${new Date().getFullYear()}`)
  await expect(footer.getByRole('list', { name: 'Social profiles' }).getByRole('link')).toHaveCount(
    8,
  )
  await expect(footer.getByRole('button', { name: 'Cookie settings' })).toBeVisible()
  await rail(page, 'Staff pages').getByRole('link', { name: 'Requests' }).click()
  await expect(page).toHaveURL('/requests')
  await banner(page).getByRole('button', { name: 'Site' }).click()
  await banner(page).getByRole('link', { name: 'Contact', exact: true }).click()
  await expect(page).toHaveURL('/contact')
  await expect(banner(page).getByRole('link', { name: 'Home', exact: true })).toBeVisible()
  await expect(rail(page, 'Records')).toHaveCount(0)
})

test('the number beside Desk is the desk’s first one', async ({ page, admin }) => {
  await signInAndOpen(page, admin, '/organisations')
  const desk = banner(page).getByRole('link', { name: /^Desk [\d,+]+ awaiting reply$/ })
  await expect(desk).toBeVisible()
  await desk.click()
  const count = await page.locator('.numbers b').first().innerText()
  await expect(
    banner(page).getByRole('link', { name: `Desk ${count} awaiting reply` }),
  ).toBeVisible()
})

for (const path of ['/incidents', '/desk'])
  test(`the bar of ${path} has its height of 48 pixels from its first frame, and neither it nor the rail shifts`, async ({
    page,
    admin,
  }) => {
    await signInAndOpen(page, admin)
    await page.addInitScript(recordLayout)
    await page.goto(path)
    await expect(banner(page).getByRole('link', { name: /awaiting reply$/ })).toBeVisible()
    const { heights, shift } = await page.evaluate(
      () => (window as unknown as { layout: Layout }).layout,
    )
    expect(heights).toEqual([48])
    expect(shift).toBeLessThan(0.01)
  })

type Layout = { heights: number[]; shift: number }

/** Heights of the header in each frame, and the sum of the layout shifts that move it or the rail. */
function recordLayout() {
  const layout: Layout = { heights: [], shift: 0 }
  Object.assign(window, { layout })
  const recordFrame = () => {
    const height = document.querySelector<HTMLElement>('header')?.offsetHeight
    if (height !== undefined && !layout.heights.includes(height)) layout.heights.push(height)
    requestAnimationFrame(recordFrame)
  }
  requestAnimationFrame(recordFrame)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources } = entry as unknown as {
        value: number
        sources: { node: Node | null }[]
      }
      const isOfShell = sources.some(({ node }) =>
        (node instanceof Element ? node : node?.parentElement)?.closest('header, .rail'),
      )
      if (isOfShell) layout.shift += value
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

test('the keyboard alone reaches the menus, the rail and the status line of staff pages', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin, '/desk')
  await expect(rail(page, 'Records').getByRole('link').first()).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  const order: string[] = []
  for (let step = 0; step < 9; step++) {
    await page.keyboard.press('Tab')
    order.push(await focusedText(page))
  }
  expect(order).toEqual([
    'Gatehouse',
    expect.stringMatching(/^Desk/),
    'Records',
    'Site',
    'Search or jump to',
    'New',
    expect.stringMatching(/^Theme/),
    expect.stringMatching(/your sign-in$/),
    'Logout',
  ])
  await page.keyboard.press('Tab')
  await expect(rail(page, 'Records').getByRole('link').first()).toBeFocused()
  await banner(page).getByRole('button', { name: 'New' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('#new-menu a').first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(banner(page).getByRole('button', { name: 'New' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/organisations/create')
  // The form takes the focus once it has loaded.
  await expect(page.getByRole('main').locator(':focus')).toBeVisible()
  await page.getByRole('button', { name: 'Shortcuts' }).focus()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Cookie settings' })).toBeFocused()
})

const focusedText = (page: Page) =>
  page.evaluate(() => {
    const { ariaLabel, textContent } = document.activeElement ?? {}
    return (ariaLabel ?? textContent ?? '').replace('Ctrl K', '')
  })

test('staff see the plain bar if the shell can’t be loaded', async ({ page, admin }) => {
  await signInAndOpen(page, admin)
  await page.route('**/static/shell-*.js', (route) => route.abort())
  for (const [path, heading] of [
    ['/desk', 'Desk'],
    ['/incidents', 'Incidents'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(banner(page).getByRole('link', { name: 'Contact', exact: true })).toBeVisible()
    await expect(page.getByRole('contentinfo')).toContainText('©')
  }
})

test.describe('390 wide', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('the phone’s menu has everything of bar, rail and status line, axe finds nothing, and targets are 44 pixels high', async ({
    page,
    admin,
  }) => {
    await page.addInitScript(collectCspViolations)
    await page.setViewportSize({ width: 1440, height: 844 })
    await signInAndOpen(page, admin, '/desk')
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(banner(page).getByRole('button', { name: 'Search or jump to' })).toBeVisible()
    await page.getByRole('button', { name: 'Menu' }).click()
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await expect(menu.getByRole('link', { name: /^Desk/ })).toBeVisible()
    for (const name of [...STAFF_PAGES, 'Home', 'Profile', 'Contact', 'Privacy', 'List Tickets'])
      await expect(menu.getByRole('link', { name, exact: true })).toHaveCount(1)
    await expect(menu.getByRole('button', { name: 'Logout' })).toHaveCount(1)
    await expect(menu.getByText('©')).toHaveCount(1)
    await expect(menu.getByRole('button', { name: 'Shortcuts' })).toHaveCount(1)
    await expectAccessible(page, 'the menu')
    const low = await page
      .locator('header :is(a, button):visible, footer :is(a, button):visible')
      .evaluateAll((all) =>
        all
          .filter((one) => one.getBoundingClientRect().height < 44)
          .map((one) => `${one.textContent} ${one.getBoundingClientRect().height}`),
      )
    expect(low).toEqual([])
    expect(await page.evaluate(() => Reflect.get(window, 'breaches'))).toEqual([])
  })
})
