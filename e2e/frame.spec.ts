import type { Page } from '@playwright/test'
import {
  instructionParam,
  config,
  crumbsOf,
  expect,
  navigate,
  signInAndOpen,
  REALM,
  signIn,
  startApp,
  SITE,
  test,
} from './kit.ts'
import { oddPathsOf, trapsFor } from '../web/test/open-redirect-cases.ts'

const FROM_LINK = 'This message came from the link you opened, not from us.'

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const toasts = (page: Page) => page.locator('.toast-g')
const messages = (page: Page) => page.locator('.toast-message')

test.describe('the frame', () => {
  const PAGES = [
    { path: '/', crumbs: 0 },
    { path: '/profile', crumbs: 1 },
    { path: '/contact', crumbs: 1 },
    { path: '/privacy', crumbs: 1 },
    { path: '/security', crumbs: 1 },
    { path: '/msp/services', crumbs: 1 },
    { path: '/msp-services', crumbs: 1 },
    { path: '/services', crumbs: 1 },
    { path: '/articles', crumbs: 1 },
    { path: '/login', crumbs: 1 },
    { path: '/unauthorised', crumbs: 1 },
    { path: '/nothing/here', crumbs: 1 },
  ]

  for (const { path, crumbs } of PAGES)
    test(`[LAY-01] [CRUMB-01] ${path} has the page frame, with working toasts and modals`, async ({
      page,
    }) => {
      await page.goto(
        `${path}?${instructionParam('toast', { message: 'A toast', autohide: false })}&${instructionParam('modal', { title: 'A modal', body: 'Its text' })}`,
      )
      await expect(page.getByRole('dialog', { name: 'A modal' })).toContainText('Its text')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(messages(page)).toHaveText(['A toast'])
      await expect(page.getByRole('banner')).toHaveCount(1)
      await expect(page.getByRole('main')).toHaveCount(1)
      await expect(page.getByRole('main').locator('.page')).toHaveCount(1)
      await expect(heading(page)).toBeVisible()
      await expect(page.getByRole('contentinfo')).toHaveCount(1)
      await expect(page.locator('.toasts')).toHaveCount(1)
      await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toHaveCount(crumbs)
      const order = await page
        .locator('header.site-header, main, footer.site-footer, .toasts')
        .evaluateAll((parts) => parts.map((part) => part.className || part.localName))
      expect(order.map((name) => name.split(' ')[0])).toEqual([
        'site-header',
        'main',
        'site-footer',
        'toasts',
      ])
    })

  const watchTransitions = () => {
    const seen: string[][] = []
    Object.assign(window, { seen })
    const watch = (transition: ViewTransition) =>
      transition.ready.then(
        () => {
          seen.push(
            document.getAnimations().flatMap((animation) => {
              const { pseudoElement } = animation.effect as KeyframeEffect
              // Zero-length animations are not motion.
              const hasTime = Number(animation.effect?.getComputedTiming().duration) > 0
              return hasTime && pseudoElement?.startsWith('::view-transition')
                ? [`${pseudoElement.split('(')[0]} ${(animation as CSSAnimation).animationName}`]
                : []
            }),
          )
        },
        () => {},
      )
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (options) => {
      const transition = start(options)
      void watch(transition)
      return transition
    }
    // Transitions between documents.
    window.addEventListener('pagereveal', ({ viewTransition }) => {
      if (viewTransition) void watch(viewTransition)
    })
  }
  const seen = (page: Page) => page.evaluate(() => Reflect.get(window, 'seen') as string[][])

  test('[LAY-01] a navigation animates the main area', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.addInitScript(watchTransitions)
    await page.goto('/')
    await expect(heading(page)).toBeVisible()
    await page.getByRole('banner').getByRole('link', { name: 'Contact', exact: true }).click()
    await expect(page).toHaveURL('/contact')
    await expect
      .poll(async () => (await seen(page)).flat())
      .toEqual(['::view-transition-new enter'])
    // Starts the app: no other document is loaded from here on.
    await startApp(page)
    const before = (await seen(page)).length
    await page.getByRole('banner').getByRole('link', { name: 'Privacy', exact: true }).click()
    await expect(page).toHaveURL('/privacy')
    await expect.poll(async () => (await seen(page)).length).toBeGreaterThan(before)
    expect((await seen(page)).slice(before).flat()).toContain('::view-transition-new enter')
  })

  test('[LAY-01] with reduced motion no animation runs on a navigation', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.addInitScript(watchTransitions)
    await page.goto('/')
    await expect(heading(page)).toBeVisible()
    for (const name of ['Contact', 'Privacy', 'Profile']) {
      await page.getByRole('banner').getByRole('link', { name, exact: true }).click()
      await expect(page).toHaveURL(`/${name.toLowerCase()}`)
      await expect(page.locator('.busy')).toHaveCount(0)
      const running = await page.evaluate(() =>
        document
          .getAnimations()
          .filter(({ playState }) => playState === 'running')
          .map((animation) => (animation as CSSAnimation).animationName),
      )
      expect(running).toEqual([])
    }
    expect((await seen(page)).flat()).toEqual([])
  })
})

