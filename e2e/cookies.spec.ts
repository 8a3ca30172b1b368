import type { BrowserContext, Page, Request } from '@playwright/test'
import { address, fillInquiry } from './form-leaks.ts'
import { expect, openAndSignIn, PUBLIC_PAGES, REALM, signIn, SITE, startApp, test } from './kit.ts'

test.use({ asksForCookies: true })

const dialog = (page: Page) =>
  page.getByRole('dialog', { name: 'Your Privacy Choices', exact: true })
const clickButton = (page: Page, name: string) =>
  dialog(page).getByRole('button', { name, exact: true }).click()
const stored = (page: Page) => page.evaluate(() => sessionStorage.getItem('cookieConsent'))
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const messages = (page: Page) => page.locator('.toast-message')

/** Longer than the dialog takes to appear. */
const LONG_ENOUGH_MS = 2500

const EARLIEST_MS = 1500
const LATEST_MS = 1800
const LOADS_MAX = 5

const CHOICES = [
  {
    choice: 'essential',
    button: 'Essential Only',
    toast: 'Essential cookies only accepted',
    type: 'info',
  },
  { choice: 'all', button: 'Accept All', toast: 'All cookies accepted', type: 'success' },
] as const

test.describe('the cookie dialog', () => {
  async function measureDelay(page: Page) {
    await page.goto('/')
    await expect(dialog(page)).toBeVisible()
    const { loaded, asked } = await page.evaluate(
      () => Reflect.get(window, 'times') as { loaded: number; asked: number },
    )
    expect(loaded).toBeGreaterThan(0)
    return asked - loaded
  }

  function watchTimes() {
    const times = { loaded: 0, asked: 0 }
    Object.assign(window, { times })
    window.addEventListener('load', () => (times.loaded = performance.now()))
    new MutationObserver(() => {
      if (!times.asked && document.querySelector('[role="dialog"]')) times.asked = performance.now()
    }).observe(document, { childList: true, subtree: true })
  }

  test('[COOKIE-01] the cookie dialog appears 1.5 to 1.8 s after load', async ({ page }) => {
    await page.addInitScript(watchTimes)
    const delays: number[] = []
    // Retries: a busy machine delays the dialog, one undisturbed load suffices.
    while (delays.length < LOADS_MAX && !delays.some((delay) => delay <= LATEST_MS))
      delays.push(await measureDelay(page))
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(EARLIEST_MS)
    expect(Math.min(...delays)).toBeLessThanOrEqual(LATEST_MS)
  })

  test('[COOKIE-01] a slow network does not delay the cookie dialog: it is part of the document', async ({
    page,
  }) => {
    await page.addInitScript(watchTimes)
    const scripts: string[] = []
    await page.route('**/static/*.js', async (route) => {
      scripts.push(new URL(route.request().url()).pathname)
      await new Promise((resolve) => {
        setTimeout(resolve, 800)
      })
      await route.continue()
    })
    const delay = await measureDelay(page)
    expect(scripts).toHaveLength(1)
    // If loaded on demand, it would appear after 2.3 s.
    expect(delay).toBeLessThan(2200)
    await clickButton(page, 'Essential Only')
    // Not shown again after a choice.
    await page.reload()
    await page.waitForTimeout(LONG_ENOUGH_MS)
    await expect(dialog(page)).toHaveCount(0)
    expect(new Set(scripts).size).toBe(1)
  })

  test('[COOKIE-01] the cookie dialog opens on whatever page a visit starts', async ({ page }) => {
    for (const path of ['/contact', '/privacy', '/services', '/no/such/page']) {
      await page.goto(path)
      await expect(dialog(page), path).toBeVisible()
    }
  })

  test('[COOKIE-02] Essential cookies are always on, Analytics is on by default, and both are explained', async ({
    page,
  }) => {
    await page.goto('/')
    const switches = dialog(page).getByRole('switch')
    await expect(switches).toHaveCount(2)
    const essential = dialog(page).getByRole('switch', { name: /^Essential cookies/ })
    await expect(essential).toBeChecked()
    await expect(essential).toBeDisabled()
    const analytics = dialog(page).getByRole('switch', { name: /^Analytics cookies/ })
    await expect(analytics).toBeChecked()
    await expect(analytics).toBeEnabled()
    await expect(dialog(page)).toContainText('Not in use at present.')
    await analytics.click()
    await expect(analytics).not.toBeChecked()
    expect(await dialog(page).getByRole('button').allInnerTexts()).toEqual([
      'Essential Only',
      'Accept All',
    ])
    await dialog(page).getByRole('link', { name: 'Read the privacy notice' }).click()
    await expect(page).toHaveURL('/privacy#cookies')
    await expect(page.locator('#cookies').getByRole('heading')).toBeInViewport()
    await expect(dialog(page)).toBeVisible()
    expect(await stored(page)).toBeNull()
  })

  for (const width of [1440, 390])
    test(`[COOKIE-02] both cookie buttons have the same size and the same look, ${width} wide`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 844 })
      await page.goto('/')
      await expect(dialog(page)).toBeVisible()
      const styles = await dialog(page)
        .getByRole('button')
        .evaluateAll((all) =>
          all.map((button) => {
            const { width: wide, height, top } = button.getBoundingClientRect()
            const style = getComputedStyle(button)
            return {
              wide: Math.round(wide),
              height: Math.round(height),
              top: Math.round(top),
              look: [
                style.color,
                style.backgroundColor,
                style.borderColor,
                style.borderWidth,
                style.fontSize,
                style.fontWeight,
                style.opacity,
                style.boxShadow,
                style.textDecorationLine,
              ],
            }
          }),
        )
      expect(styles).toHaveLength(2)
      expect(styles[1]).toEqual(styles[0])
    })

  test('[COOKIE-02] the cookie dialog is not modal: it takes no focus and no clicks from the page', async ({
    page,
  }) => {
    await page.goto('/contact')
    const name = page.getByLabel('Full name')
    await name.focus()
    await expect(dialog(page)).toBeVisible()
    await expect(dialog(page)).toHaveAttribute('aria-modal', 'false')
    await expect(name).toBeFocused()
    await page.keyboard.type('Nora')
    await expect(name).toHaveValue('Nora')
    await page.getByRole('banner').getByRole('link', { name: 'Profile', exact: true }).click()
    await expect(page).toHaveURL('/profile')
    await expect(dialog(page)).toBeVisible()
    expect(await stored(page)).toBeNull()
  })

  test('[COOKIE-02] on a phone the cookie dialog is below another dialog, whose buttons and Esc still work', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/contact')
    await page.getByLabel('Full name').fill('Nora Visitor')
    await page.getByLabel('Email').fill('nora@client.example')
    await page.getByLabel('Subject').fill('Backups')
    await page.getByLabel('Message').fill('Do you test them?')
    await expect(dialog(page)).toBeVisible()
    await page.getByRole('button', { name: 'Send message' }).click()
    const question = page.getByRole('dialog', { name: 'Authentication Required' })
    await expect(question).toBeVisible()
    for (const name of ['Sign In', 'Register', 'Close'])
      await question.getByRole('button', { name }).click({ trial: true })
    await page.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    expect(await stored(page)).toBeNull()
  })

  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    test(`[COOKIE-02] content below the cookie dialog can be scrolled clear of it, ${width} wide`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height })
      await page.goto('/contact')
      await expect(dialog(page)).toBeVisible()
      await page.getByRole('button', { name: 'Send message' }).click({ trial: true })
      const last = page.getByRole('contentinfo').getByRole('link').last()
      await last.focus()
      await last.click({ trial: true })
    })

  test('[COOKIE-02] on a phone the cookie dialog covers neither errors nor the result of a form', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.route('**/api/privacy/requests', (route) => route.abort(), { times: 1 })
    await page.goto('/privacy')
    await expect(dialog(page)).toHaveCSS('position', 'fixed')
    const form = page.locator('#inquiry')
    const send = form.getByRole('button', { name: 'Send request' })
    await send.click()
    await expect(form.locator('.invalid-feedback').first()).toBeVisible()
    await expect(dialog(page)).toHaveCSS('position', 'static')
    await fillInquiry(page, address())
    await expect(dialog(page)).toHaveCSS('position', 'fixed')
    await send.click()
    for (const kind of ['danger', 'success']) {
      await expect(form.locator(`.note.${kind}`)).toBeVisible()
      await expect(dialog(page)).toHaveCSS('position', 'static')
      await expect(send).toBeFocused()
      if (kind === 'danger') await send.press('Enter')
    }
  })

  test('[COOKIE-02] turning Analytics off explains each cookie button', async ({ page }) => {
    await page.goto('/')
    const analytics = dialog(page).getByRole('switch', { name: /^Analytics cookies/ })
    const words = 'Essential Only keeps this off. Accept All turns it on.'
    await expect(dialog(page)).not.toContainText(words)
    await analytics.click()
    await expect(analytics).not.toBeChecked()
    await expect(dialog(page)).toContainText(words)
    await analytics.click()
    await expect(dialog(page)).not.toContainText(words)
  })

  test('[COOKIE-02] Esc closes the cookie dialog and stores nothing', async ({ page }) => {
    const sent = watchProof(page)
    await page.goto('/')
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    expect(await stored(page)).toBeNull()
    await expect(messages(page)).toHaveCount(0)
    await page.getByRole('banner').getByRole('link', { name: 'Contact', exact: true }).click()
    await expect(heading(page)).toHaveText('Contact')
    await page.waitForTimeout(LONG_ENOUGH_MS)
    await expect(dialog(page)).toHaveCount(0)
    expect(sent).toEqual([])
    // No choice was stored: the next load shows it again.
    await page.reload()
    await expect(dialog(page)).toBeVisible()
  })

  test('[COOKIE-02] Global Privacy Control turns the Analytics switch off by default and says why; the visitor still decides', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })
    })
    const sent = watchProof(page)
    await page.goto('/')
    const analytics = dialog(page).getByRole('switch', { name: /^Analytics cookies/ })
    await expect(analytics).not.toBeChecked()
    await expect(dialog(page)).toContainText(
      'Your browser sends a Global Privacy Control signal, so Analytics starts off.',
    )
    await expect(dialog(page).getByRole('switch', { name: /^Essential/ })).toBeChecked()
    await analytics.click()
    await expect(analytics).toBeChecked()
    await clickButton(page, 'Accept All')
    expect(await stored(page)).toBe('all')
    await expect.poll(() => sent.length).toBe(1)
    expect(sent[0]?.postDataJSON()).toMatchObject({ gpc: true, switchState: true, choice: 'all' })
  })

  test('[COOKIE-02] nothing non-essential is stored or requested before a cookie choice', async ({
    page,
    context,
  }) => {
    const requests = watchRequests(page)
    await page.goto('/privacy')
    const registry = await readRegistry(page)
    for (const path of ['/', '/contact', '/msp/services', '/services']) {
      await page.goto(path)
      await expect(dialog(page), path).toBeVisible()
      expect(unknownOf(await keysOf(page, context), registry.filter(isEssential)), path).toEqual([])
    }
    expect(await context.cookies()).toEqual([])
    expect(requests.filter((url) => new URL(url).origin !== SITE)).toEqual([])
    expect(requests.filter((url) => url.includes('/api/privacy/choices'))).toEqual([])
  })
})

