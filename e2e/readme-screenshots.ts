import { mkdirSync, writeFileSync } from 'node:fs'
import type { BrowserContext, Page } from '@playwright/test'
import { toIndexedPng } from './indexed-png.ts'
import { call } from './kit.ts'
import { ADMIN, inEachTheme, openScreen, signIn } from './screenshot.ts'

const FOLDER = new URL('../docs/pictures/', import.meta.url).pathname
const VIEW = { width: 1440, height: 900 }
const CLIENT = { name: 'carol', password: 'carol-demo-password' }

type Account = typeof ADMIN
type Shot = { account: Account | null; open: (page: Page) => Promise<void> }

/** By file name. */
const SHOTS: Record<string, Shot> = {
  public: { account: null, open: (page) => openScreen(page, '/') },
  request: { account: CLIENT, open: (page) => openFirst(page, '/requests', '.requests a') },
  desk: { account: ADMIN, open: (page) => openScreen(page, '/desk') },
  list: { account: ADMIN, open: (page) => openScreen(page, '/incidents') },
  form: { account: ADMIN, open: (page) => openOf(page, (id) => `/organisations/edit/${id}`) },
  history: { account: ADMIN, open: openHistory },
}

/** The screenshots of README.md, light and dark, from the running stack with its sample records. */
export async function shootReadme() {
  mkdirSync(FOLDER, { recursive: true })
  await inEachTheme([VIEW], async (context, { theme }) => {
    for (const account of [null, CLIENT, ADMIN]) await shootAs(context, account, theme)
  })
  console.log(`${Object.keys(SHOTS).length * 2} screenshots in docs/pictures/`)
}

/** A tab of its own: sign-ins are per tab. */
async function shootAs(context: BrowserContext, account: Account | null, theme: string) {
  await context.clearCookies()
  const page = await context.newPage()
  await page.addInitScript(() => sessionStorage.setItem('cookieConsent', 'essential'))
  if (account) await signIn(page, account)
  for (const [name, shot] of Object.entries(SHOTS).filter(([, one]) => one.account === account)) {
    await shot.open(page)
    await page.waitForLoadState('networkidle')
    writeFileSync(`${FOLDER}${name}-${theme}.png`, toIndexedPng(await page.screenshot()))
  }
  await page.close()
}

async function openFirst(page: Page, path: string, links: string) {
  await openScreen(page, path)
  await page.locator(links).first().click()
  await page.waitForURL(/[0-9a-f-]{36}/)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** A page of the first organisation. */
async function openOf(page: Page, pathOf: (id: string) => string) {
  await openFirst(page, '/organisations', '.c-main a')
  await openScreen(page, pathOf(idIn(page)))
}

/** Samples have no history: the first run changes one. */
async function openHistory(page: Page) {
  await openFirst(page, '/organisations', '.c-main a')
  const path = `organisations/${idIn(page)}`
  const { notes, version } = await call(page, 'GET', path)
  if (version === 1) {
    await call(page, 'PUT', path, { slaTier: 'Standard', employees: 52 })
    const more = `${String(notes).replace('good terms', 'the best of terms')} Back since Monday.`
    await call(page, 'PUT', path, { notes: more })
  }
  await openScreen(page, `/${path}/history`)
}

const idIn = (page: Page) => new URL(page.url()).pathname.split('/')[2] ?? ''