test.describe('instructions in navigation state', () => {
  const TOAST = { message: 'Stored, thank you', type: 'success', autohide: false }

  test('[LAY-02] a toast in navigation state is shown once, and its history state is cleared', async ({
    page,
  }) => {
    await page.goto('/')
    await expect(heading(page)).toBeVisible()
    await navigate(page, '/contact?subject=Backups', { toast: TOAST })
    await expect(messages(page)).toHaveText(['Stored, thank you'])
    await expect(toasts(page)).toHaveClass('toast-g success')
    // Our own messages have no warning.
    await expect(page.getByText(FROM_LINK)).toHaveCount(0)
    await expect(page).toHaveURL('/contact?subject=Backups')
    await expect
      .poll(() => page.evaluate(() => JSON.stringify(history.state)))
      .not.toContain('Stored')
    await page.reload()
    await expect(heading(page)).toHaveText('Contact')
    await waitFrames(page)
    await expect(toasts(page)).toHaveCount(0)
  })

  test('[LAY-02] a toast left in the history is shown after a reload, once', async ({ page }) => {
    await page.goto('/contact')
    await expect(heading(page)).toBeVisible()
    await page.evaluate(
      (toast) => history.replaceState({ usr: { toast }, key: 'kept', idx: 0 }, ''),
      TOAST,
    )
    await page.reload()
    await expect(messages(page)).toHaveText(['Stored, thank you'])
    await page.reload()
    await expect(heading(page)).toHaveText('Contact')
    await waitFrames(page)
    await expect(toasts(page)).toHaveCount(0)
    await page.getByRole('banner').getByRole('link', { name: 'Profile', exact: true }).click()
    await expect(page).toHaveURL('/profile')
    await page.goBack()
    await expect(heading(page)).toHaveText('Contact')
    await waitFrames(page)
    await expect(toasts(page)).toHaveCount(0)
  })

  test('[LAY-02] a toast survives the redirect of a guard', async ({ page }) => {
    await page.goto('/')
    await expect(heading(page)).toBeVisible()
    await navigate(page, '/tickets', { toast: TOAST })
    await expect(page).toHaveURL('/login?returnUrl=%2Ftickets')
    await expect(messages(page)).toHaveText(['Stored, thank you'])
    await page.reload()
    await expect(heading(page)).toHaveText('Sign in')
    await waitFrames(page)
    await expect(toasts(page)).toHaveCount(0)
  })

  test('[LAY-02] the site’s own redirect shows its toast once, and never in the URL', async ({
    page,
  }) => {
    await page.goto('/logout-callback?returnUrl=%2Fprofile')
    await expect(page).toHaveURL('/profile')
    await expect(messages(page)).toHaveText(["You've been signed out successfully."])
    await page.reload()
    await expect(heading(page)).toBeVisible()
    await waitFrames(page)
    await expect(toasts(page)).toHaveCount(0)
  })

  test('[LAY-03] a modal in navigation state is shown once, and its history state is cleared', async ({
    page,
  }) => {
    await page.goto('/')
    await expect(heading(page)).toBeVisible()
    await navigate(page, '/contact', { modal: { title: 'Please note', body: 'We are closed' } })
    const dialog = page.getByRole('dialog', { name: 'Please note' })
    await expect(dialog.locator('.modal-message')).toHaveText('We are closed')
    await expect(page.getByText(FROM_LINK)).toHaveCount(0)
    await expect
      .poll(() => page.evaluate(() => JSON.stringify(history.state)))
      .not.toContain('Please note')
    await page.reload()
    await expect(heading(page)).toHaveText('Contact')
    await waitFrames(page)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
})

test.describe('instructions in the URL', () => {
  test('[LAY-04] a toast in the URL is shown as plain text, says that it came from a link, and is removed from the URL', async ({
    page,
  }) => {
    const toast = {
      message: '<b>Free</b> [gift](https://evil.test)',
      type: 'warning',
      autohide: false,
      closeButton: false,
    }
    await page.goto(`/contact?subject=Backups&${instructionParam('toast', toast)}#main`)
    await expect(messages(page)).toHaveText([toast.message])
    await expect(toasts(page)).toHaveClass('toast-g warning')
    await expect(toasts(page).locator('.toast-message *')).toHaveCount(0)
    await expect(toasts(page).locator('.toast-message + *')).toHaveText(FROM_LINK)
    await expect(toasts(page).getByRole('link')).toHaveCount(0)
    await expect(toasts(page).getByRole('button')).toHaveCount(0)
    await expect(page).toHaveURL('/contact?subject=Backups#main')
    await page.reload()
    await expect(heading(page)).toHaveText('Contact')
    await waitFrames(page)
    await expect(toasts(page)).toHaveCount(0)
  })

  for (const [delay, expected] of [
    [1, 1000],
    [2000, 2000],
  ] as const)
    test(`[LAY-04] a toast in the URL with delay ${delay} ms hides after ${expected}`, async ({
      page,
    }) => {
      await page.goto('/')
      await expect(heading(page)).toBeVisible()
      const lived = await lifetime(
        page,
        `/contact?${instructionParam('toast', { message: 'Short', delay })}`,
      )
      expect(lived).toBeGreaterThan(expected - 100)
      expect(lived).toBeLessThan(expected + 900)
    })

  test('[LAY-05] a modal in the URL is shown as plain text, says that it came from a link, and is removed from the URL', async ({
    page,
  }) => {
    const modal = {
      title: '<i>Prize</i>',
      body: '<a href="https://evil.test">Here</a>',
      size: 'lg',
    }
    await page.goto(`/contact?${instructionParam('modal', modal)}`)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('heading')).toHaveText(modal.title)
    await expect(dialog.locator('.modal-message')).toHaveText(modal.body)
    await expect(dialog.locator('.modal-message *, h2 *')).toHaveCount(0)
    await expect(dialog.locator('.modal-message + *')).toHaveText(FROM_LINK)
    await expect(dialog.getByRole('link')).toHaveCount(0)
    await expect(dialog.locator('.modal-dialog')).toHaveClass(/\bmodal-lg\b/)
    await expect(page).toHaveURL('/contact')
    await page.reload()
    await expect(heading(page)).toHaveText('Contact')
    await waitFrames(page)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })

  for (const [what, query] of [
    ['no JSON', 'toast=Hello'],
    ['of an unknown type', instructionParam('toast', { message: 'Hello', type: 'html' })],
    ['without a message', instructionParam('toast', { type: 'info' })],
    ['longer than 500 characters', instructionParam('toast', { message: 'a'.repeat(501) })],
    ['a modal without a title', instructionParam('modal', { body: 'Hello' })],
    ['a modal that is a list', instructionParam('modal', [])],
  ] as const)
    test(`[LAY-06] [TOAST-01] an instruction that is ${what} is only logged, and the page works`, async ({
      page,
      complaints,
    }) => {
      await page.goto(`/contact?${query}`)
      await expect(heading(page)).toHaveText('Contact')
      await expect(page).toHaveURL('/contact')
      await waitFrames(page)
      await expect(toasts(page)).toHaveCount(0)
      await expect(page.getByRole('dialog')).toHaveCount(0)
      expect(complaints).toEqual([expect.stringMatching(/^Invalid instruction /)])
      await page.getByRole('banner').getByRole('link', { name: 'Profile', exact: true }).click()
      await expect(page).toHaveURL('/profile')
      await expect(heading(page)).toHaveText(config.owner.name)
    })

  /** Untrusted message texts. Each must be shown as text. */
  const TEXTS = [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)>',
    '<svg><script href="https://evil.test/x.js" /></svg>',
    '<iframe src="https://evil.test"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<a href="javascript:alert(1)">go</a>',
    '<a href="https://evil.test" autofocus onfocus=alert(1)>go</a>',
    '<form action="https://evil.test"><input name=password></form>',
    '<meta http-equiv="refresh" content="0;url=https://evil.test">',
    '<base href="https://evil.test/">',
    '<link rel=stylesheet href="https://evil.test/x.css">',
    '<style>*{display:none}</style>',
    '<body onload=alert(1)>',
    '<details open ontoggle=alert(1)>',
    '<object data="data:text/html,<script>alert(1)</script>">',
    '<math><mtext><img src=x onerror=alert(1)></mtext></math>',
    '</div></main><h1>Owned</h1>',
    '"><script>alert(1)</script>',
    "' onmouseover='alert(1)",
    '`${alert(1)}`',
    '{{constructor.constructor("alert(1)")()}}',
    '${{7*7}}',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'https://evil.test/login',
    '[click](javascript:alert(1))',
    '![x](https://evil.test/pixel.png)',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '&#60;script&#62;alert(1)',
    '\\u003cscript\\u003ealert(1)',
    '%3Cscript%3Ealert(1)%3C/script%3E',
    '\u0000<script>\u0000alert(1)',
    'a\u2028alert(1)\u2029b',
    '\u202Etset.live//:sptth',
    '\u2066\u2067\u2068hidden\u2069',
    '\uFEFF<script>alert(1)</script>',
    '\uFF1Cscript\uFF1Ealert(1)',
    'line\nbreak\r\nand\ttab',
    'a'.repeat(500),
    '🏴‍☠️'.repeat(60),
    'Z̷̢͎̀a̴̱͒l̸̰̈g̶̣̽o',
    '__proto__',
    'constructor',
    '{"message":"<b>nested</b>"}',
    'null',
    '\ud800 half a pair',
    '<!--<script>-->alert(1)',
    '<![CDATA[<script>alert(1)</script>]]>',
    "'; drop table tickets; --",
  ]
  /** Odd instructions, and the text shown of each, if any. */
  const SHAPES: [raw: string, shown: string | null][] = [
    ['{"message":"a","__proto__":{"type":"danger"}}', 'a'],
    ['{"__proto__":{"message":"inherited"}}', null],
    ['{"message":"b","constructor":{"prototype":{"polluted":1}}}', 'b'],
    ['{"message":"c","type":"__proto__"}', null],
    ['{"message":"d","type":"constructor"}', null],
    ['{"message":"e","type":"toString"}', null],
    ['{"message":"f","type":["danger"]}', null],
    ['{"message":"g","type":null}', null],
    ['{"message":"h","delay":-1e308}', 'h'],
    ['{"message":"i","delay":1e999}', 'i'],
    ['{"message":"j","delay":"<b>"}', 'j'],
    ['{"message":"k","autohide":"no","closeButton":"<b>"}', 'k'],
    ['{"message":"l","note":"From us","href":"https://evil.test","html":"<b>x</b>"}', 'l'],
    ['{"message":"m","message":"n"}', 'n'],
    ['{"message":{"toString":"x"}}', null],
    ['{"message":["<b>a</b>"]}', null],
    ['{"message":7}', null],
    ['{"message":""}', null],
    ['{"message":null}', null],
    ['[]', null],
    ['[{"message":"a"}]', null],
    ['"{\\"message\\":\\"a\\"}"', null],
    ['7', null],
    ['null', null],
    ['true', null],
    ['', null],
    ['{', null],
    ['{"message":"a"', null],
    ["{'message':'a'}", null],
    ['{"message":"a"}<script>alert(1)</script>', null],
    ['\u0000{"message":"a"}', null],
    [`{"message":"${'a'.repeat(501)}"}`, null],
    [`{"message":"o","more":"${'b'.repeat(5000)}"}`, null],
    [`{"message":"p","more":${'['.repeat(3000)}${']'.repeat(3000)}}`, 'p'],
    [`${'{"a":'.repeat(1500)}1${'}'.repeat(1500)}`, null],
  ]

  test('[LAY-04] [LAY-06] an untrusted toast is shown as text only', async ({
    page,
    complaints,
  }) => {
    test.setTimeout(180_000)
    const left = watchForLeaving(page)
    await page.goto('/')
    await expect(heading(page)).toBeVisible()
    const cases = [
      ...TEXTS.map((text) => [JSON.stringify({ message: text }), text] as const),
      ...SHAPES,
    ]
    expect(cases.length).toBeGreaterThanOrEqual(60)
    for (const [index, [raw, shown]] of cases.entries()) {
      const address = `/contact?${instructionParam('toast', raw)}`
      // Some as page loads, the rest as in-app navigations.
      await (index % 8 === 0 ? page.goto(address) : navigate(page, address))
      await expect(page, raw).toHaveURL('/contact')
      if (shown === null) await expect(toasts(page), raw).toHaveCount(0)
      else {
        await expect(messages(page), raw).toHaveCount(1)
        expect(await partsOf(page, '.toast-message')).toEqual(whole(shown))
        await closeToast(page)
      }
    }
    await expect(heading(page)).toHaveText('Contact')
    expect(left).toEqual([])
    expect(await isPolluted(page)).toBe(false)
    expect(complaints.filter((text) => !text.startsWith('Invalid instruction'))).toEqual([])
  })

  test('[LAY-05] [LAY-06] an untrusted modal is shown as text only', async ({
    page,
    complaints,
  }) => {
    test.setTimeout(240_000)
    // No animation: only the dialog's text is tested.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const left = watchForLeaving(page)
    await page.goto('/')
    await expect(heading(page)).toBeVisible()
    const cases: [raw: string, shown: string | null][] = [
      ...TEXTS.map((text): [string, string] => [JSON.stringify({ title: text, body: text }), text]),
      ['{"title":"a","body":"b","footer":"<button>Pay</button>","note":"From us"}', 'b'],
      ['{"title":"a","content":"c"}', 'c'],
      ['{"title":"a","message":"d"}', 'd'],
      ['{"title":"a","body":"e","size":"__proto__"}', 'e'],
      ['{"title":"a","body":"f","size":{"a":1}}', 'f'],
      ['{"title":"a","body":{"html":"<b>x</b>"}}', null],
      ['{"title":"a","body":["x"]}', null],
      ['{"title":["a"],"body":"x"}', null],
      ['{"title":"a"}', null],
      ['{"body":"x"}', null],
      ['{"__proto__":{"title":"a","body":"x"}}', null],
      [`{"title":"${'a'.repeat(501)}","body":"x"}`, null],
      [`{"title":"a","body":"${'x'.repeat(501)}"}`, null],
      ['[]', null],
      ['null', null],
    ]
    expect(cases.length).toBeGreaterThanOrEqual(60)
    for (const [index, [raw, shown]] of cases.entries()) {
      const address = `/contact?${instructionParam('modal', raw)}`
      await (index % 8 === 0 ? page.goto(address) : navigate(page, address))
      await expect(page, raw).toHaveURL('/contact')
      if (shown === null) await expect(page.getByRole('dialog'), raw).toHaveCount(0)
      else {
        await expect(page.getByRole('dialog'), raw).toBeVisible()
        expect(await partsOf(page, '.modal-message')).toEqual(whole(shown))
        const title = (JSON.parse(raw) as { title: string }).title
        expect(await partsOf(page, '#modal-title')).toEqual(whole(title))
        await expect(page.getByRole('dialog').getByRole('button')).toHaveCount(1)
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
    }
    expect(left).toEqual([])
    expect(await isPolluted(page)).toBe(false)
    expect(complaints.filter((text) => !text.startsWith('Invalid instruction'))).toEqual([])
  })

  const partsOf = (page: Page, selector: string) =>
    page.locator(selector).evaluate((element) => ({
      text: element.textContent,
      elements: element.childElementCount,
    }))
  const whole = (text: string) => ({ text, elements: 0 })

  const isPolluted = (page: Page) =>
    page.evaluate(() => 'polluted' in {} || 'message' in {} || 'type' in {})
})

/** Records forbidden actions of a page: other origins, new windows, browser dialogs. */
function watchForLeaving(page: Page) {
  const left: string[] = []
  page.on('framenavigated', (frame) => {
    // Except the sign-in client's session iframe.
    const isProvider = frame.parentFrame() !== null && frame.url().startsWith(REALM)
    if (['about:blank', ''].includes(frame.url()) || isProvider) return
    if (new URL(frame.url()).origin !== SITE) left.push(frame.url())
  })
  page.on('popup', (popup) => left.push(`popup ${popup.url()}`))
  page.on('dialog', (dialog) => {
    left.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== SITE && !request.url().startsWith(REALM))
      left.push(`request ${request.url()}`)
  })
  return left
}

