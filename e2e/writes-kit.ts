import type { Locator, Page, Route } from '@playwright/test'
import { expect } from './kit.ts'

/** One form or button that writes, and how it looks while it does. */
export type Write = {
  name: string
  /** Everything up to the press; returns the button, which a failure must leave where it can be pressed again. */
  open: (page: Page) => Promise<Locator>
  /** The request it makes. */
  sends: [method: string, path: RegExp]
  /** What says that it is under way; none where a write is silent. */
  pending: ((page: Page) => Locator) | null
  /** What is said when the connection breaks; none where a write is silent. */
  failed: RegExp | null
  /** What was typed, and must still be there after a failure. */
  typed?: (page: Page) => Promise<[Locator, string]>
  /** A failure leads away from it: it is opened again. */
  isLeft?: true
  saved: RegExp | ((page: Page) => Promise<void>)
  undo?: true
  /** What is typed survives leaving and coming back. */
  draft?: true
  /** What someone else does in the meantime, and what is said then. */
  conflict?: {
    elsewhere: (page: Page) => Promise<unknown>
    says: RegExp
    /** Decides, and returns the button that saves what was decided; otherwise it is opened again. */
    resolve?: (page: Page) => Promise<Locator>
  }
}

/** Two presses in one tick: no rendering comes between them. */
const pressTwice = (button: Locator) =>
  button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
const press = (button: Locator) => button.evaluate((element: HTMLElement) => element.click())

/** Longer than the toast of a write without a button waits. */
const SLOW_MS = 1500

export async function prove(page: Page, write: Write) {
  const [method, path] = write.sends
  const isIt = (url: URL) => path.test(url.pathname)
  let button = await write.open(page)

  if (write.draft) {
    await page.waitForTimeout(100)
    await page.reload()
    const [input, text] = (await write.typed?.(page)) ?? []
    if (input) await expect(input, 'a draft survives').toHaveValue(text ?? '')
    button = await write.open(page)
  }

  await page.route(isIt, (route) => onlyFor(method, route, () => route.abort('connectionfailed')))
  await press(button)
  if (write.failed)
    await expect(page.getByText(write.failed).first(), 'a failure is said').toBeVisible()
  if (write.typed) {
    const [input, text] = await write.typed(page)
    await expect(input, 'nothing typed is lost').toHaveValue(text)
  }
  await page.unroute(isIt)
  if (write.isLeft) button = await write.open(page)

  if (write.conflict) {
    await write.conflict.elsewhere(page)
    await press(button)
    await expect(page.getByText(write.conflict.says).first(), 'a conflict is said').toBeVisible()
    button = await (write.conflict.resolve ?? write.open)(page)
  }

  const sent: Promise<void>[] = []
  await page.route(isIt, (route) =>
    onlyFor(method, route, () => {
      const late = new Promise((resolve) => setTimeout(resolve, SLOW_MS))
      sent.push(late.then(() => route.continue()))
      return Promise.all(sent).then(() => {})
    }),
  )
  await pressTwice(button)
  if (write.pending)
    await expect(write.pending(page).first(), 'it says that it is under way').toBeVisible()
  if (write.saved instanceof RegExp)
    await expect(page.getByText(write.saved).first(), 'a success is said').toBeVisible()
  else await write.saved(page)
  await Promise.all(sent)
  expect(sent, 'two presses write once').toHaveLength(1)
  await page.unroute(isIt)

  if (write.undo) {
    await press(page.locator('.toast-g').getByRole('button', { name: 'Undo' }).first())
    await expect(page.getByText('Undone').first(), 'it can be undone').toBeVisible()
  }
}

const onlyFor = (method: string, route: Route, act: () => Promise<void>) =>
  route.request().method() === method ? act() : route.fallback()

/** Where the words would also stand elsewhere on the page. */
export const successToast = (page: Page) =>
  expect(page.locator('.toast-g.success').first(), 'a success is said').toBeVisible()
export const busyButton = (page: Page) => page.locator('button[aria-busy="true"]')
export const says = (words: string) => (page: Page) => page.getByText(words)
