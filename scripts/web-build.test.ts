import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOTICE_SECTIONS, type Notice } from '@gatehouse/model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECKOUT } from './stack-settings.ts'

const PAGES = ['', 'profile', 'contact', 'privacy', 'security', 'login', 'unauthorised']
const FOR_SEARCH = ['', 'profile', 'contact', 'privacy', 'security']
const DAY_MS = 86_400_000

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-web-'))
const dist = join(directory, 'dist')
const read = (name: string) => readFileSync(join(dist, name), 'utf8')
const page = (name: string) => read(join(name, 'index.html'))
const site = (
  JSON.parse(readFileSync(join(CHECKOUT, 'config/site.json'), 'utf8')) as { site: { url: string } }
).site
let notice: Notice

beforeAll(() => {
  execFileSync('npm', ['run', 'build', '-w', 'web'], {
    cwd: CHECKOUT,
    env: { ...process.env, WEB_DIST: dist, WEB_SERVER_DIST: join(directory, 'server'), PDF: 'on' },
    stdio: 'pipe',
  })
  notice = JSON.parse(readFileSync(join(CHECKOUT, '.build/notice.json'), 'utf8')) as Notice
}, 120_000)
afterAll(() => rmSync(directory, { recursive: true }))

describe('a public page is whole without a script', () => {
  test.each(PAGES)('/%s has one heading, a title and a description', (name) => {
    const html = page(name)
    expect(html.match(/<h1[ >]/g)).toHaveLength(1)
    expect(html.match(/<title>[^<]+<\/title>/g)).toHaveLength(1)
    expect(html).toMatch(/<meta name="description" content="[^"]{5,}">/)
    expect(html).not.toContain('Loading')
  })

  test.each(PAGES)('/%s holds nothing the content security policy refuses', (name) => {
    const html = page(name)
    expect(html).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)=/i)
    for (const [, given = ''] of html.matchAll(/<script([^>]*)>/g))
      expect(given).toMatch(/ src="\/|type="application\/(ld\+)?json"/)
  })

  test.each(PAGES)(
    '/%s tells search engines its one address, or that it is not for them',
    (name) => {
      const html = page(name)
      const path = name === 'profile' ? '' : name
      expect(html).toContain(
        FOR_SEARCH.includes(name)
          ? `<link rel="canonical" href="${site.url}/${path}">`
          : '<meta name="robots" content="noindex">',
      )
      expect(html).toContain(`<meta property="og:image" content="${site.url}/og.png">`)
      expect(html.match(/as="font"/g)).toHaveLength(1)
    },
  )

  test('what is only a sample is not claimed to search engines', () => {
    const blocks = [...page('').matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
    const types = blocks.map(([, text = '']) => (JSON.parse(text) as { '@type': string })['@type'])
    expect(types).toEqual(['ProfessionalService', 'Person'])
    expect(page('')).not.toContain('hasCredential')
  })

  test('a shell says what it is without scripts, and which address is missing', () => {
    expect(read('spa.html')).toContain('Loading app...')
    expect(read('404.html')).toMatch(/<noscript>.*404 - Not Found.*<\/noscript>/s)
  })
})

describe('files for machines', () => {
  test('robots.txt names the sitemap, which names every page once', () => {
    expect(read('robots.txt')).toContain(`Sitemap: ${site.url}/sitemap.xml`)
    const pages = [...read('sitemap.xml').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)
    expect(pages).toEqual(['/', '/contact', '/privacy', '/security'].map((path) => site.url + path))
  })

  test('security.txt is what RFC 9116 asks for, and good for most of a year', () => {
    const lines = read('.well-known/security.txt').trim().split('\n')
    const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/).slice(0, 2)))
    expect(fields).toMatchObject({
      Contact: expect.stringMatching(/^mailto:/),
      Policy: `${site.url}/security`,
      Canonical: `${site.url}/.well-known/security.txt`,
      'Preferred-Languages': 'en',
    })
    const left = (Date.parse(fields['Expires']) - Date.now()) / DAY_MS
    expect(left).toBeGreaterThan(330)
    expect(left).toBeLessThan(365)
  })

  test('everything that can be compressed is', () => {
    for (const name of ['index.html', 'privacy/index.html', 'theme.js', 'robots.txt'])
      expect(existsSync(join(dist, `${name}.br`)) && existsSync(join(dist, `${name}.gz`))).toBe(
        true,
      )
  })
})

describe('the privacy notice', () => {
  const file = () => join(dist, `privacy-notice-${notice.lastUpdated}.pdf`)
  const words = () => execFileSync('pdftotext', ['-raw', file(), '-'], { encoding: 'utf8' })

  test('the PDF has the twelve headings in order', () => {
    const titles: string[] = Object.values(NOTICE_SECTIONS)
    expect(titles).toHaveLength(12)
    const lines = words().split('\n')
    const headings = lines.map((line) => line.trim()).filter((line) => titles.includes(line))
    expect(headings).toEqual(titles)
  })

  test('page and PDF hold every cell of every table', () => {
    const cells = notice.sections.flatMap(({ blocks }) =>
      blocks.flatMap((block) => (block.kind === 'table' ? block.rows.flat() : [])),
    )
    expect(cells.length).toBeGreaterThan(10)
    const pdf = squeeze(words())
    const html = squeeze(unescape(page('privacy').replaceAll(/<[^>]+>/g, ' ')))
    for (const cell of cells) {
      expect(pdf, cell).toContain(squeeze(cell))
      expect(html, cell).toContain(squeeze(cell))
    }
  })

  test('the PDF is tagged, has an outline and a language, and the date of the notice', () => {
    const facts = execFileSync('pdfinfo', [file()], { encoding: 'utf8', env: { TZ: 'UTC' } })
    expect(facts).toMatch(/Tagged:\s+yes/)
    expect(facts).toMatch(/Page size:.*\(A4\)/)
    const bytes = readFileSync(file(), 'latin1')
    expect(bytes).toContain('/Outlines')
    expect(bytes).toContain('/Lang (en)')
    expect(bytes).toContain(`/CreationDate (D:${notice.lastUpdated.replaceAll('-', '')}000000`)
  })
})

/** Where a line ends is the printer's matter: with a hyphen, or within an address. */
const squeeze = (text: string) => text.replaceAll(/[\s\u00ad-]+/g, '')

const unescape = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