test.describe('validation of a returnUrl', () => {
  /** Three of four: each takes a navigation, and auth.test.ts tests all. */
  const TRAPS = trapsFor(SITE).filter((_trap, place) => place % 4 !== 3)
  /** Those that a URL can contain, except those that redirect to the start page. */
  const ODD = oddPathsOf(SITE).filter(
    (path) => path.isWellFormed() && new URL(path, SITE).pathname !== '/',
  )
  const at = (path: string, trap: string) => `${path}?returnUrl=${encodeURIComponent(trap)}`

  /** Opens each URL in the running app, where `path` redirects; returns the final URLs. */
  const follow = (page: Page, path: string, traps: string[]) =>
    page.evaluate(
      async ([from, addresses]) => {
        const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
        const ends: string[] = []
        for (const address of addresses) {
          history.pushState({ usr: null, key: crypto.randomUUID(), idx: 0 }, '', address)
          window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
          for (let tries = 0; location.pathname === from && tries < 500; tries++) await wait(10)
          await wait(20)
          ends.push(location.href)
        }
        return ends
      },
      [path, traps.map((trap) => at(path, trap))] as const,
    )

  for (const path of ['/logout-callback', '/login', '/signin-callback'])
    test(`[AUTH-03] [AUTH-06] [PERM-03] no returnUrl of ${path} redirects off the site`, async ({
      page,
      user,
    }) => {
      test.setTimeout(180_000)
      expect(TRAPS.length).toBeGreaterThanOrEqual(60)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto('/contact')
      // The last two redirect only when signed in.
      if (path === '/logout-callback') await expect(heading(page)).toBeVisible()
      else await signIn(page, user)
      const left = watchForLeaving(page)
      const ends = await follow(page, path, TRAPS)
      expect(ends).toEqual(TRAPS.map(() => `${SITE}/`))
      const odd = await follow(page, path, ODD)
      expect(odd.map((end) => new URL(end).origin)).toEqual(ODD.map(() => SITE))
      expect(odd.every((end) => new URL(end).pathname !== '/')).toBe(true)
      // A few as page loads, which take another code path.
      for (const trap of [
        'https://evil.test',
        '//evil.test',
        '/\\evil.test',
        'javascript:alert(1)',
      ]) {
        await page.goto(at(path, trap))
        await expect(page, trap).toHaveURL('/')
      }
      expect(left).toEqual([])
    })

  test('[AUTH-02] [PERM-03] the redirect URI that /login sends to the identity provider returns to this site', async ({
    page,
  }) => {
    for (const trap of [
      'https://evil.test',
      '//evil.test',
      '/\\evil.test',
      'javascript:alert(1)',
    ]) {
      await page.goto(at('/login', trap))
      await expect(page).toHaveURL(at('/login', trap))
      const authRequest = page.waitForRequest((request) =>
        request.url().startsWith(`${REALM}/protocol/`),
      )
      await page.getByRole('main').getByRole('button', { name: 'Sign In' }).click()
      const back = new URL((await authRequest).url()).searchParams.get('redirect_uri')
      expect(back, trap).toBe(`${SITE}/signin-callback?returnUrl=%2F`)
      await page.waitForURL(`${REALM}/**`)
    }
  })

  test('[ROUTE-03] /signin-callback without a sign-in redirects to /login, whatever its returnUrl', async ({
    page,
  }) => {
    const left = watchForLeaving(page)
    for (const trap of TRAPS.slice(0, 6)) {
      await page.goto(at('/signin-callback', trap))
      await expect(page, trap).toHaveURL('/login')
    }
    expect(left).toEqual([])
  })
})