test.describe('the cookie choice', () => {
  for (const width of [1440, 390])
    test(`a toast has the same box and look before and after the app starts, ${width} wide`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 844 })
      // Without the line that shows the remaining time.
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const showToast = async (app: 'document' | 'running') => {
        await page.goto('/privacy')
        if (app === 'running') await startApp(page)
        await expect(dialog(page)).toBeVisible()
        await expect(page.locator('html')).toHaveAttribute('data-app', app)
        await clickButton(page, 'Accept All')
        await expect(messages(page)).toBeVisible()
        const looks = await page.locator('.toasts, .toasts *').evaluateAll(describeLooks)
        await page.evaluate(() => sessionStorage.clear())
        return looks
      }
      const before = await showToast('document')
      expect(before.length).toBeGreaterThan(5)
      expect(await showToast('running')).toEqual(before)
    })

  for (const { choice, button, toast, type } of CHOICES)
    test(`[COOKIE-03] [COOKIE-04] ${button} is stored as ${choice} for the session, with the toast “${toast}”`, async ({
      page,
      context,
    }) => {
      await page.goto('/')
      await clickButton(page, button)
      await expect(dialog(page)).toHaveCount(0)
      await expect(messages(page)).toHaveText([toast])
      await expect(page.locator('.toast-g')).toHaveClass(`toast-g ${type}`)
      expect(await stored(page)).toBe(choice)
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
      await page.reload()
      await page.waitForTimeout(LONG_ENOUGH_MS)
      await expect(dialog(page)).toHaveCount(0)
      await expect(messages(page)).toHaveCount(0)
      await page.getByRole('banner').getByRole('link', { name: 'Contact', exact: true }).click()
      await expect(heading(page)).toHaveText('Contact')
      await page.goto('/privacy')
      await page.waitForTimeout(LONG_ENOUGH_MS)
      await expect(dialog(page)).toHaveCount(0)
      expect(await stored(page)).toBe(choice)
      // A new tab is a new session.
      const other = await context.newPage()
      await other.goto('/')
      await expect(dialog(other)).toBeVisible()
    })

  for (const { choice, button } of CHOICES)
    test(`[COOKIE-02] [COOKIE-03] ${button} stores ${choice} regardless of the switch`, async ({
      page,
    }) => {
      const sent = watchProof(page)
      await page.goto('/')
      await dialog(page)
        .getByRole('switch', { name: /^Analytics/ })
        .click()
      await clickButton(page, button)
      expect(await stored(page)).toBe(choice)
      await expect.poll(() => sent.length).toBe(1)
      expect(sent[0]?.postDataJSON()).toMatchObject({ choice, switchState: choice === 'all' })
    })

  for (const { choice, button } of CHOICES)
    test(`[COOKIE-03] the reopened cookie dialog shows the current choice: ${choice}`, async ({
      page,
    }) => {
      await page.goto('/')
      await clickButton(page, button)
      const settings = page
        .getByRole('contentinfo')
        .getByRole('button', { name: 'Cookie settings' })
      await settings.click()
      const analytics = dialog(page).getByRole('switch', { name: /^Analytics/ })
      await expect(analytics).toBeChecked({ checked: choice === 'all' })
      await page.keyboard.press('Escape')
      await page.reload()
      await settings.click()
      await expect(analytics).toBeChecked({ checked: choice === 'all' })
    })

  for (const value of ['', 'none', 'ALL', 'true'])
    test(`[COOKIE-03] “${value}” in session storage does not count as a cookie choice`, async ({
      page,
    }) => {
      await page.addInitScript((text) => sessionStorage.setItem('cookieConsent', text), value)
      await page.goto('/contact')
      await expect(dialog(page)).toBeVisible()
    })

  test('[COOKIE-04] the cookie choice can be changed from the footer and section 10, and the focus returns', async ({
    page,
  }) => {
    await page.goto('/privacy')
    await clickButton(page, 'Accept All')
    await expect(messages(page)).toHaveText(['All cookies accepted'])
    const triggers = [
      { place: page.getByRole('contentinfo'), answer: CHOICES[0] },
      { place: page.locator('#cookies'), answer: CHOICES[1] },
      { place: page.locator('#cookies'), answer: CHOICES[0] },
    ]
    for (const { place, answer } of triggers) {
      await expect(messages(page)).toHaveCount(0)
      const settings = place.getByRole('button', { name: 'Cookie settings', exact: true })
      await settings.click()
      await expect(dialog(page)).toBeVisible()
      await expect(dialog(page)).toBeFocused()
      await clickButton(page, answer.button)
      await expect(dialog(page)).toHaveCount(0)
      await expect(settings).toBeFocused()
      await expect(messages(page)).toHaveText([answer.toast])
      await expect(page.locator('.toast-g')).toHaveClass(`toast-g ${answer.type}`)
      expect(await stored(page)).toBe(answer.choice)
    }
    // Esc keeps the choice.
    await page.getByRole('contentinfo').getByRole('button', { name: 'Cookie settings' }).click()
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    expect(await stored(page)).toBe('essential')
  })
})

