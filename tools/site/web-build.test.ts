import { execFileSync } from 'node:child_process'
import {
  existsSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOTICE_SECTIONS, type Notice, type SiteConfig } from '@gatehouse/model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CHECKOUT } from '../stack/settings.ts'

const PAGES = [
  '',
  'profile',
  'contact',
  'privacy',
  'privacy/received',
  'security',
  'login',
  'unauthorised',
]
const FOR_SEARCH = ['', 'profile', 'contact', 'privacy', 'security']
const DAY_MS = 86_400_000
const EARLY_SCRIPT_MAX_BYTES = 1_000

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-web-'))
const dist = join(directory, 'dist')
const server = join(directory, 'dist-server')
const pages = join(directory, 'pages')
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><path d="M0 0h120v40H0z"/></svg>'
const config = JSON.parse(readFileSync(join(CHECKOUT, 'sample/site.json'), 'utf8')) as SiteConfig
const { site } = config
const branded: SiteConfig = {
  ...config,
  brand: {
    colours: { light: '#7a1f5c', dark: '#f0b3dc' },
    logo: { light: 'pictures/logo.svg', dark: 'pictures/logo-dark.svg', hasName: true },
    icon: null,
  },
}
const northgate: SiteConfig = {
  ...config,
  site: { ...site, name: 'Northgate IT', url: 'https://northgate.example', locale: 'en-GB' },
  owner: { ...config.owner, name: 'Nora Gate', email: 'hello@northgate.example' },
}
let written: { files: Record<string, string>; notice: Notice }
let other: typeof written
const read = (name: string) => written.files[name] ?? readFileSync(join(dist, name), 'utf8')
const page = (name: string) => read(join(name, 'index.html'))

beforeAll(() => {
  execFileSync('npm', ['run', 'build', '-w', 'web'], {
    cwd: CHECKOUT,
    env: { ...process.env, WEB_DIST: dist, WEB_SERVER_DIST: server },
    stdio: 'pipe',
  })
  written = render('branded', branded)
  other = render('northgate', northgate)
}, 120_000)
afterAll(() => rmSync(directory, { recursive: true }))