test.describe('the footer', () => {
  test('[LAY-07] the footer has the copyright line with this year and the owner’s credit', async ({
    page,
  }) => {
    await page.goto('/')
    await expect(page.getByRole('contentinfo').getByText('©')).toHaveText(
      `© ${new Date().getFullYear()} ${config.site.name}. Website built and run by ${config.owner.credit}.`,
    )
  })

  test('[LAY-08] the footer has eight named social links in order; five link to profiles', async ({
    page,
  }) => {
    await page.goto('/contact')
    const row = page.getByRole('list', { name: 'Social profiles' })
    const links = row.getByRole('link')
    await expect(links).toHaveCount(8)
    const found = await links.evaluateAll((all) =>
      all.map((link) => [
        link.getAttribute('aria-label'),
        link.getAttribute('href'),
        link.getAttribute('rel'),
      ]),
    )
    const { socials } = config
    const isSample = (href: string) => new URL(href).hostname.endsWith('.example')
    expect(found).toEqual(
      [
        ['Certificate credentials', socials['credentials']],
        ['Cloud learning profile', socials['cloudLearning']],
        ['Developer profile', socials['developerProfile']],
        ['Code hosting', socials['codeHosting']],
        ['Messaging app', socials['messaging']],
        ['Microblog', socials['microblog']],
        ['Social network', socials['socialNetwork']],
        ['Professional network', socials['professionalNetwork']],
      ].map(([name, href = '']) => [
        isSample(href) ? `${name} (sample)` : name,
        href,
        'me noopener',
      ]),
    )
    const paths = found.map(([, href]) => new URL(href ?? '').pathname)
    for (const path of paths.slice(0, 5)) expect(path).not.toBe('/')
    expect(paths.slice(5)).toEqual(['/', '/', '/'])
    for (const [, href] of found) expect(href).toMatch(/^https:\/\//)
    // Loaded from a separate file.
    for (const icon of await row.locator('svg use').all())
      await expect
        .poll(() => icon.evaluate((use) => (use as SVGUseElement).getBBox().width))
        .toBeGreaterThan(0)
    await expect(row.locator('svg use')).toHaveCount(8)
    await expect(page.getByText('Sample', { exact: true })).toHaveCount(0)
    // Sample profiles are not in the structured data.
    const home = await (await page.request.get('/')).text()
    expect(home).toContain('"ProfessionalService"')
    expect(home).not.toMatch(/"sameAs":[^\]]*\.example/)
  })
})

