import type { Browser, Page } from '@playwright/test'
import {
  call,
  endProviderSession,
  expect,
  mailsTo,
  signInAndOpen,
  signIn,
  test,
  unique,
  untilMail,
} from './kit.ts'

test.setTimeout(120_000)

type Account = { username: string; password: string }

async function openTab(browser: Browser, account: Account) {
  const page = await browser.newPage()
  await page.addInitScript(() => sessionStorage.setItem('cookieConsent', 'essential'))
  await signInAndOpen(page, account)
  return page
}

const open = (page: Page, subject: string, email: string) =>
  call(page, 'POST', 'tickets', {
    fullName: 'Nora Visitor',
    email,
    subject,
    message: 'It does not print.',
  }) as Promise<{ id: string; number: number }>

const address = () => `nora-${crypto.randomUUID().slice(0, 8)}@client.example`
const reply = (page: Page) => page.getByLabel('Reply to client')
const note = (page: Page) => page.getByLabel('Internal note (not visible to the client)')
const clickButton = (page: Page, name: string) => page.getByRole('button', { name }).click()

test('a note typed before Close is not sent, mailed or shown to the client', async ({
  page,
  browser,
  admin,
  user,
}) => {
  const email = address()
  await signInAndOpen(page, user)
  const { id, number } = await open(page, unique('Stays inside'), email)
  const desk = await openTab(browser, admin)
  await desk.goto(`/requests/${id}`)
  await note(desk).fill('Never to the client: they owe us money.')
  await reply(desk).fill('A reply that is not finished')
  await clickButton(desk, 'Close request')
  await expect(desk.getByText('No further action')).toBeVisible()
  await expect(note(desk)).toHaveValue('Never to the client: they owe us money.')
  await expect(reply(desk)).toHaveValue('A reply that is not finished')
  await clickButton(desk, 'Add note')
  await expect(desk.getByText('Note added.')).toBeVisible()
  await expect(desk.getByRole('listitem').filter({ hasText: 'they owe us money' })).toBeVisible()
  await expect(reply(desk)).toHaveValue('A reply that is not finished')

  const closed = await untilMail(email, ({ text }) => text.includes('We’ve closed this request.'))
  expect(closed.subject).toContain(`[#${number}]`)
  const mails = JSON.stringify(await mailsTo(email))
  for (const typed of ['owe us money', 'not finished']) expect(mails).not.toContain(typed)
  await page.goto(`/requests/${id}`)
  await expect(page.getByText('Status changed to Closed')).toBeVisible()
  for (const typed of ['owe us money', 'not finished'])
    await expect(page.getByText(typed)).toHaveCount(0)
  const seen = JSON.stringify([
    await call(page, 'GET', 'messages?limit=100'),
    await call(page, 'GET', `tickets/${id}/history`),
  ])
  expect(seen).not.toContain('owe us money')
  await expect(note(page)).toHaveCount(0)
  await desk.close()
})

test('reply and note keep separate drafts, and an old draft marked internal opens as a note', async ({
  page,
  admin,
}) => {
  await signInAndOpen(page, admin)
  const { id } = await open(page, unique('Drafts'), address())
  await page.goto(`/requests/${id}`)
  await reply(page).fill('Half a reply')
  await note(page).fill('Half a note')
  await page.reload()
  await expect(reply(page)).toHaveValue('Half a reply')
  await expect(note(page)).toHaveValue('Half a note')
  await clickButton(page, 'Send reply')
  await expect(page.getByText('Reply sent.')).toBeVisible()
  await expect(note(page)).toHaveValue('Half a note')
  await page.evaluate((key) => {
    const drafts = Object.keys(sessionStorage).filter((name) => name.startsWith('noteDraft:'))
    for (const name of drafts) sessionStorage.removeItem(name)
    sessionStorage.setItem(`answerDraft:${key}`, '{"body":"Ticked before","internal":true}')
  }, id)
  await page.reload()
  await expect(note(page)).toHaveValue('Ticked before')
  await expect(reply(page)).toHaveValue('')
  await page.reload()
  await expect(note(page)).toHaveValue('Ticked before')
})

test('signing out closes a request page, which reopens with its drafts for the same user only', async ({
  page,
  admin,
  user,
}) => {
  await signInAndOpen(page, admin)
  const { id } = await open(page, unique('Signed out'), address())
  await call(page, 'POST', `tickets/${id}/note`, { body: 'Not for the client' })
  await page.goto(`/requests/${id}`)
  await expect(page.getByText('Not for the client')).toBeVisible()
  await reply(page).fill('Half a reply')
  await note(page).fill('Half a note')
  await endProviderSession(page)
  await page.context().clearCookies()
  await expect(page).toHaveURL(`/login?returnUrl=${encodeURIComponent(`/requests/${id}`)}`)
  await expect(page.getByText('Not for the client')).toHaveCount(0)
  await signIn(page, admin)
  await expect(page).toHaveURL(`/requests/${id}`)
  await expect(reply(page)).toHaveValue('Half a reply')
  await expect(note(page)).toHaveValue('Half a note')
  await page.getByRole('banner').getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText("You've been signed out successfully.")).toBeVisible()
  await signIn(page, user)
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Half a')
})

