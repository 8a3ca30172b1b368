import type { BrowserContext, Page } from '@playwright/test'
import type { SpecModel } from './spec-only-models.ts'
import { json, serveSpecOnly } from './spec-only-server.ts'
import { expect, storeUser, test } from './kit.ts'

/** Pages of a signed-in admin while definitions and config.json are slow, missing, and available again. */
const AUTHORITY = 'http://localhost:1/nowhere'
const FAILED = 'Critical error loading routes. Please try again later.'
const DELAY_MS = 6_000
/** Covers two delays in sequence on a busy machine. */
const TIMEOUT = { timeout: 25_000 }

const FIELDS = [{ name: 'label', label: 'Label', type: 'text' }]
const GADGETS: SpecModel = {
  definition: {
    path: 'Gadgets',
    routeName: 'gadget-list',
    name: 'Gadget',
    viewData: { title: 'Gadgets', displayField: 'label', fields: FIELDS },
    authorise: { list: true, get: true },
  },
  metadata: { fields: FIELDS },
  record: { id: 7, label: 'Lamp' },
  nextId: 8,
  answers: 'nothing',
}

/** A prerendered page, a list, a record, and a product page. */
const PAGES = [
  { path: '/contact', heading: 'Contact' },
  { path: '/gadgets', heading: 'Gadgets' },
  { path: '/gadgets/7', heading: 'Lamp' },
  { path: '/sessions', heading: 'Your sign-in' },
]
const ROUTES = { models: '**/api/models', 'config.json': '**/config.json' }

let foreign: Awaited<ReturnType<typeof serveSpecOnly>>
test.beforeEach(async ({ context }) => {
  foreign = await serveSpecOnly([GADGETS], {
    authority: AUTHORITY,
    clientId: 'none',
    productPages: true,
  })
  foreign.faults['GET /api/models'] = json(200, [GADGETS.definition])
  foreign.faults['GET /api/me/sessions'] = json(200, {
    items: [],
    factors: null,
    canSignOut: false,
  })
  await storeUser(context, AUTHORITY)
  await context.addInitScript(recordTexts)
})
test.afterEach(() => foreign.stop())
test.setTimeout(120_000)

for (const [what, address] of Object.entries(ROUTES)) {
  test(`[LOAD-01] [NAV-04] [CRUMB-02] while ${what} takes 6 s, a signed-in user sees Loading, never Login or Not Found`, async ({
    context,
  }) => {
    await context.route(address, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, DELAY_MS))
      await route.continue()
    })
    await inParallel(context, async (page, { path, heading }) => {
      await page.goto(foreign.base + path, { waitUntil: 'commit' })
      await expectLoaded(page, heading)
      await expectNever(page, /Login|Not Found|Unexpected/)
      const { trails, accounts, alerts } = await textsOf(page)
      // Other pages have no header before the app runs, which may know the user by then.
      if (path === '/contact') expect(accounts[0]).toBe('Loading')
      if (path.startsWith('/gadgets')) expect(trails[0]).toBe('Home')
      expect(alerts).toEqual([])
    })
  })

  test(`[LOAD-02] [NAV-04] [CRUMB-02] while ${what} fails, a signed-in user sees one alert, and later the page without a reload`, async ({
    context,
  }) => {
    await context.route(address, (route) => route.fulfill({ status: 503, body: '' }))
    const pages: Page[] = []
    await inParallel(context, async (page, { path }) => {
      pages.push(page)
      await page.goto(foreign.base + path)
      await expect(page.getByRole('alert')).toHaveText([FAILED])
      await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
      await page.evaluate(() => Object.assign(window, { isSamePage: true }))
    })
    await context.unrouteAll()
    for (const [index, page] of pages.entries())
      await test.step(page.url(), async () => {
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
        await expectLoaded(page, PAGES[index]?.heading ?? '')
        await expect(page.getByRole('alert')).toHaveCount(0)
        expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
        await expectNever(page, /Login|Not Found|Unexpected|Couldn/)
        const { trails, alerts } = await textsOf(page)
        expect(alerts).toEqual([FAILED])
        if (page.url().includes('/gadgets')) expect(trails[0]).toBe('Home')
      })
  })
}

async function inParallel(
  context: BrowserContext,
  visit: (page: Page, opened: (typeof PAGES)[number]) => Promise<void>,
) {
  const tabs: [Page, (typeof PAGES)[number]][] = []
  for (const opened of PAGES) tabs.push([await context.newPage(), opened])
  await Promise.all(tabs.map(([page, opened]) => test.step(opened.path, () => visit(page, opened))))
}

async function expectLoaded(page: Page, heading: string) {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading, TIMEOUT)
  await expect(page.getByRole('button', { name: 'Logout' }).first()).toBeVisible(TIMEOUT)
}

type Texts = { all: string[]; accounts: string[]; trails: string[]; alerts: string[] }

/** Collects the visible texts of each frame, from the first one. */
function recordTexts() {
  const texts: Texts = { all: [], accounts: [], trails: [], alerts: [] }
  Object.assign(window, { texts })
  const add = (list: string[], selector: string) => {
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      const text = element.innerText.trim().replaceAll(/\s+/g, ' ')
      if (text && !list.includes(text)) list.push(text)
    }
  }
  const recordFrame = () => {
    add(texts.all, 'header .account, .crumbs, main h1, main h2, [role=alert], main .status')
    add(texts.accounts, 'header .account')
    add(texts.trails, '.crumbs')
    add(texts.alerts, '[role=alert]')
    if (document.title.includes('Not Found')) texts.all.push(document.title)
    requestAnimationFrame(recordFrame)
  }
  requestAnimationFrame(recordFrame)
}

const textsOf = (page: Page) => page.evaluate(() => (window as unknown as { texts: Texts }).texts)

async function expectNever(page: Page, words: RegExp) {
  const { all } = await textsOf(page)
  expect(
    all.filter((text) => words.test(text)),
    page.url(),
  ).toEqual([])
}
