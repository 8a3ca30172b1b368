import { withPage, type Page } from '../lighthouse.ts'

/** Milliseconds from a tap to its effect on a throttled phone; null for each tap without one. */
export type Pressed = { name: Name; when: When; times: (number | null)[] }
type When = 'at first paint' | '6 s later'
type Name = keyof typeof PRESSES

type Press = {
  path: string
  target: string
  /** Selector tapped before, without measuring. */
  first?: string
  /** Evaluated in the page until it is true; null: the first request to another origin. */
  isAnswered: string | null
  /** The cookie dialog opens 1.5 s after load. */
  asksForCookies?: true
  group: 'link' | 'document' | 'app'
}

const PRESSES = {
  link: {
    path: '/',
    target: 'main a[href="/contact"]',
    isAnswered: `location.pathname === '/contact' && performance.getEntriesByName('first-contentful-paint').length > 0`,
    group: 'link',
  },
  menu: {
    path: '/',
    target: '[popovertarget="side-menu"]',
    isAnswered: `document.querySelector('#side-menu:popover-open') !== null`,
    group: 'document',
  },
  theme: {
    path: '/',
    target: '#theme',
    isAnswered: `document.documentElement.dataset.themeMode === 'light'`,
    group: 'document',
  },
  consent: {
    path: '/',
    target: '[data-choice="all"]',
    isAnswered: `document.querySelector('.toast-message') !== null`,
    asksForCookies: true,
    group: 'document',
  },
  login: {
    path: '/',
    first: '[popovertarget="side-menu"]',
    target: '.side-account [data-early="login"]',
    isAnswered: null,
    group: 'document',
  },
  send: {
    path: '/contact',
    target: 'main form [type="submit"]',
    isAnswered: `document.querySelector('.invalid-feedback') !== null`,
    group: 'app',
  },
} as const satisfies Record<string, Press>

/** Limits and targets in ms: link; menu, theme, consent, Login; the first tap that needs React. */
const LIMITS_MS = { link: [800, 400], document: [400, 250], app: [1700, 1300] } as const
const LOST_AFTER_MS = 9_000
const LATER_MS = 6_000
const PHONE = { width: 390, height: 844, isMobile: true, hasTouch: true }
/** Slow 4G: bytes per second, ms. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const CPU_RATE = 4
/** Taps per element: the median counts, and none may be lost. */
const RUNS = 3

export async function measureClicks(site: string): Promise<Pressed[]> {
  const found: Pressed[] = []
  for (const name of Object.keys(PRESSES) as Name[])
    for (const when of ['at first paint', '6 s later'] as const) {
      const times: (number | null)[] = []
      for (let run = 0; run < RUNS; run++) times.push(await measure(site, PRESSES[name], when))
      found.push({ name, when, times })
    }
  return found
}

export function checkClicks(all: Pressed[]) {
  return all.flatMap(({ name, when, times }) => {
    const [must, mark] = LIMITS_MS[PRESSES[name].group]
    const answered = times.filter((ms) => ms !== null).toSorted((a, b) => a - b)
    const isLost = answered.length < times.length
    const median = answered[answered.length >> 1] ?? Infinity
    const each = times.map((ms) => (ms === null ? 'lost' : Math.round(ms))).join(', ')
    console.log(`${name}, ${when}: ${each} ms (limit ${must}, target ${mark}, by the median)`)
    return isLost || median > must ? [`${name} ${when}: ${each}`] : []
  })
}

async function measure(site: string, press: Press, when: When) {
  let ms: number | null = null
  const use = async (page: Page) => {
    await throttle(page)
    const elsewhere = new Promise<boolean>((resolve) =>
      page.on('request', (request) => {
        if (new URL(request.url()).origin !== new URL(site).origin) resolve(true)
      }),
    )
    // A tap leaves the page while it is still loading.
    page.goto(site + press.path).catch(() => {})
    await until(page, `performance.getEntriesByName('first-contentful-paint').length > 0`)
    if (press.asksForCookies) await until(page, `document.querySelector('.cookie') !== null`)
    if (when === '6 s later') await pause(LATER_MS)
    if (press.first) {
      await page.tap(press.first)
      await until(page, `document.querySelector('#side-menu:popover-open') !== null`)
    }
    const started = performance.now()
    await page.tap(press.target)
    const isAnswered = await Promise.race([
      press.isAnswered === null ? elsewhere : until(page, press.isAnswered),
      pause(LOST_AFTER_MS).then(() => false),
    ])
    ms = isAnswered ? performance.now() - started : null
  }
  await withPage(use, { hasChosen: !press.asksForCookies })
  return ms
}

async function throttle(page: Page) {
  await page.setViewport(PHONE)
  const devtools = await page.createCDPSession()
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', LINE)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE })
}

const until = (page: Page, condition: string) =>
  page
    .waitForFunction(condition, { polling: 'raf', timeout: LOST_AFTER_MS * 3 })
    .then(() => true)
    .catch(() => false)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
