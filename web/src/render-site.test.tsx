// @vitest-environment node
import { beforeAll, expect, test } from 'vitest'
import { definitionsState } from '#data/definitions.ts'
import { article, definitions, service, serving, type Row } from '../test/reading-records.ts'
import { assets } from '../test/valid-html.ts'
import { buildRenderer } from './render-site.tsx'

beforeAll(() => {
  definitionsState.set({ ...definitionsState.get(), definitions })
  definitionsState.adopt()
})

const render = async (services: Row[], articles: Row[] = []) => {
  const { renderIndexes, listPages, renderPage } = buildRenderer(assets, {}, definitions)
  const get = serving({ services, articles })
  const files = await renderIndexes(get, new Date('2026-11-18T12:00:00Z'))
  const pages = await listPages(get)
  return {
    textOf: (path: string) => files.find((file) => file.path === path)?.text ?? '',
    pages,
    pageOf: async (id: string) => {
      const page = pages.find(({ record }) => record === id)
      return page && { ...page, text: await renderPage(page, get) }
    },
  }
}

test('a service with any text renders', async () => {
  const words = 'On click: <b style="x" onload=y> style=1 <script>"\' --> </script><style>'
  const { pageOf } = await render([
    service('a', { name: words, summary: words, description: words, includes: [words] }),
  ])
  expect(await pageOf('a')).toMatchObject({
    path: 'services/a/index.html',
    text: expect.stringContaining('On click: &lt;b style='),
  })
})

test('a slug that is not a path segment has no page and no sitemap entry', async () => {
  const { pages, textOf } = await render([
    service('a', { slug: 'a?/../../../evil' }),
    service('b', { slug: '..' }),
    service('c', { slug: 'Old & new' }),
    service('d'),
  ])
  expect(pages.map(({ path }) => path)).toEqual([
    'services/Old & new/index.html',
    'services/d/index.html',
  ])
  const text = textOf('sitemap.xml')
  expect(text).toMatch(/\/services\/Old%20%26%20new</)
  expect(text).not.toMatch(/evil|services\/\.|services\/<|&(?!amp;)/)
  expect(textOf('services/index.html')).toContain('/services/a%3F%2F..%2F..%2F..%2Fevil')
})

test('the further addresses of the services’ page show it, with its canonical address', async () => {
  const { textOf } = await render([service('a')])
  for (const path of ['services', 'msp/services', 'msp-services']) {
    const text = textOf(`${path}/index.html`)
    expect(text).toMatch(/<link rel="canonical" href="[^"]*\/services">/)
    expect(text).not.toMatch(/canonical" href="[^"]*msp/)
    expect(text).toContain('Service a')
  }
})

test('the sitemap has each published page once, with the date of its last change', async () => {
  const { textOf } = await render([service('a')], [article('b')])
  const entries = textOf('sitemap.xml').match(/<url>.*<\/url>/g) ?? []
  expect(entries.filter((entry) => /\/(services|articles)/.test(entry))).toEqual([
    expect.stringMatching(/\/services<\/loc><\/url>/),
    expect.stringMatching(/\/services\/a<\/loc><lastmod>2026-11-01T10:00:00Z<\/lastmod>/),
    expect.stringMatching(/\/articles<\/loc><\/url>/),
    expect.stringMatching(/\/articles\/b<\/loc><lastmod>2026-11-03T10:00:00Z<\/lastmod>/),
  ])
})

test('the feed has the newest articles first, escaped', async () => {
  const { textOf } = await render(
    [],
    [
      article('old', { publishedAt: '2026-01-01T00:00:00Z' }),
      article('new', { title: 'A & <b>', summary: 'x\u0000y' }),
    ],
  )
  const text = textOf('feed.xml')
  expect(text.match(/<title>[^<]*/g)?.slice(1)).toEqual([
    '<title>A &amp; &lt;b&gt;',
    '<title>Article old',
  ])
  expect(text).toContain('<summary>xy</summary>')
  expect(text).toMatch(/^<updated>2026-11-03T10:00:00Z<\/updated>$/m)
})

test('a stamp changes with the record and with what its page shows of others', async () => {
  const stampOf = async (services: Row[], articles: Row[], id: string) =>
    (await render(services, articles)).pages.find(({ record }) => record === id)?.stamp
  const services = [service('s')]
  const articles = [article('a', { service: 's' })]
  const base = await stampOf(services, articles, 's')
  expect(await stampOf(services, articles, 's')).toBe(base)
  expect(await stampOf([service('s', { version: 2 })], articles, 's')).not.toBe(base)
  expect(await stampOf(services, [article('a', { service: 's', version: 2 })], 's')).not.toBe(base)
  const ofArticle = await stampOf(services, articles, 'a')
  expect(await stampOf([service('s', { version: 2 })], articles, 'a')).not.toBe(ofArticle)
})

test('a stamp changes with another record at the same slug, and with a restored one of the same version', async () => {
  const stampOf = async (row: Row) => (await render([], [row])).pages[0]?.stamp
  const base = await stampOf(article('a', { slug: 'news' }))
  expect(await stampOf(article('a', { slug: 'news' }))).toBe(base)
  expect(await stampOf(article('b', { slug: 'news' }))).not.toBe(base)
  const restored = article('a', { slug: 'news', updatedAt: '2026-11-04T10:00:00Z' })
  expect(await stampOf(restored)).not.toBe(base)
})

test('articles without a value in pinned are listed, and every pinned one', async () => {
  const pinned = Array.from({ length: 12 }, (_, at) => article(`p${at}`, { pinned: true }))
  const text = (await render([], [...pinned, article('imported', { pinned: null })])).textOf(
    'articles/index.html',
  )
  for (const title of ['Article p0', 'Article p11', 'Article imported'])
    expect(text).toContain(title)
})

test('a pinned maintenance stands in the band until its day is over', async () => {
  const maintenance = (startsAt: string) =>
    article('m', { kind: 'Maintenance', pinned: true, startsAt, expiresOn: null })
  const bandOf = async (startsAt: string) =>
    (await render([], [maintenance(startsAt)])).textOf('articles/index.html')
  expect(await bandOf('2026-11-18T06:00:00Z')).toContain('class="maintenance"')
  expect(await bandOf('2026-11-17T06:00:00Z')).not.toContain('class="maintenance"')
})

test('linked data names a service and an article, but no sample', async () => {
  const { pageOf } = await render(
    [service('a'), service('b', { sample: true })],
    [article('c'), article('d', { sample: true })],
  )
  expect((await pageOf('a'))?.text).toContain('"@type":"Service"')
  expect((await pageOf('b'))?.text).not.toContain('"@type":"Service"')
  expect((await pageOf('c'))?.text).toContain('"@type":"Article"')
  expect((await pageOf('d'))?.text).not.toContain('"@type":"Article"')
})