test.describe('the proof', () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

  async function expectNameless(request: Request) {
    expect(request.method()).toBe('POST')
    const body = request.postDataJSON() as Record<string, unknown>
    expect(Object.keys(body).toSorted()).toEqual([
      'choice',
      'choiceId',
      'dialogHash',
      'gpc',
      'noticeVersion',
      'switchState',
    ])
    expect(body).toMatchObject({
      choiceId: expect.stringMatching(UUID),
      gpc: false,
      noticeVersion: expect.stringMatching(/^\d+\.\d+$/),
      dialogHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const headers = await request.allHeaders()
    expect(Object.keys(headers)).not.toContain('cookie')
    expect(Object.keys(headers)).not.toContain('authorization')
    return body
  }

  test('[COOKIE-04] each cookie choice sends six fields without identifying the visitor', async ({
    page,
  }) => {
    const sent = watchProof(page)
    await page.goto('/')
    await clickButton(page, 'Accept All')
    await expect.poll(() => sent.length).toBe(1)
    await page.getByRole('contentinfo').getByRole('button', { name: 'Cookie settings' }).click()
    await clickButton(page, 'Essential Only')
    await expect.poll(() => sent.length).toBe(2)
    const bodies = await Promise.all(sent.map(expectNameless))
    expect(bodies.map(({ choice }) => choice)).toEqual(['all', 'essential'])
    expect(bodies.map(({ switchState }) => switchState)).toEqual([true, true])
    // A new id per decision, so that two can't be linked.
    expect(bodies[1]?.['choiceId']).not.toBe(bodies[0]?.['choiceId'])
    expect(bodies[1]?.['dialogHash']).toBe(bodies[0]?.['dialogHash'])
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(
      String(bodies[1]?.['choiceId']),
    )
  })

  test('[COOKIE-04] the consent proof of a signed-in user does not identify them', async ({
    page,
    user,
  }) => {
    const sent = watchProof(page)
    await openAndSignIn(page, user)
    await clickButton(page, 'Essential Only')
    await expect.poll(() => sent.length).toBe(1)
    await Promise.all(sent.map(expectNameless))
  })

  test('[COOKIE-04] the API stores the consent proof', async ({ page }) => {
    await page.goto('/')
    const response = page.waitForResponse('**/api/privacy/choices')
    await clickButton(page, 'Essential Only')
    expect((await response).status()).toBe(204)
  })

  for (const [what, status] of [
    ['fails', 500],
    ['rate-limits', 429],
    ['can’t be reached', null],
  ] as const)
    test(`[COOKIE-04] a consent API that ${what} does not affect the page`, async ({
      page,
      complaints,
    }) => {
      await page.route('**/api/privacy/choices', (route) =>
        status === null ? route.abort() : route.fulfill({ status, body: 'No' }),
      )
      await page.goto('/contact')
      await clickButton(page, 'Accept All')
      await expect(dialog(page)).toHaveCount(0)
      await expect(messages(page)).toHaveText(['All cookies accepted'])
      expect(await stored(page)).toBe('all')
      await page.waitForTimeout(500)
      await expect(messages(page)).toHaveText(['All cookies accepted'])
      await expect(page.getByRole('alert')).toHaveCount(0)
      // The browser logs the failed request; the page adds nothing.
      expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
    })
})

test.describe('the storage registry', () => {
  const PAGES = [...PUBLIC_PAGES, '/services', '/articles', '/no/such/page']

  test('[COOKIE-02] the notice names every key this site stores, and no request leaves it but to the identity provider', async ({
    page,
    context,
    user,
  }) => {
    test.setTimeout(180_000)
    const requests = watchRequests(page)
    await page.goto('/privacy')
    const registry = await readRegistry(page)
    expect(registry.length).toBeGreaterThan(5)
    const seen = new Set<string>()
    const check = async (where: string) => {
      const keys = await keysOf(page, context)
      for (const key of keys) seen.add(key)
      expect(unknownOf(keys, registry), where).toEqual([])
    }
    await clickButton(page, 'Accept All')
    for (const path of PAGES) {
      await page.goto(path)
      await expect(heading(page), path).toBeVisible()
      await check(path)
    }
    await page.goto('/contact')
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Theme/ })
      .click()
    await page.getByLabel('Full name').fill('Nora')
    await page.getByRole('banner').getByRole('link', { name: 'Privacy', exact: true }).click()
    await expect(heading(page)).toHaveText('Privacy notice')
    await check('/contact, written in')
    await signIn(page, user)
    for (const path of ['/tickets', '/services', '/tickets/create']) {
      await page.goto(path)
      await expect(heading(page), path).toBeVisible()
      await check(`${path}, signed in`)
    }
    await page.goto('/services?sort=name')
    await page.locator('.c-main a').first().click()
    await expect(page).toHaveURL(/\/services\/[\w-]+$/)
    await check('a record, signed in')
    // The check has seen real keys.
    expect([...seen].map((key) => key.split(':')[0])).toEqual(
      expect.arrayContaining([
        'local storage themeMode',
        'session storage cookieConsent',
        'session storage dynamicRoutes',
        'session storage oidc.user',
      ]),
    )
    await page.evaluate(() => {
      sessionStorage.setItem('planted', '1')
      document.cookie = 'planted=1'
    })
    expect(unknownOf(await keysOf(page, context), registry)).toEqual([
      'session storage planted',
      expect.stringContaining('cookie of this site'),
      'cookie of the identity provider planted',
    ])
    const provider = new URL(REALM).origin
    const elsewhere = requests.filter((url) => ![SITE, provider].includes(new URL(url).origin))
    expect(elsewhere).toEqual([])
  })
})

