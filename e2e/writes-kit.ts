import type { Locator, Page, Route } from '@playwright/test'
import { expect } from './kit.ts'

/** A form or button that writes, and how to observe it. */
export type Write = {
  name: string
  /** Everything up to the press but the typing; returns the button, which a failure must leave where it can be pressed again. */
  open: (page: Page) => Promise<Locator>
  /** Of a write with fields. Its draft is proven too: nothing a person typed is lost. */
  form?: Form
  /** A field that only confirms: it must be empty whenever it is opened, so it has no draft. */
  confirmation?: (page: Page) => [Locator, string]
  /** The request it makes. */
  sends: [method: string, path: RegExp]
  /** Pending indicator; null for a silent write. */
  pending: ((page: Page) => Locator) | null
  /** Message when the connection breaks; null for a silent write. */
  failed: RegExp | null
  /** A failure leaves the page, so it is opened again. */
  isLeft?: true
  saved: RegExp | ((page: Page) => Promise<void>)
  undo?: true
  /** What someone else does first, and the message then. */
  conflict?: {
    elsewhere: (page: Page) => Promise<unknown>
    says: RegExp
    /** Resolves the conflict and returns the save button; without it the form is reopened. */
    resolve?: (page: Page) => Promise<Locator>
  }
}

type Form = {
  fill: (page: Page) => Promise<void>
  /** A field of it, and what `fill` types there. */
  typed: (page: Page) => [Locator, string]
  /** The ways to close a form that lies over a page or stands in it. */
  closings?: ((page: Page) => Promise<void>)[]
}

/** Two clicks in one tick, without a render in between. */
const pressTwice = (button: Locator) =>
  button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
const press = (button: Locator) => button.evaluate((element: HTMLElement) => element.click())

/** Longer than a silent write's toast is delayed. */
const SLOW_MS = 1500

export async function prove(page: Page, write: Write) {
  const [method, path] = write.sends
  const isIt = (url: URL) => path.test(url.pathname)
  const begin = async () => {
    const opened = await write.open(page)
    await write.form?.fill(page)
    if (write.confirmation) {
      const [input, text] = write.confirmation(page)
      await expect(input, 'a confirmation starts empty').toHaveValue('')
      await input.fill(text)
    }
    return opened
  }
  let button = await begin()

  const draft = write.form && (await proveDraft(page, write, write.form))
  if (draft) button = await begin()

  await page.route(isIt, (route) => onlyFor(method, route, () => route.abort('connectionfailed')))
  await press(button)
  if (write.failed)
    await expect(page.getByText(write.failed).first(), 'a failure is said').toBeVisible()
  if (write.form) {
    const [input, text] = write.form.typed(page)
    await expect(input, 'nothing typed is lost').toHaveValue(text)
  }
  await page.unroute(isIt)
  if (write.isLeft) button = await begin()

  if (write.conflict) {
    await write.conflict.elsewhere(page)
    await press(button)
    await expect(page.getByText(write.conflict.says).first(), 'a conflict is said').toBeVisible()
    button = await (write.conflict.resolve ?? begin)(page)
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
  if (draft)
    await expect.poll(() => keysOfDrafts(page), 'a success leaves no draft').not.toContain(draft)

  if (write.undo) {
    await press(page.locator('.toast-g').getByRole('button', { name: 'Undo' }).first())
    await expect(page.getByText('Undone').first(), 'it can be undone').toBeVisible()
  }
}

/** After a reload, and after each way to close it, the form opens with what was typed. Returns the key of its draft. */
async function proveDraft(page: Page, write: Write, { typed, closings = [] }: Form) {
  const survives = async (what: string) => {
    await write.open(page)
    const [input, text] = typed(page)
    await expect(input, `a draft survives ${what}`).toHaveValue(text)
  }
  const [, text] = typed(page)
  await expect.poll(() => keysOfDrafts(page, text), 'what is typed is kept').toHaveLength(1)
  const [key] = await keysOfDrafts(page, text)
  await page.reload()
  await survives('a reload')
  for (const [index, close] of closings.entries()) {
    await close(page)
    await survives(`closing ${index + 1}`)
  }
  return key
}

const keysOfDrafts = (page: Page, text = '') =>
  page.evaluate(
    (part) =>
      Object.entries(sessionStorage)
        .filter(([key, value]) => key.includes('Draft:') && String(value).includes(part))
        .map(([key]) => key),
    text,
  )

const onlyFor = (method: string, route: Route, act: () => Promise<void>) =>
  route.request().method() === method ? act() : route.fallback()

/** For texts that also occur elsewhere on the page. */
export const successToast = (page: Page) =>
  expect(page.locator('.toast-g.success').first(), 'a success is said').toBeVisible()
export const busyButton = (page: Page) => page.locator('button[aria-busy="true"]')
export const says = (words: string) => (page: Page) => page.getByText(words)
