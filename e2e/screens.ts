import { mkdirSync } from 'node:fs'
import type { BrowserContext, Page } from '@playwright/test'
import { inEachTheme, launch, openScreen, signIn, SITE } from './screenshot.ts'
import { forEachThemeAndSize } from './identity-kit.ts'
import { seeIdentityPages } from './identity-pages.ts'
import { shootReadme } from './readme-screenshots.ts'

/**
 * Screenshots of every page × theme × width of the running stack into .screens/; `identity` takes only Keycloak's pages, `readme`
 * those of README.md.
 */
const FOLDER = new URL('../.screens/', import.meta.url).pathname

const PUBLIC = {
  landing: '/',
  contact: '/contact',
  privacy: '/privacy',
  services: '/services',
  service: '/services/managed-workplace',
  articles: '/articles',
  article: '/articles/restore-drills-last-quarter',
  security: '/security',
  login: '/login',
  'not-found': '/no/such/page',
  unauthorised: '/unauthorised',
}

const RECORDS = {
  desk: '/desk',
  'my-requests': '/requests',
  list: '/incidents',
  system: '/system',
  people: '/people',
  'security-events': '/security-events',
  changes: '/changes',
  sessions: '/sessions',
  'list-empty': '/incidents?q=nothing-like-this',
  'list-filtered': `/incidents?filter=${encodeURIComponent('{"all":[["severity","in",["High","Critical"]],["detectedAt","gte","@now-90d"]]}')}`,
  trash: '/incidents?trash=true',
  create: '/incidents/create',
  services: '/services',
  requests: '/privacyrequests',
}

let count = 0
if (process.argv[2] === 'readme') await shootReadme()
else {
  mkdirSync(FOLDER, { recursive: true })
  if (process.argv[2] !== 'identity')
    await inEachTheme(
      [1440, 390].map((width) => ({ width, height: 900 })),
      (context, { width, theme }) => shootAll(context, `${width}-${theme}`),
    )
  await shootIdentity()
  console.log(`${count} screenshots in .screens/`)
}

/** Screenshots of one user's journey, in every theme and width: Keycloak's pages need registration, mails and codes. */
async function shootIdentity() {
  const browser = await launch()
  const page = await browser.newPage()
  await seeIdentityPages(page, (at, name) =>
    forEachThemeAndSize(at, name, async (width, theme) => {
      const path = `${FOLDER}identity-${name}-${width}-${theme}.png`
      await at.screenshot({ path, fullPage: true })
      count++
    }),
  )
  await browser.close()
}

async function shootAll(context: BrowserContext, suffix: string) {
  const page = await context.newPage()
  const shoot = async (name: string, isWhole = true) => {
    await page.waitForTimeout(300)
    await page.screenshot({ path: `${FOLDER}${name}-${suffix}.png`, fullPage: isWhole })
    count++
  }
  await page.goto(SITE)
  await page.getByRole('dialog', { name: 'Your Privacy Choices' }).waitFor()
  await shoot('cookie-choice', false)
  await page.getByRole('button', { name: 'Essential Only' }).click()
  await shoot('toast', false)
  for (const [name, path] of Object.entries(PUBLIC)) {
    await openScreen(page, path)
    await shoot(name)
  }
  await openScreen(page, '/contact')
  await page.getByRole('button', { name: 'Send message' }).click()
  await shoot('contact-errors')
  await fillContact(page)
  await page.getByRole('button', { name: 'Send message' }).click()
  await page.getByRole('dialog', { name: 'Authentication Required' }).waitFor()
  await shoot('sign-in-needed', false)
  await page.keyboard.press('Escape')
  const menu = page.getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) {
    await menu.click()
    await page.getByRole('navigation', { name: 'Menu' }).waitFor()
    await shoot('menu', false)
  }
  await signIn(page)
  for (const [name, path] of Object.entries(RECORDS)) {
    await openScreen(page, path)
    await shoot(`records-${name}`)
  }
  await openScreen(page, '/desk')
  await page.locator('.queue a').first().click()
  await page.waitForURL(/\/requests\/[0-9a-f-]{36}/)
  await shoot('records-request')
  await openScreen(page, '/incidents')
  await page.locator('.c-main a').first().click()
  await page.waitForURL(/\/incidents\/[0-9a-f-]{36}/)
  await shoot('records-detail')
  const id = page.url().split('/').at(-1) ?? ''
  for (const name of ['edit', 'delete']) {
    await openScreen(page, `/incidents/${name}/${id}`)
    await shoot(`records-${name}`)
  }
  await openScreen(page, `/incidents/${id}/history`)
  await shoot('records-history')
  await openScreen(page, '/incidents/00000000-0000-7000-8000-000000000000')
  await shoot('records-error')
}

async function fillContact(page: Page) {
  await page.getByLabel('Full name').fill('Dana Whitlock')
  await page.getByLabel('Email').fill('dana.whitlock@client.example')
  await page.getByLabel('Subject').fill('VPN access for two contractors')
  await page.getByLabel('Message', { exact: true }).fill('Two contractors start on Monday.')
}
