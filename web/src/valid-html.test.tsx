// @vitest-environment node
import { expect, test } from 'vitest'
import { definitionsState } from '#data/definitions.ts'
import { article, definitions, service, serving } from '../test/reading-records.ts'
import { assets, findHtmlErrors } from '../test/valid-html.ts'
import { buildRenderer } from './render-site.tsx'

const TEXT = '# A\n\n- one\n- two\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n\n> said\n\n`code`'
const get = serving({
  services: [
    service('a', { includes: ['One', 'Two'], priceFrom: 49, responseHours: 8, description: TEXT }),
    service('b', { category: 'Managed IT', sample: true, termMonths: 12, noticeDays: 0 }),
  ],
  articles: [
    article('c', { service: 'a', body: TEXT, sourceUrl: 'https://example.com/', sample: true }),
    article('d', { kind: 'Maintenance', pinned: true, startsAt: '2030-01-01T06:00:00Z' }),
  ],
})

definitionsState.set({ ...definitionsState.get(), definitions })
definitionsState.adopt()
const { renderFixed, renderIndexes, listPages, renderPage } = buildRenderer(assets, {}, definitions)
const files = [...(await renderFixed(new Date())), ...(await renderIndexes(get, new Date()))]
for (const page of await listPages(get))
  files.push({ path: page.path, text: await renderPage(page, get) })
const documents = files.filter(({ path }) => path.endsWith('.html'))

test.each(documents)('$path is valid HTML', async ({ text }) => {
  expect(await findHtmlErrors(text)).toEqual([])
})