test.describe('the navigation', () => {
  test('[NAV-01] the navigation starts with working links to Home, Profile, Contact and Privacy', async ({
    page,
  }) => {
    await page.goto('/nothing/here')
    const menu = page.getByRole('banner').getByRole('navigation', { name: 'Main' })
    const links = menu.getByRole('link')
    await expect(links).not.toHaveCount(0)
    const found = await links.evaluateAll((all) =>
      all.map((link) => `${link.textContent} ${link.getAttribute('href')}`),
    )
    expect(found.slice(0, 4)).toEqual([
      'Home /',
      'Profile /profile',
      'Contact /contact',
      'Privacy /privacy',
    ])
    for (const [name, path, title] of [
      ['Profile', '/profile', config.owner.name],
      ['Contact', '/contact', 'Contact'],
      ['Privacy', '/privacy', 'Privacy notice'],
      ['Home', '/', config.owner.name],
    ] as const) {
      await menu.getByRole('link', { name, exact: true }).click()
      await expect(page).toHaveURL(path)
      await expect(heading(page)).toHaveText(title)
      await expect(menu.locator('[aria-current="page"]')).toHaveText([name])
    }
  })

  test('[NAV-01] on a phone the navigation is behind the menu button', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/contact')
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
    await page.getByRole('button', { name: 'Menu' }).click()
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await expect(menu).toBeVisible()
    expect((await menu.getByRole('link').allInnerTexts()).slice(0, 4)).toEqual([
      'Home',
      'Profile',
      'Contact',
      'Privacy',
    ])
    await menu.getByRole('link', { name: 'Privacy', exact: true }).click()
    await expect(page).toHaveURL('/privacy')
    await expect(menu).toBeHidden()
  })
})

