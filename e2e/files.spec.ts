import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateSync } from 'node:zlib'
import type { Browser, Page, Response } from '@playwright/test'
import { png } from '../api/test/png.ts'
import { expectAccessible } from './axe-check.ts'
import { call, expect, signInAndOpen, SITE, test, unique, type Account } from './kit.ts'

test.setTimeout(120_000)

/** The worker makes previews, and a list that was drawn before asks once more. */
const SOON = { timeout: 20_000 }

const open = (page: Page, subject: string) =>
  call(page, 'POST', 'tickets', {
    fullName: 'Nora Visitor',
    email: `nora-${crypto.randomUUID().slice(0, 8)}@client.example`,
    subject,
    message: 'It does not print.',
  }) as Promise<{ id: string }>

async function openDesk(browser: Browser, account: Account) {
  const page = await browser.newPage()
  await page.addInitScript(() => sessionStorage.setItem('cookieConsent', 'essential'))
  await signInAndOpen(page, account)
  return page
}

const choose = (page: Page, ...files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  page.locator('.file-composer input[type=file][multiple]').first().setInputFiles(files)
const chips = (page: Page) => page.locator('.file-composer .file-chips li')

for (const width of [1440, 390])
  test(`a picture whose upload is cut at half is sent again, attached and opened by staff (${width} wide)`, async ({
    browser,
    admin,
    user,
  }) => {
    const network = await startNetwork()
    const page = await browser.newPage({
      proxy: { server: network.address, bypass: '<-loopback>' },
      hasTouch: width < 768,
    })
    await page.addInitScript(() => sessionStorage.setItem('cookieConsent', 'essential'))
    await signInAndOpen(page, user)
    await page.setViewportSize({ width, height: 844 })
    const { id } = await open(page, unique('With a picture'))
    await page.goto(`/requests/${id}`)
    await choose(page, { name: 'printer.png', mimeType: 'image/png', buffer: pictureOf(900_000) })
    await expect(chips(page)).toContainText('Not attached: the connection was lost.')
    expect(network.cuts()).toBeGreaterThan(0)
    await expectAccessible(page, 'a failed upload')
    network.repair()
    // By keyboard alone.
    await page.getByRole('button', { name: 'Try printer.png again' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Remove printer.png' })).toBeVisible()
    await page.getByRole('textbox', { name: 'Your reply' }).fill('This is what it shows.')

    // A draft holds its files.
    await page.reload()
    await expect(page.getByRole('button', { name: 'Remove printer.png' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Your reply' })).toHaveValue(
      'This is what it shows.',
    )
    await page.getByRole('button', { name: 'Send reply' }).click()
    await expect(page.getByRole('button', { name: /^printer\.png/ })).toBeVisible()
    await expect(chips(page)).toHaveCount(0)

    const desk = await openDesk(browser, admin)
    await desk.goto(`/requests/${id}`)
    const preview = desk.getByRole('button', { name: /^printer\.png/ }).locator('img')
    await expect
      .poll(() => preview.evaluate((img) => (img as HTMLImageElement).naturalWidth), SOON)
      .toBe(8)
    await expectAccessible(desk, 'a list with a preview')
    await desk.getByRole('button', { name: /^printer\.png/ }).press('Enter')
    const dialog = desk.getByRole('dialog', { name: 'printer.png' })
    const picture = dialog.getByRole('img')
    await expect(picture).toHaveAttribute('src', /preview=large/)
    await expect
      .poll(() => picture.evaluate((img) => (img as HTMLImageElement).naturalWidth))
      .toBe(8)
    await expectAccessible(desk, 'an opened picture')
    await desk.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(desk.getByRole('button', { name: /^printer\.png/ })).toBeFocused()
    await desk.close()
    await page.close()
    network.stop()
  })

test('no script in a file runs, and every byte has its headers in Chromium: files, ranges and errors', async ({
  page,
  user,
}) => {
  const script = '<script>parent.postMessage("ran","*");document.title="ran"</script>'
  await signInAndOpen(page, user)
  const { id } = await open(page, unique('Hostile'))
  await page.goto(`/requests/${id}`)
  const hostile: [name: string, mimeType: string, content: string | Buffer][] = [
    ['page.html', 'text/html', `<!doctype html>${script}`],
    [
      'drawing.svg',
      'image/svg+xml',
      `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='ran'">${script}</svg>`,
    ],
    ['both.png', 'image/png', Buffer.concat([pictureOf(0), Buffer.from(script)])],
    ['script.gif', 'image/gif', `GIF89a/*\0\0\0\0*/=1;document.title="ran"//${script}`],
    ['page.pdf', 'application/pdf', `%PDF-1.4\n<html>${script}`],
    ['style.css', 'text/css', 'body { background: url(https://elsewhere.example/x) }'],
  ]
  await choose(
    page,
    ...hostile.map(([name, mimeType, content]) => ({
      name,
      mimeType,
      buffer: Buffer.from(content),
    })),
  )
  await expect(page.getByRole('button', { name: /^Remove / })).toHaveCount(hostile.length)
  await page.getByRole('textbox', { name: 'Your reply' }).fill('Hostile files.')
  await page.getByRole('button', { name: 'Send reply' }).click()
  await expect(page.getByRole('button', { name: /^both\.png/ })).toBeVisible()

  const links = await linksOfMessage(page, id)
  expect(links).toHaveLength(hostile.length)
  const requested: string[] = []
  for (const url of links) {
    const tab = await page.context().newPage()
    tab.on('request', (request) => requested.push(request.url()))
    const responses: Response[] = []
    tab.on('response', (response) => responses.push(response))
    // Chromium reports a download as an aborted navigation.
    await tab.goto(url).catch(() => {})
    expect(await tab.title()).not.toBe('ran')
    for (const response of responses) expectSafe(response.headers())
    await tab.close()
  }
  expect(requested.filter((url) => !url.startsWith(`${SITE}/api/files/`))).toEqual([])

  const [url = ''] = links
  const statuses: [status: number, url: string, range?: string][] = [
    ...links.flatMap((link): typeof statuses => [
      [200, link],
      [206, link, 'bytes=0-3'],
      [416, link, 'bytes=999999999-'],
    ]),
    [404, url.replace(/.$/, '')],
    [404, url.replace(/until=\d+/, 'until=1')],
    [404, url.replace(/[?].*/, '')],
  ]
  for (const [status, address, range] of statuses) {
    const answered = page.waitForResponse((response) => response.url() === SITE + address)
    await page.evaluate(
      async ({ address: path, headers }) =>
        // Chromium answers ranges from its cache.
        (await fetch(path, { headers, cache: 'no-store' })).arrayBuffer(),
      { address, headers: range ? { range } : {} },
    )
    const response = await answered
    expect(response.status()).toBe(status)
    const headers = await response.allHeaders()
    if (status === 404) expectClosed(headers)
    else expectSafe(headers)
  }
})

/** As the network brought them. */
function expectClosed(headers: Record<string, string>) {
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
}

function expectSafe(headers: Record<string, string>) {
  expectClosed(headers)
  expect(headers['content-security-policy']).toContain('sandbox')
}

type Listed = { items: { id: string; body: string }[] }
type Linked = { items: { url: string }[] }

async function linksOfMessage(page: Page, ticket: string) {
  const filter = encodeURIComponent(JSON.stringify({ all: [['ticket', 'eq', ticket]] }))
  const { items } = (await call(page, 'GET', `messages?filter=${filter}`)) as Listed
  const message = items.find(({ body }) => body === 'Hostile files.')
  const links = (await call(page, 'POST', `messages/${message?.id}/file-links`)) as Linked
  return links.items.map(({ url }) => url)
}

/** An HTTP proxy that cuts the connection of an upload when half of it has passed, until repaired: Chromium tries again itself. */
async function startNetwork() {
  let cuts = 0
  let isBroken = true
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming
    const onward = request(url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
    if (!isBroken || method !== 'POST' || !url.endsWith('/api/files')) return
    let passed = 0
    incoming.on('data', ({ length }: Buffer) => {
      passed += length
      if (passed < Number(headers['content-length']) / 2 || incoming.socket.destroyed) return
      cuts++
      incoming.socket.destroy()
      onward.destroy()
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    cuts: () => cuts,
    repair: () => (isBroken = false),
    stop() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}

/** A picture of eight by eight pixels, with a comment of this many bytes. */
function pictureOf(comment: number) {
  const row = Buffer.alloc(1 + 8 * 3, 0x7f)
  // Its filter: none.
  row[0] = 0
  const rows = deflateSync(Buffer.concat(Array.from({ length: 8 }, () => row)))
  return png({ edge: 8, depth: 8, colours: 2 }, rows, 'a'.repeat(comment))
}
