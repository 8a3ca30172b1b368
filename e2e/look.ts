import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/** WCAG 2.0 to 2.2, A and AA, and what axe calls best practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** In light and in dark axe finds nothing, and nothing scrolls sideways. The page follows the system's theme. */
export async function look(page: Page, what: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    // Colours that fade from one theme to the other would be measured on their way.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-bs-theme', colorScheme)
    await lookOnce(page, `${what}, ${colorScheme}`)
  }
}

/** In the theme it has: without the app a page does not follow the system's any more. */
export async function lookOnce(page: Page, what: string) {
  expect(await violationsOf(page), what).toEqual([])
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(beyond, `${what} scrolls sideways`).toBeLessThanOrEqual(0)
}

/** In the page itself, and only what is wrong: its own runner opens a second page each time, for frames we have not. */
async function violationsOf(page: Page) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (tags) => {
    const { axe: inPage } = window as unknown as { axe: typeof axe }
    const { violations } = await inPage.run(document, {
      runOnly: tags,
      resultTypes: ['violations'],
    })
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`,
    )
  }, TAGS)
}