test.describe('the breadcrumbs', () => {
  test('[CRUMB-01] breadcrumbs are on every page except the root', async ({ page }) => {
    await page.goto('/profile')
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
    await expect(crumbs).toHaveCount(1)
    await crumbs.getByRole('link', { name: 'Home' }).click()
    await expect(page).toHaveURL('/')
    await expect(heading(page)).toBeVisible()
    await expect(crumbs).toHaveCount(0)
  })

  test('[CRUMB-02] [CRUMB-03] a service’s crumbs are Home, Services and its name; all but the last are links', async ({
    page,
  }) => {
    await page.goto('/services')
    await expect(heading(page)).toHaveText('Services')
    expect(await crumbsOf(page)).toEqual(['Home → /', 'Services (here)'])
    const link = page.getByRole('main').locator('.offers h3 a').first()
    const name = await link.innerText()
    await link.click()
    await expect(heading(page)).toHaveText(name)
    expect(await crumbsOf(page)).toEqual(['Home → /', 'Services → /services', `${name} (here)`])
    await page
      .getByRole('navigation', { name: 'Breadcrumb' })
      .getByRole('link', { name: 'Services' })
      .click()
    await expect(page).toHaveURL('/services')
  })

  test('[CRUMB-02] [CRUMB-03] a record’s crumb is its display field, from the loaded data', async ({
    page,
  }) => {
    await page.goto('/services?sort=name')
    await expect(heading(page)).toHaveText('Services')
    expect(await crumbsOf(page)).toEqual(['Home → /', 'Services (here)'])
    const link = page.locator('.c-main a').first()
    const name = await link.innerText()
    await link.click()
    await expect(heading(page)).toHaveText(name)
    expect(await crumbsOf(page)).toEqual(['Home → /', 'Services → /services', `${name} (here)`])
    // Not cached from the previous record.
    await page.goBack()
    const other = page.locator('.c-main a').nth(1)
    const otherName = await other.innerText()
    expect(otherName).not.toBe(name)
    await other.click()
    await expect(heading(page)).toHaveText(otherName)
    expect((await crumbsOf(page)).at(-1)).toBe(`${otherName} (here)`)
  })

  test('[CRUMB-02] [CRUMB-03] a record’s form has a fixed crumb after the record’s own', async ({
    page,
    admin,
  }) => {
    await signInAndOpen(page, admin)
    await page.goto('/services/create')
    await expect(heading(page)).toBeVisible()
    expect(await crumbsOf(page)).toEqual(['Home → /', 'Services → /services', 'Create (here)'])
  })
})

test.describe('back to the top', () => {
  const button = (page: Page) => page.getByRole('button', { name: 'Back to top' })
  const scrollTo = (page: Page, top: number) =>
    page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top)

  test('[SCROLL-01] the scroll-to-top button appears below 300 px of scroll, and disappears again', async ({
    page,
  }) => {
    await page.goto('/privacy')
    await expect(heading(page)).toBeVisible()
    await expect(button(page)).toHaveCount(0)
    await scrollTo(page, 300)
    await waitFrames(page)
    await expect(button(page)).toHaveCount(0)
    await scrollTo(page, 301)
    await expect(button(page)).toBeVisible()
    await scrollTo(page, 300)
    await expect(button(page)).toHaveCount(0)
  })

  test('[SCROLL-02] clicking the scroll-to-top button scrolls to the top', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.goto('/privacy')
    await expect(heading(page)).toBeVisible()
    await scrollTo(page, 2000)
    await button(page).click()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await expect(button(page)).toHaveCount(0)
  })

  test('[SCROLL-02] the scroll-to-top button jumps with reduced motion', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/privacy')
    await expect(heading(page)).toBeVisible()
    await scrollTo(page, 2000)
    const tops = await button(page).evaluate((element) => {
      const before = window.scrollY
      ;(element as HTMLElement).click()
      return { before, after: window.scrollY }
    })
    expect(tops).toEqual({ before: 2000, after: 0 })
  })
})