test('a failed reply or note keeps its text and shows an error', async ({ page, admin }) => {
  await signInAndOpen(page, admin)
  const { id } = await open(page, unique('Not taken'), address())
  await page.goto(`/requests/${id}`)
  await page.route(/\/api\/tickets\/[^/]+\/(reply|note|close)$/, (route) => route.abort())
  await reply(page).fill('Kept reply')
  await note(page).fill('Kept note')
  await clickButton(page, 'Send reply')
  await expect(page.getByText('Your reply wasn’t sent.')).toBeVisible()
  await clickButton(page, 'Add note')
  await expect(page.getByText('Your note wasn’t added.')).toBeVisible()
  await clickButton(page, 'Close request')
  await expect(page.getByText('The request wasn’t closed.')).toBeVisible()
  await expect(reply(page)).toHaveValue('Kept reply')
  await expect(note(page)).toHaveValue('Kept note')
})

test('closing a request with an unseen reply shows the reply first', async ({
  page,
  browser,
  admin,
  user,
}) => {
  await signInAndOpen(page, user)
  const { id } = await open(page, unique('Crossed'), address())
  const desk = await openTab(browser, admin)
  await desk.goto(`/requests/${id}`)
  await expect(desk.getByRole('button', { name: 'Close request' })).toBeVisible()
  await call(page, 'POST', `tickets/${id}/reply`, { body: 'One thing more' })
  await clickButton(desk, 'Close request')
  await expect(desk.getByText('The request wasn’t closed.')).toBeVisible()
  await expect(desk.getByText('One thing more')).toBeVisible()
  await clickButton(desk, 'Close request')
  await expect(desk.getByText('No further action')).toBeVisible()
  await clickButton(desk, 'Reopen request')
  await expect(desk.getByRole('button', { name: 'Close request' })).toBeVisible()
  await desk.close()
})

test('a colleague’s message shows their name in the list and in the conversation', async ({
  page,
  browser,
}) => {
  const demo = (username: string) => ({ username, password: `${username}-demo-password` })
  await page.goto('/')
  await signIn(page, demo('carol'))
  const subject = unique('Colleague')
  const { id } = await open(page, subject, address())
  const manager = await openTab(browser, demo('dave'))
  await call(manager, 'POST', `tickets/${id}/reply`, { body: 'From the manager' })
  const name = (await call(manager, 'GET', 'me')).name
  await page.goto(`/requests/${id}`)
  const entry = page.getByRole('listitem').filter({ hasText: 'From the manager' })
  await expect(entry.getByText(name)).toBeVisible()
  await page.goto('/requests')
  const row = page.getByRole('listitem').filter({ hasText: subject })
  await expect(row.getByText(name)).toBeVisible()
  await expect(row.getByText('You', { exact: true })).toHaveCount(0)
  await manager.close()
})

test('the requests page is titled Requests for staff, My requests for clients', async ({
  page,
  browser,
  admin,
  user,
}) => {
  await signInAndOpen(page, user)
  const subject = unique('Whose page')
  const { id } = await open(page, subject, address())
  const desk = await openTab(browser, admin)
  for (const [tab, title] of [
    [page, 'My requests'],
    [desk, 'Requests'],
  ] as const) {
    await tab.goto('/requests')
    await expect(tab.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect(tab).toHaveTitle(new RegExp(`^${title} `))
    await expect(tab.getByRole('link', { name: subject })).toBeVisible()
    await tab.goto(`/requests/${id}`)
    const crumbs = tab.getByRole('navigation', { name: /breadcrumb/i })
    await expect(crumbs.getByRole('link', { name: title, exact: true })).toBeVisible()
  }
  await desk.close()
})

test('a conversation and a list longer than a page are shown in full', async ({ page, admin }) => {
  await signInAndOpen(page, admin)
  const subjects = [unique('First'), unique('Second')] as const
  const { id } = await open(page, subjects[0], address())
  for (const body of ['Note one.', 'Note two.', 'Note three.'])
    await call(page, 'POST', `tickets/${id}/note`, { body })
  await open(page, subjects[1], address())
  // Page size one: the rate limit allows no hundred messages in a minute.
  await page.route(/\/api\/(messages|tickets)\?/, (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/limit=\d+/, 'limit=1'),
    }),
  )
  await page.goto(`/requests/${id}`)
  await expect(page.getByText(/^Note (one|two|three)\.$/)).toHaveText([
    'Note one.',
    'Note two.',
    'Note three.',
  ])
  await page.goto('/requests')
  const openOnes = page.locator('section', {
    has: page.getByRole('heading', { level: 2, name: /^Open/ }),
  })
  await expect(openOnes.getByRole('link')).toHaveCount(1)
  // Other tests write too, so the two need not be the newest.
  await expect(async () => {
    await openOnes.getByRole('button', { name: 'Show more' }).click()
    for (const name of subjects) await expect(openOnes.getByRole('link', { name })).toBeVisible()
  }).toPass()
})

test('a failed decision on an access request is reported', async ({ page, admin }) => {
  await signInAndOpen(page, admin)
  const account = { id: crypto.randomUUID(), name: 'Ask Er', email: 'ask@er.example', version: 1 }
  const isListRequest = (url: URL) =>
    url.pathname === '/api/accounts' && url.search.includes('asked') && url.search.includes('=10')
  await page.route(isListRequest, (route) =>
    route.fulfill({ json: { items: [account], next: null, previous: null, total: null } }),
  )
  await page.route(`**/api/accounts/${account.id}/*`, (route) => route.abort())
  await page.goto('/desk')
  await clickButton(page, 'Approve access for Ask Er')
  await expect(page.getByText('The request from Ask Er wasn’t approved.')).toBeVisible()
  await clickButton(page, 'Decline access for Ask Er')
  await expect(page.getByText('The request from Ask Er wasn’t declined.')).toBeVisible()
})