/** As the API does at its start, in a process of its own; with the printed files. */
function render(name: string, own: SiteConfig): typeof written {
  const folder = join(directory, name)
  mkdirSync(join(folder, 'pictures'), { recursive: true })
  writeFileSync(join(folder, 'pictures/logo.svg'), LOGO)
  writeFileSync(join(folder, 'pictures/logo-dark.svg'), LOGO.replace('path', 'path fill="#fff"'))
  cpSync(join(CHECKOUT, 'sample/notice'), join(folder, 'notice'), { recursive: true })
  writeFileSync(join(folder, 'site.json'), JSON.stringify(own))
  const run = (args: string[]) =>
    execFileSync(process.execPath, args, {
      cwd: CHECKOUT,
      env: {
        ...process.env,
        SITE_DIR: folder,
        PAGES_DIR: join(pages, name),
        WEB_SERVER_BUNDLE: join(server, 'server.js'),
        DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
        OIDC_ISSUER: 'https://id.example',
      },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
  run(['tools/site/print.ts'])
  return JSON.parse(run(['--input-type=module', '--eval', RENDER]))
}

const api = (path: string) => JSON.stringify(join(CHECKOUT, 'api/src', path))
const RENDER = `
  import { readEnv } from ${api('platform/env.ts')}
  import { readConfig } from ${api('platform/site-config.ts')}
  import { openPages } from ${api('pages/open-pages.ts')}
  import { models } from ${api('installation.ts')}
  import { readSiteInput } from ${api('pages/site-input.ts')}
  import { readVersions } from ${api('privacy/notice/versions.ts')}
  const env = readEnv(process.env)
  const input = readSiteInput(readConfig(env.siteFile), { siteFile: env.siteFile, versions: readVersions(), models })
  const { renderFixed, renderIndexes } = await openPages(env, input).loadRenderer()
  const now = new Date()
  const files = [...(await renderFixed(now)), ...(await renderIndexes(async () => ({ items: [] }), now))]
  console.log(JSON.stringify({
    files: Object.fromEntries(files.map(({ path, text }) => [path, text])),
    notice: input.notice,
  }))`

const printedFile = (site: string, file: string) => {
  const printed = join(pages, site, 'printed')
  return join(printed, readdirSync(printed)[0] ?? '', file)
}

describe('public pages', () => {
  test.each(PAGES)('/%s has one heading, a title and a description', (name) => {
    const html = page(name)
    expect(html.match(/<h1[ >]/g)).toHaveLength(1)
    expect(html.match(/<title>[^<]+<\/title>/g)).toHaveLength(1)
    expect(html).toMatch(/<meta name="description" content="[^"]{5,}">/)
    expect(html).not.toContain('Loading')
  })

  test.each(PAGES)('/%s complies with the content security policy', (name) => {
    const html = page(name)
    expect(html).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)=/i)
    for (const [, given = ''] of html.matchAll(/<script([^>]*)>/g))
      expect(given).toMatch(/ src="\/|type="application\/(ld\+)?json"/)
  })

  test.each(PAGES)('/%s has a canonical URL or noindex', (name) => {
    const html = page(name)
    const path = name === 'profile' ? '' : name
    expect(html).toContain(
      FOR_SEARCH.includes(name)
        ? `<link rel="canonical" href="${site.url}/${path}">`
        : '<meta name="robots" content="noindex">',
    )
    expect(html).toContain(`<meta property="og:image" content="${site.url}/og.png">`)
    expect(html.match(/as="font"/g)).toHaveLength(1)
  })

  test('every form of a public page is posted to an endpoint that works without scripts', () => {
    const tags = PAGES.flatMap((name) => page(name).match(/<form[^>]*>/g) ?? [])
    expect(tags.filter((tag) => !tag.includes(' method="post"'))).toEqual([])
    expect(tags.map((tag) => / action="([^"]*)"/.exec(tag)?.[1])).toEqual([
      '/contact',
      '/api/privacy/requests',
    ])
  })

  test.each([
    ['unconfirmed.html', 'Request not confirmed'],
    ['message-not-sent.html', 'Message not sent'],
  ])('%s is the response to a form without scripts and loads no app', (file, title) => {
    const html = read(file)
    expect(html).toContain(`<html data-app="none" lang="${site.locale}">`)
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script src="/theme.js">'])
    expect(html).not.toContain('modulepreload')
    expect(html).toContain(title)
  })

  test('every icon of the footer is in the file it names', () => {
    const icons = [...page('').matchAll(/<use href="([^"#]*)#(\w+)"/g)]
    expect(icons.map(([, , name]) => name)).toEqual(Object.keys(config.socials))
    for (const [, file = '', name = ''] of icons)
      expect(read(file)).toContain(`<symbol id="${name}"`)
  })

  test('the render-blocking script is small', () => {
    expect(read('theme.js').length).toBeLessThanOrEqual(EARLY_SCRIPT_MAX_BYTES)
  })

  test('sample content is not in the structured data', () => {
    const blocks = [...page('').matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
    const types = blocks.map(([, text = '']) => (JSON.parse(text) as { '@type': string })['@type'])
    expect(types).toEqual(['ProfessionalService', 'Person'])
    expect(page('')).not.toContain('hasCredential')
  })

  test('an app shell has a message for browsers without scripts, and the 404 shell names the path', () => {
    expect(read('spa.html')).toContain('Loading app...')
    expect(read('404.html')).toMatch(/<noscript>.*404 - Not Found.*<\/noscript>/s)
  })
})

describe('the deployer’s brand', () => {
  test('the header has each theme’s logo, with its size and the site’s name', () => {
    const found = page('').match(/<img [^>]*src="\/brand\/logo-[0-9a-f]{8}\.svg"[^>]*>/g) ?? []
    expect(found).toHaveLength(2)
    for (const image of found) {
      expect(image).toContain(`alt="${site.name}"`)
      expect(image).toMatch(/width="120" height="40"/)
      expect(read(/src="\/([^"]+)"/.exec(image)?.[1] ?? '')).toContain('<svg')
    }
  })

  test('a deployer’s colours are in a style sheet after all others, and in the icon', () => {
    for (const html of [...PAGES.map(page), read('spa.html'), read('unconfirmed.html')]) {
      const sheets = [...html.matchAll(/<link rel="stylesheet"[^>]*href="([^"]*)"/g)]
      expect(sheets.at(-1)?.[1]).toMatch(/^\/brand\/brand-[0-9a-f]{8}\.css$/)
    }
    const [name = ''] = /brand-[0-9a-f]{8}\.css/.exec(page('')) ?? []
    const brand = [...read(`brand/${name}`).matchAll(/--gh-brand: ?(#[0-9a-f]{6})/g)]
    expect(brand.map(([, colour]) => colour)).toEqual(['#7a1f5c', '#f0b3dc'])
    expect(read('icon.svg')).toContain('#7a1f5c')
  })
})

describe('one build for every site', () => {
  test('no file of the build has a word of the site’s configuration', () => {
    const { owner, controller, profile } = config
    const words = [
      site.name,
      owner.name,
      owner.email,
      controller.name,
      controller.address,
      profile.headline,
    ]
    const texts = [dist, server].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(js|css|html|json)$/.test(name))
        .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') })),
    )
    expect(texts.length).toBeGreaterThan(50)
    const found = texts.flatMap(({ name, text }) =>
      words.filter((word) => text.includes(word)).map((word) => `${name}: ${word}`),
    )
    expect(found).toEqual([])
    expect(
      words.filter((word) => !page('').includes(word) && !page('privacy').includes(word)),
    ).toEqual([])
  })

  test('the address for alerts is in no page and no file', () => {
    const names = Object.entries(written.files).flatMap(([name, text]) =>
      text.includes(config.owner.alertEmail) ? [name] : [],
    )
    expect(names).toEqual([])
  })

  test('the same build renders another site', () => {
    const home = other.files['index.html'] ?? ''
    expect(home).toContain('<html lang="en-GB">')
    expect(home).toContain('<meta property="og:site_name" content="Northgate IT">')
    expect(home.includes('<h1>Nora Gate</h1>')).toBe(true)
    expect(home.includes('/brand/')).toBe(false)
    expect(other.files['.well-known/security.txt']).toContain('mailto:hello@northgate.example')
    expect(other.files['sitemap.xml']).toContain('https://northgate.example/contact')
    const scripts = (html: string) => html.match(/<script[^>]* src="[^"]*"/g)
    expect(scripts(home)).toEqual(scripts(page('')))
    const words = execFileSync(
      'pdftotext',
      ['-raw', printedFile('northgate', `privacy-notice-${other.notice.lastUpdated}.pdf`), '-'],
      { encoding: 'utf8' },
    )
    expect(words.includes(northgate.controller.name)).toBe(true)
    for (const name of ['og.png', 'apple-touch-icon.png'])
      expect(
        readFileSync(printedFile('northgate', name)).equals(
          readFileSync(printedFile('branded', name)),
        ),
      ).toBe(false)
  })
})

describe('styles', () => {
  const sheets = () =>
    readdirSync(join(dist, 'static'))
      .filter((name) => name.endsWith('.css'))
      .map((name) => read(join('static', name)))

  test('every style rule is in a layer, and the layers are in order', () => {
    const outside = sheets().flatMap((css) =>
      topLevel(css).filter((head) => !head.startsWith('@layer ')),
    )
    expect(new Set(outside)).toEqual(new Set(['@font-face']))
    const [site = ''] = sheets().filter((css) => css.includes('@font-face'))
    const order = topLevel(site).flatMap(
      (head) => /^@layer (.+)$/.exec(head)?.[1]?.split(',') ?? [],
    )
    expect([...new Set(order)]).toEqual(['bootstrap', 'base', 'components', 'pages'])
  })

  test('style rules without a class are not purged, and every token that is used is defined', () => {
    const all = sheets().join('')
    for (const selector of [':focus-visible', 'blockquote', '::view-transition', '[hidden]'])
      expect(all.split(/[{}]/)).toContain(selector)
    const set = new Set([...all.matchAll(/(--gh-[\w-]+):/g)].map(([, name]) => name))
    const read = [...all.matchAll(/var\((--gh-[\w-]+)/g)].map(([, name]) => name)
    expect(read.filter((name) => !set.has(name))).toEqual([])
  })
})

describe('machine-readable files', () => {
  test('robots.txt names the sitemap, which names every page once', () => {
    expect(read('robots.txt')).toContain(`Sitemap: ${site.url}/sitemap.xml`)
    const pages = [...read('sitemap.xml').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)
    expect(pages).toEqual(
      ['/', '/contact', '/privacy', '/security', '/services', '/articles'].map(
        (path) => site.url + path,
      ),
    )
  })

  test('security.txt complies with RFC 9116 and expires in less than a year', () => {
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

  test('every compressible file of the build is compressed', () => {
    for (const name of ['theme.js', 'silent-renew.html'])
      expect(existsSync(join(dist, `${name}.br`)) && existsSync(join(dist, `${name}.gz`))).toBe(
        true,
      )
  })
})

describe('the privacy notice', () => {
  const file = () => printedFile('branded', `privacy-notice-${written.notice.lastUpdated}.pdf`)
  const words = () => execFileSync('pdftotext', ['-raw', file(), '-'], { encoding: 'utf8' })

  test('the privacy notice’s PDF has the twelve headings in order', () => {
    const titles: string[] = Object.values(NOTICE_SECTIONS)
    expect(titles).toHaveLength(12)
    const lines = words().split('\n')
    const headings = lines.map((line) => line.trim()).filter((line) => titles.includes(line))
    expect(headings).toEqual(titles)
  })

  test('the privacy notice’s page and PDF contain every cell of every table', () => {
    const cells = written.notice.sections.flatMap(({ blocks }) =>
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

  test('the privacy notice’s PDF is tagged and has an outline, a language and the date of the notice', () => {
    const facts = execFileSync('pdfinfo', [file()], { encoding: 'utf8', env: { TZ: 'UTC' } })
    expect(facts).toMatch(/Tagged:\s+yes/)
    expect(facts).toMatch(/Page size:.*\(A4\)/)
    const bytes = readFileSync(file(), 'latin1')
    expect(bytes).toContain('/Outlines')
    expect(bytes).toContain(`/Lang (${site.locale})`)
    expect(bytes).toContain(
      `/CreationDate (D:${written.notice.lastUpdated.replaceAll('-', '')}000000`,
    )
  })
})

/** Preludes of a stylesheet's outermost rules, and statements without braces. */
function topLevel(css: string) {
  const heads: string[] = []
  let [depth, start] = [0, 0]
  // Strings may contain braces.
  const bare = css.replaceAll(/"[^"]*"|'[^']*'/g, (text) => '_'.repeat(text.length))
  for (const { 0: sign, index } of bare.matchAll(/[{};]/g)) {
    if (depth === 0 && sign !== '}') heads.push(bare.slice(start, index).trim())
    depth += sign === '{' ? 1 : sign === '}' ? -1 : 0
    start = index + 1
  }
  return heads
}

/** Ignores line breaks: the PDF breaks at hyphens and inside URLs. */
const squeeze = (text: string) => text.replaceAll(/[\s\u00ad-]+/g, '')

const unescape = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