test.describe('the theme', () => {
  const applied = (page: Page) =>
    page.evaluate(() => document.documentElement.getAttribute('data-bs-theme'))
  const stored = (page: Page) => page.evaluate(() => localStorage.getItem('themeMode'))

  test('[THEME-01] [THEME-03] the theme button cycles light → dark → system → light and stores the mode', async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/')
    const control = page.getByRole('banner').getByRole('button', { name: /^Theme: / })
    await expect(control).toHaveAccessibleName('Theme: system. Switch to light')
    expect(await stored(page)).toBeNull()
    for (const [mode, next, theme] of [
      ['light', 'dark', 'light'],
      ['dark', 'system', 'dark'],
      ['system', 'light', 'dark'],
      ['light', 'dark', 'light'],
    ] as const) {
      await control.click()
      await expect(control).toHaveAccessibleName(`Theme: ${mode}. Switch to ${next}`)
      expect(await stored(page)).toBe(mode)
      expect(await applied(page)).toBe(theme)
    }
    await page.reload()
    await expect(control).toHaveAccessibleName('Theme: light. Switch to dark')
    expect(await applied(page)).toBe('light')
  })

  test('[THEME-02] system is the default and follows the operating system, live', async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/')
    await expect(heading(page)).toBeVisible()
    expect(await stored(page)).toBeNull()
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await applied(page)).toBe('light')
    const light = await background()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => applied(page)).toBe('dark')
    await expect.poll(background).not.toBe(light)
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => applied(page)).toBe('light')
    await expect.poll(background).toBe(light)
    // An explicit mode does not follow the system.
    await page.evaluate(() => localStorage.setItem('themeMode', 'light'))
    await page.reload()
    await expect(heading(page)).toBeVisible()
    await page.emulateMedia({ colorScheme: 'dark' })
    await waitFrames(page)
    expect(await applied(page)).toBe('light')
  })

  for (const [mode, system, theme] of [
    ['dark', 'light', 'dark'],
    ['light', 'dark', 'light'],
    ['system', 'dark', 'dark'],
    ['nonsense', 'dark', 'dark'],
    [null, 'light', 'light'],
  ] as const)
    test(`[THEME-02] [THEME-03] mode ${mode} on a ${system} system is ${theme} before the first paint, without a flash of the other theme`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme: system })
      await page.addInitScript((chosen) => {
        if (chosen !== null) localStorage.setItem('themeMode', chosen)
        const themes: { theme: string | null; hasBody: boolean; at: number }[] = []
        Object.assign(window, { themes })
        new MutationObserver(() =>
          themes.push({
            theme: document.documentElement.getAttribute('data-bs-theme'),
            hasBody: document.body !== null,
            at: performance.now(),
          }),
        ).observe(document, { attributeFilter: ['data-bs-theme'], subtree: true })
      }, mode)
      await page.goto('/contact')
      await expect(heading(page)).toBeVisible()
      // A visible heading is laid out, perhaps not yet painted.
      await page.waitForFunction(() => performance.getEntriesByName('first-paint').length > 0)
      const { themes, paint } = await page.evaluate(() => ({
        themes: Reflect.get(window, 'themes') as {
          theme: string
          hasBody: boolean
          at: number
        }[],
        paint: performance.getEntriesByName('first-paint')[0]?.startTime ?? 0,
      }))
      expect(themes[0]).toMatchObject({ theme, hasBody: false })
      expect(themes[0]?.at).toBeLessThan(paint)
      expect(new Set(themes.map((one) => one.theme))).toEqual(new Set([theme]))
    })
})

test.describe('toasts', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/')
    await expect(heading(page)).toBeVisible()
  })

  test('[TOAST-01] a toast needs only a message: it is info, hides itself and has a close button', async ({
    page,
  }) => {
    await navigate(page, '/contact', { toast: { message: 'Plain' } })
    await expect(toasts(page)).toHaveClass('toast-g info')
    await expect(toasts(page)).toHaveRole('status')
    await expect(toasts(page).getByRole('button', { name: 'Close' })).toBeVisible()
    await toasts(page).getByRole('button', { name: 'Close' }).click()
    await expect(toasts(page)).toHaveCount(0)
  })

  test('[TOAST-01] two toasts with the same message are shown and closed separately', async ({
    page,
  }) => {
    const toast = { message: 'Twice', autohide: false }
    await navigate(page, '/contact', { toast })
    await expect(messages(page)).toHaveText(['Twice'])
    await navigate(page, '/profile', { toast })
    await expect(messages(page)).toHaveText(['Twice', 'Twice'])
    await toasts(page).first().getByRole('button', { name: 'Close' }).click()
    await expect(messages(page)).toHaveText(['Twice'])
  })

  test('[TOAST-01] a toast is closed even if the buttons of a record page load during the press', async ({
    page,
  }) => {
    await navigate(page, '/contact', { toast: { message: 'Stays', autohide: false } })
    await toasts(page).getByRole('button', { name: 'Close' }).hover()
    await page.mouse.down()
    await page.evaluate(() => {
      const buttons = document.createElement('div')
      buttons.style.setProperty('anchor-name', '--acts')
      buttons.style.height = '20rem'
      document.body.prepend(buttons)
    })
    await page.mouse.up()
    await expect(toasts(page)).toHaveCount(0)
  })

  test('[TOAST-01] autohide and closeButton of a toast can be turned off', async ({ page }) => {
    const toast = { message: 'Stays', autohide: false, closeButton: false, delay: 300 }
    await page.clock.install()
    await navigate(page, '/contact', { toast })
    await expect(messages(page)).toHaveText(['Stays'])
    await expect(toasts(page).getByRole('button')).toHaveCount(0)
    await page.clock.runFor(1500)
    await expect(messages(page)).toHaveText(['Stays'])
  })

  test('[TOAST-02] toasts have six types, each with its own icon; danger is announced assertively, the others politely', async ({
    page,
  }) => {
    const icons: string[] = []
    for (const type of ['success', 'danger', 'warning', 'info', 'primary', 'secondary']) {
      await navigate(page, '/contact', {
        toast: { message: `A ${type} one`, type, autohide: false },
      })
      await expect(messages(page)).toHaveText([`A ${type} one`])
      await expect(toasts(page)).toHaveClass(`toast-g ${type}`)
      await expect(toasts(page)).toHaveRole(type === 'danger' ? 'alert' : 'status')
      const icon = toasts(page).locator('.ic svg')
      await expect(icon).toHaveAttribute('aria-hidden', 'true')
      // Drawn, also if it comes from the file of symbols.
      await expect
        .poll(() => icon.evaluate((svg) => (svg as SVGGraphicsElement).getBBox().width))
        .toBeGreaterThan(0)
      icons.push(await icon.evaluate((svg) => svg.innerHTML))
      await toasts(page).getByRole('button', { name: 'Close' }).click()
      await expect(toasts(page)).toHaveCount(0)
    }
    expect(icons.every((icon) => icon.length > 20)).toBe(true)
    expect(new Set(icons).size).toBe(6)
  })

  // The component's own default of 5000 ms can't be seen here: every toast comes from the helper.
  for (const [delay, expected] of [
    [undefined, 4000],
    [1500, 1500],
  ] as const)
    test(`[TOAST-03] a toast with delay ${delay} hides after ${expected} ms`, async ({ page }) => {
      const lived = await lifetime(page, '/contact', {
        toast: { message: 'Soon gone', ...(delay ? { delay } : {}) },
      })
      expect(lived).toBeGreaterThan(expected - 100)
      expect(lived).toBeLessThan(expected + 900)
    })

  test('[TOAST-03] a toast pauses while hovered, and then continues', async ({ page }) => {
    await page.clock.install()
    await navigate(page, '/', { toast: { message: 'Read me', delay: 4000 } })
    await messages(page).hover()
    await page.clock.runFor(4600)
    await expect(messages(page)).toHaveText(['Read me'])
    await page.mouse.move(5, 500)
    await page.clock.runFor(4600)
    await expect(toasts(page)).toHaveCount(0)
  })

  test('[TOAST-03] a toast pauses while focused, and then continues', async ({ page }) => {
    await page.clock.install()
    // On the same page: a new page would focus its heading.
    await navigate(page, '/', { toast: { message: 'Read me', delay: 2000 } })
    await toasts(page).getByRole('button', { name: 'Close' }).focus()
    await page.clock.runFor(2600)
    await expect(messages(page)).toHaveText(['Read me'])
    await page.getByRole('banner').getByRole('link').first().focus()
    await page.clock.runFor(2600)
    await expect(toasts(page)).toHaveCount(0)
  })
})

