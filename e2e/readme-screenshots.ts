import { mkdirSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { inEachTheme, openScreen, signIn } from './screenshot.ts'

const FOLDER = new URL('../docs/pictures/', import.meta.url).pathname
const VIEW = { width: 1280, height: 800 }

/** The screenshots of README.md, light and dark, from the running stack with its sample records. */
export async function shootReadme() {
  mkdirSync(FOLDER, { recursive: true })
  await inEachTheme([VIEW], async (context, { theme }) => {
    const page = await context.newPage()
    const shoot = async (name: string) => {
      await page.waitForLoadState('networkidle')
      await page.screenshot({ path: `${FOLDER}${name}-${theme}.png` })
    }
    await openScreen(page, '/')
    await page.getByRole('button', { name: 'Essential Only' }).click()
    await signIn(page)
    await openScreen(page, '/desk')
    await shoot('desk')
    await openFirstRecord(page)
    await shoot('record')
  })
  console.log('4 screenshots in docs/pictures/')
}

/** The first organisation, which has a history. */
async function openFirstRecord(page: Page) {
  await openScreen(page, '/organisations')
  await page.locator('.c-main a').first().click()
  await page.waitForURL(/\/organisations\/[0-9a-f-]{36}/)
  await page.getByRole('heading', { level: 1 }).waitFor()
}
