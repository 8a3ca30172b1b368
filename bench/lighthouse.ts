import { join } from 'node:path'
import { installNpmTool } from '../tools/build/npm-tool.ts'

const VERSION = '13.5.0'
const TOOL = new URL('../.tools/lighthouse', import.meta.url).pathname
const CONSENT_KEY = 'cookieConsent'
const ATTEMPTS_MAX = 3
const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export type Report = {
  runtimeError?: { code: string }
  categories: Record<string, { score: number | null }>
  audits: Record<
    string,
    { score: number | null; numericValue?: number; details?: { items?: Record<string, unknown>[] } }
  >
  environment: { benchmarkIndex: number }
}

export type Page = {
  evaluateOnNewDocument: (run: (key: string) => void, key: string) => Promise<void>
  goto: (url: string) => Promise<unknown>
  waitForSelector: (selector: string) => Promise<unknown>
  click: (selector: string) => Promise<void>
  type: (selector: string, text: string) => Promise<void>
  tap: (selector: string) => Promise<void>
  on: (event: 'request' | 'response', run: (message: { url: () => string }) => void) => void
  setViewport: (size: object) => Promise<void>
  waitForFunction: (condition: string, options: object) => Promise<unknown>
  createCDPSession: () => Promise<{ send: (method: string, params?: object) => Promise<unknown> }>
}
type Browser = { newPage: () => Promise<Page>; close: () => Promise<void> }
type Lighthouse = (
  url: string,
  flags: object,
  config: undefined,
  page: Page,
) => Promise<{ lhr: Report }>

/** One valid run in a fresh browser, emulating a phone on a slow network. */
export async function runLighthouse(
  url: string,
  { hasChosen }: { hasChosen: boolean },
): Promise<Report> {
  installNpmTool({ name: 'lighthouse', package: 'lighthouse', version: VERSION })
  const { default: lighthouse } = (await load('lighthouse/core/index.js')) as {
    default: Lighthouse
  }
  for (let attempt = 1; ; attempt++) {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      if (hasChosen) await answerCookies(page)
      const { lhr } = await lighthouse(
        url,
        { logLevel: 'silent', disableStorageReset: true },
        undefined,
        page,
      )
      if (!lhr.runtimeError && Object.values(lhr.categories).every(({ score }) => score !== null))
        return lhr
      if (attempt === ATTEMPTS_MAX)
        throw new Error(`${url}: ${lhr.runtimeError?.code ?? 'no score'}`)
    } finally {
      await browser.close()
    }
  }
}

/** A page in a fresh browser, by default with the cookie choice made. */
export async function withPage(
  use: (page: Page) => Promise<void>,
  { hasChosen } = { hasChosen: true },
) {
  installNpmTool({ name: 'lighthouse', package: 'lighthouse', version: VERSION })
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    if (hasChosen) await answerCookies(page)
    await use(page)
  } finally {
    await browser.close()
  }
}

async function openBrowser() {
  const { default: puppeteer } = (await load('puppeteer-core/lib/puppeteer/puppeteer-core.js')) as {
    default: { launch: (options: object) => Promise<Browser> }
  }
  return puppeteer.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: BROWSER_FLAGS,
  })
}

const answerCookies = (page: Page) =>
  page.evaluateOnNewDocument((key) => sessionStorage.setItem(key, 'essential'), CONSENT_KEY)

const load = (name: string) => import(join(TOOL, 'node_modules', name))
