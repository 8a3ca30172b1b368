import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Expects no axe violations, in the page or one part of it, and no sideways scrolling, in light and dark. */
export async function expectAccessible(page: Page, what: string, within = 'html') {
  for (const colorScheme of ['light', 'dark'] as const) {
    // Otherwise axe would measure colours in mid-transition.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.locator('html')).toHaveAttribute('data-bs-theme', colorScheme)
    await expectAccessibleNow(page, `${what}, ${colorScheme}`, within)
  }
}

/** Checks only the current theme: without the app a page doesn't follow the system. */
export async function expectAccessibleNow(page: Page, what: string, within = 'html') {
  expect(await violationsOf(page, within), what).toEqual([])
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(beyond, `${what} scrolls sideways`).toBeLessThanOrEqual(0)
}

/**
 * Runs axe in the page: its own runner opens a second page each time, for iframes we don't have. Behind a modal everything is
 * inert, but axe would measure its links, of which the scroll position may show a part.
 */
async function violationsOf(page: Page, within: string) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ([tags, selector]) => {
      const { axe: inPage } = window as unknown as { axe: typeof axe }
      const whole = document.querySelector<HTMLElement>('dialog:modal') ?? document
      const { violations } = await inPage.run(selector === 'html' ? whole : selector, {
        runOnly: tags,
        resultTypes: ['violations'],
      })
      return violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`,
      )
    },
    [TAGS, within] as const,
  )
}