test.describe('modals', () => {
  /** The contact form's sign-in dialog. */
  async function openModal(page: Page) {
    await page.goto('/contact')
    await page.getByLabel('Full name').fill('Nora')
    await page.getByLabel('Email').fill('nora@example.test')
    await page.getByLabel('Subject').fill('Backups')
    await page.getByLabel('Message', { exact: true }).fill('Please call')
    const send = page.getByRole('button', { name: 'Send message' })
    await send.click()
    const dialog = page.getByRole('dialog', { name: 'Authentication Required' })
    await expect(dialog).toBeVisible()
    return { send, dialog }
  }

  test('[MODAL-01] a modal has size md by default, traps the focus, and returns it', async ({
    page,
  }) => {
    const { send, dialog } = await openModal(page)
    await expect(dialog).toHaveAttribute('aria-modal', 'true')
    await expect(dialog.locator('.modal-dialog')).not.toHaveClass(/modal-(sm|lg|xl)/)
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement
        // While cycling, the focus passes through the browser's toolbar.
        if (!element || element === document.body) return 'the browser'
        if (!element.closest('[role="dialog"]')) return `outside: ${element.localName}`
        return element.getAttribute('aria-label') ?? element.textContent
      })
    const visited: string[] = []
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press(presses < 5 ? 'Tab' : 'Shift+Tab')
      // Focus returns in the next task.
      await expect.poll(focused, { timeout: 1000 }).not.toContain('outside')
      visited.push(await focused())
    }
    expect(visited).toEqual(expect.arrayContaining(['Close', 'Register', 'Sign In']))
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(send).toBeFocused()
  })

  for (const size of ['sm', 'lg'])
    test(`[MODAL-01] modal size ${size} is honoured`, async ({ page }) => {
      await page.goto('/')
      await expect(heading(page)).toBeVisible()
      await navigate(page, '/contact', { modal: { title: 'Sized', body: 'Text', size } })
      await expect(page.getByRole('dialog').locator('.modal-dialog')).toHaveClass(
        new RegExp(`\\bmodal-${size}\\b`),
      )
    })

  test('[MODAL-01] a modal’s content is kept while it fades, and removed 300 ms after closing', async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    const { dialog } = await openModal(page)
    await expect(dialog).toHaveCSS('opacity', '1')
    const { rightAfter, stayed } = await dialog.evaluate(async (element) => {
      const text = () => document.querySelector('.modal-message')?.textContent ?? ''
      element.querySelector<HTMLElement>('.btn-close')?.click()
      const closed = performance.now()
      await new Promise(requestAnimationFrame)
      const first = text()
      while (text() !== '' && performance.now() - closed < 5000)
        await new Promise((resolve) => setTimeout(resolve, 10))
      return { rightAfter: first, stayed: performance.now() - closed }
    })
    expect(rightAfter).toBe('To complete this action, please sign in or register as a client.')
    expect(stayed).toBeGreaterThan(100)
    expect(stayed).toBeLessThan(800)
    await expect(dialog).toHaveCount(0)
  })
})

/** How long a toast from this URL or state is shown, in ms. */
async function lifetime(page: Page, to: string, state: unknown = null) {
  await page.evaluate(() => {
    const times = { came: 0, went: 0 }
    Object.assign(window, { times })
    new MutationObserver(() => {
      const isThere = document.querySelector('.toast-g') !== null
      if (isThere && !times.came) times.came = performance.now()
      if (!isThere && times.came && !times.went) times.went = performance.now()
    }).observe(document.body, { childList: true, subtree: true })
  })
  await navigate(page, to, state)
  await page.waitForFunction(() => Reflect.get(window, 'times').went > 0, undefined, {
    timeout: 15_000,
  })
  return page.evaluate(() => {
    const { came, went } = Reflect.get(window, 'times') as { came: number; went: number }
    return went - came
  })
}

/** Waits two frames and a bit, for delayed effects. */
const waitFrames = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await new Promise((resolve) => setTimeout(resolve, 50))
  })

/** Closes the toast, unless it has already timed out. */
async function closeToast(page: Page) {
  const close = toasts(page).getByRole('button', { name: 'Close' })
  await close.click({ timeout: 3_000 }).catch(() => {})
  await expect(toasts(page)).toHaveCount(0)
}
