import { chromium, type BrowserContext, type Page } from '@playwright/test'

export const SITE =
  process.env['SITE_URL'] ?? `http://localhost:${process.env['SITE_PORT'] ?? '8080'}`
export const ADMIN = { name: 'alice', password: 'alice-demo-password' }
const THEMES = ['light', 'dark'] as const

type View = { width: number; height: number }

export const launch = () =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-gpu'],
  })

export async function inEachTheme(
  views: View[],
  shoot: (context: BrowserContext, suffix: { width: number; theme: string }) => Promise<void>,
) {
  const browser = await launch()
  for (const viewport of views)
    for (const colorScheme of THEMES) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' })
      await shoot(context, { width: viewport.width, theme: colorScheme })
      await context.close()
    }
  await browser.close()
}

export async function openScreen(page: Page, path: string) {
  await page.goto(SITE + path)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

export async function signIn(page: Page, { name, password } = ADMIN) {
  await page.goto(`${SITE}/login`)
  await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
  await page.locator('#username').fill(name)
  await page.locator('#password').fill(password)
  await page.locator('#kc-login').click()
  await page.waitForURL(`${SITE}/`)
}
