import type { Locator, Page, Route } from '@playwright/test'
import { expect } from './kit.ts'

/** A form or button that writes, and how to observe it. */
export type Write = {
  name: string
  /** Opens the form or page, without typing. Returns the button, which can be clicked again after a failure. */
  open: (page: Page) => Promise<Locator>
  /** For a write with fields: its draft is tested too. */
  form?: Form
  /** A confirmation field: empty whenever it is opened, without a draft. */
  confirmation?: (page: Page) => [Locator, string]
  sends: [method: string, path: RegExp]
  /** Pending indicator; null for a silent write. */
  pending: ((page: Page) => Locator) | null
  /** Message when the connection breaks; null for a silent write. */
  failed: RegExp | null
  /** A failure navigates away, so the page is reopened. */
  leavesPage?: true
  saved: RegExp | ((page: Page) => Promise<void>)
  undo?: true
  /** Another user's change, and the message it causes. */
  conflict?: {
    elsewhere: (page: Page) => Promise<unknown>
    says: RegExp
    /** Resolves the conflict and returns the save button; without it the form is reopened. */
    resolve?: (page: Page) => Promise<Locator>
  }
}

type Form = {
  fill: (page: Page) => Promise<void>
  /** A field of the form, and what `fill` types into it. */
  typed: (page: Page) => [Locator, string]
  /** Ways to close an overlay or inline form. */
  closings?: ((page: Page) => Promise<void>)[]
}

/** Two clicks in one tick, without a render in between. */
const clickTwice = (button: Locator) =>
  button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
const press = (button: Locator) => button.evaluate((element: HTMLElement) => element.click())

/** Longer than the delay of a silent write's toast. */
const SLOW_MS = 1500

export async function expectWriteContract(page: Page, write: Write) {
  const [method, path] = write.sends
  const isTarget = (url: URL) => path.test(url.pathname)
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

  await page.route(isTarget, (route) =>
    onlyFor(method, route, () => route.abort('connectionfailed')),
  )
  await press(button)
  if (write.failed)
    await expect(page.getByText(write.failed).first(), 'the failure is shown').toBeVisible()
  if (write.form) {
    const [input, text] = write.form.typed(page)
    await expect(input, 'nothing typed is lost').toHaveValue(text)
  }
  await page.unroute(isTarget)
  if (write.leavesPage) button = await begin()

  if (write.conflict) {
    await write.conflict.elsewhere(page)
    await press(button)
    await expect(page.getByText(write.conflict.says).first(), 'the conflict is shown').toBeVisible()
    button = await (write.conflict.resolve ?? begin)(page)
  }

  const sent: Promise<void>[] = []
  await page.route(isTarget, (route) =>
    onlyFor(method, route, () => {
      const delay = new Promise((resolve) => setTimeout(resolve, SLOW_MS))
      sent.push(delay.then(() => route.continue()))
      return Promise.all(sent).then(() => {})
    }),
  )
  await clickTwice(button)
  if (write.pending)
    await expect(write.pending(page).first(), 'it shows that it is pending').toBeVisible()
  if (write.saved instanceof RegExp)
    await expect(page.getByText(write.saved).first(), 'the success is shown').toBeVisible()
  else await write.saved(page)
  await Promise.all(sent)
  expect(sent, 'two presses send one request').toHaveLength(1)
  await page.unroute(isTarget)
  if (draft)
    await expect.poll(() => keysOfDrafts(page), 'a success leaves no draft').not.toContain(draft)

  if (write.undo) {
    // The newest: an earlier write's toast may still be there.
    await press(page.locator('.toast-g').getByRole('button', { name: 'Undo' }).last())
    await expect(page.getByText('Undone').first(), 'it can be undone').toBeVisible()
  }
}

/** Checks that the form reopens with its draft after a reload and after each way of closing it. Returns the draft's key. */
async function proveDraft(page: Page, write: Write, { typed, closings = [] }: Form) {
  const survives = async (what: string) => {
    await write.open(page)
    const [input, text] = typed(page)
    await expect(input, `a draft survives ${what}`).toHaveValue(text)
  }
  const [, text] = typed(page)
  await expect.poll(() => keysOfDrafts(page, text), 'the draft is stored').toHaveLength(1)
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
  expect(page.locator('.toast-g.success').first(), 'the success is shown').toBeVisible()
export const busyButton = (page: Page) => page.locator('button[aria-busy="true"]')
export const says = (words: string) => (page: Page) => page.getByText(words)
