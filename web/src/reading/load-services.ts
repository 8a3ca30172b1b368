import { publicDefinitionAt } from '#data/definitions.ts'
import {
  readAllRows,
  readRows,
  type Get,
  type IndexRequest,
  type PageRequest,
} from './read-rows.ts'
import { ARTICLE_ROW } from './load-articles.ts'
import { pick, type ArticleRow, type Service, type ServiceRow } from './reading-data.ts'

const ARTICLES_MAX = 5

const SERVICE_ROW = [
  'id',
  'name',
  'slug',
  'category',
  'icon',
  'summary',
  'includes',
  'priceFrom',
  'currency',
  'billingPeriod',
  'priceUnit',
  'responseHours',
  'sample',
] as const satisfies (keyof ServiceRow)[]
const SERVICE = [...SERVICE_ROW, 'description', 'termMonths', 'noticeDays'] as const

export async function loadServices({ definition, get }: IndexRequest) {
  const rows = await readAllRows(get, definition.routeName)
  return { reading: 'services', services: rows.map((row) => pick<ServiceRow>(row, SERVICE_ROW)) }
}

export const loadService = async ({ get, record }: PageRequest) => ({
  reading: 'service',
  service: pick<Service>(record, SERVICE),
  articles: (await readArticles(get, record['id'])).map((row) =>
    pick<ArticleRow>(row, ARTICLE_ROW),
  ),
})

/** A site's articles may be for clients only. */
async function readArticles(get: Get, service: unknown) {
  if (!publicDefinitionAt('articles')) return []
  const filter = JSON.stringify({ all: [['service', 'eq', service]] })
  return readRows(
    get,
    `articles?filter=${encodeURIComponent(filter)}&sort=-publishedAt&limit=${ARTICLES_MAX}&total=none`,
  )
}