/** Box and computed style of each element. */
const describeLooks = (elements: Element[]) =>
  elements.map((element) => {
    const style = getComputedStyle(element)
    return {
      tag: element.tagName,
      box: element.getBoundingClientRect().toJSON() as object,
      style: Object.fromEntries([...style].map((name) => [name, style.getPropertyValue(name)])),
    }
  })

/** Storage keys and places listed in section 10 of the notice. */
async function readRegistry(page: Page) {
  const entries = page.locator('#cookies tbody tr')
  await expect(entries).not.toHaveCount(0)
  const rows = await entries.evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent)),
  )
  return rows.flatMap(([names = '', what = '']) => {
    const [, kind = '', where = ''] = /\((\w+), ([^()]+)\)$/.exec(what) ?? []
    return names.split(', ').map((name) => ({
      pattern: `${where} ${name}`,
      kind,
    }))
  })
}
type Entry = Awaited<ReturnType<typeof readRegistry>>[number]

const isEssential = ({ kind }: Entry) => kind === 'essential'

async function keysOf(page: Page, context: BrowserContext) {
  const inPage = await page.evaluate(async () => [
    ...Object.keys(localStorage).map((key) => `local storage ${key}`),
    ...Object.keys(sessionStorage).map((key) => `session storage ${key}`),
    ...(await indexedDB.databases()).map(({ name }) => `database ${name}`),
    ...(await caches.keys()).map((key) => `cache ${key}`),
    ...(document.cookie ? [`cookie of this site ${document.cookie}`] : []),
  ])
  // Cookies ignore ports: on the same host the provider's are visible here too.
  const cookies = (await context.cookies()).map(
    ({ name }) => `cookie of the identity provider ${name}`,
  )
  return [...inPage, ...cookies]
}

const unknownOf = (keys: string[], registry: Entry[]) =>
  keys.filter((key) => !registry.some(({ pattern }) => toExpression(pattern).test(key)))

/** `*` stands for the rest of a name. */
const toExpression = (pattern: string) =>
  new RegExp(`^${pattern.split('*').map(escape).join('.*')}$`)
const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

function watchRequests(page: Page) {
  const urls: string[] = []
  page.on('request', (request) => {
    if (request.url().startsWith('http')) urls.push(request.url())
  })
  return urls
}

function watchProof(page: Page) {
  const sent: Request[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/privacy/choices') sent.push(request)
  })
  return sent
}
