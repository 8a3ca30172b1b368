// @vitest-environment node
import { expect, test } from 'vitest'
import { buildRenderer } from './render-site.tsx'

const assets = {
  template:
    '<!doctype html><html lang="en"><head><title>x</title></head><body><div id="root"></div></body></html>',
  font: '/static/font.woff2',
  brand: null,
  app: { scripts: [], styles: [] },
  scripts: {},
  styles: {},
}

const service = (id: string, over: object = {}) => ({
  id,
  name: `Service ${id}`,
  slug: id,
  category: 'Advisory',
  icon: null,
  summary: 'A summary.',
  description: 'Text.',
  includes: null,
  priceFrom: null,
  currency: null,
  billingPeriod: null,
  priceUnit: null,
  responseHours: null,
  docsUrl: null,
  sample: false,
  ...over,
})

/** The API, as a visitor sees it. */
const serving =
  (services: ReturnType<typeof service>[]) =>
  async (path: string): Promise<unknown> => {
    const [, id] = /^services\/(.*)$/.exec(path) ?? []
    if (id !== undefined) return services.find((one) => one.id === id)
    return { items: path.startsWith('services') ? services : [] }
  }

type RenderedFile = { path: string; record?: string } & ({ text: string } | { error: unknown })

const render = async (...services: ReturnType<typeof service>[]) => {
  const { renderIndexes, renderRecords } = buildRenderer(assets, {})
  const get = serving(services)
  const indexes: RenderedFile[] = await renderIndexes(get, new Date())
  const files = [...indexes]
  for await (const file of renderRecords(get)) files.push(file)
  return { files, of: (id: string) => files.find((file) => file.record === id) }
}

test('a service with any text renders, and does not break other pages', async () => {
  const words = 'On click: <b style="x" onload=y> style=1 <script>"\' --> </script><style>'
  const { files, of } = await render(
    service('a', { name: words, summary: words, description: words, includes: [words] }),
    service('b'),
  )
  expect(files.filter((file) => 'error' in file)).toEqual([])
  expect(of('b')).toMatchObject({ path: 'msp/services/b/index.html' })
})

test('a slug that is not a path segment has no page and no sitemap entry', async () => {
  const { files, of } = await render(
    service('a', { slug: 'a?/../../../evil' }),
    service('b', { slug: '..' }),
    service('c', { slug: 'Old & new' }),
    service('d'),
  )
  expect([of('a'), of('b')]).toMatchObject([
    { error: expect.anything() },
    { error: expect.anything() },
  ])
  expect(of('c')).toMatchObject({ path: 'msp/services/Old & new/index.html' })
  const sitemap = files.find(({ path }) => path === 'sitemap.xml')
  const text = sitemap && 'text' in sitemap ? sitemap.text : ''
  expect(text).toMatch(/\/msp\/services\/Old%20%26%20new</)
  expect(text).not.toMatch(/evil|services\/\.|services\/<|&(?!amp;)/)
  const list = files.find(({ path }) => path === 'msp/services/index.html')
  expect(list && 'text' in list ? list.text : '').toContain(
    '/msp/services/a%3F%2F..%2F..%2F..%2Fevil',
  )
})
