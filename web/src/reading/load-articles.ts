import { site } from '#base/site.ts'
import { publicDefinitionAt } from '#data/definitions.ts'
import { rowsOf, type RecordData } from '#data/records.ts'
import type { Get, IndexRequest, PageRequest } from './read-rows.ts'
import { pick, type Article, type ArticleRow, type ServiceLink } from './reading-data.ts'

/** Older articles are behind a link. */
const SHOWN_MAX = 50
/** The most of one request. */
const PINNED_MAX = 100
/** The column may be empty in records that were imported. */
const UNPINNED = {
  any: [
    ['pinned', 'eq', false],
    ['pinned', 'empty', true],
  ],
}

export const ARTICLE_ROW = [
  'id',
  'title',
  'slug',
  'kind',
  'summary',
  'publishedAt',
  'startsAt',
  'sample',
] as const satisfies (keyof ArticleRow)[]

/** Pinned ones first, then by date; `kind` and `older` of the query narrow them down. */
export async function loadArticles({ definition, get, query, now }: IndexRequest) {
  const kind = query.get('kind')
  const older = query.get('older')
  const ofKind = kind ? [['kind', 'eq', kind]] : []
  const list = (all: unknown[], more: string) =>
    get(
      `${definition.routeName}?filter=${encodeURIComponent(JSON.stringify({ all }))}&sort=-publishedAt&total=none${more}`,
    )
  const counting = countKinds({ definition, get })
  const pinned = older
    ? []
    : (rowsOf(await list([['pinned', 'eq', true]], `&limit=${PINNED_MAX}`)) ?? [])
  const maintenance = kind ? undefined : pinned.find((row) => isMaintenanceAhead(row, now))
  const first = pinned.filter((row) => row !== maintenance && (!kind || row['kind'] === kind))
  const limit = Math.max(1, SHOWN_MAX - first.length)
  const [page, kinds] = await Promise.all([
    list(
      [...ofKind, UNPINNED],
      `&limit=${limit}${older ? `&after=${encodeURIComponent(older)}` : ''}`,
    ),
    counting,
  ])
  const next: unknown = Reflect.get(Object(page), 'next')
  const rows = [...first, ...(rowsOf(page) ?? [])]
  const articles = rows.map((row) => pick<ArticleRow>(row, ARTICLE_ROW))
  return {
    reading: 'articles',
    maintenance: maintenance ? pick<ArticleRow>(maintenance, ARTICLE_ROW) : null,
    articles,
    kinds,
    kind,
    older: typeof next === 'string' ? next : null,
  }
}

/** Not before its last day is over: the day it expires, which its visibility includes, or the day it starts. */
function isMaintenanceAhead({ kind, startsAt, expiresOn }: RecordData, now: Date) {
  if (kind !== 'Maintenance') return false
  if (typeof expiresOn === 'string') return true
  return typeof startsAt === 'string' && dayOf(new Date(startsAt)) >= dayOf(now)
}

const dayOf = (at: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone: site.timezone }).format(at)

async function countKinds({
  definition,
  get,
}: {
  definition: IndexRequest['definition']
  get: Get
}) {
  const options = definition.viewData.fields.find(({ name }) => name === 'kind')?.options ?? []
  const counted = await Promise.all(
    options.map(async ({ value, label = value }) => {
      const filter = encodeURIComponent(JSON.stringify({ all: [['kind', 'eq', value]] }))
      const body = await get(`${definition.routeName}?filter=${filter}&limit=1`)
      const total: unknown = Reflect.get(Object(body), 'total')
      return { value, label, count: Number(Reflect.get(Object(total), 'count') ?? 0) }
    }),
  )
  return counted.filter(({ count }) => count > 0)
}

export async function loadArticle({ get, record }: PageRequest) {
  return {
    reading: 'article',
    article: pick<Article>(record, [...ARTICLE_ROW, 'body', 'sourceUrl']),
    service: await readService(get, record['service']),
  }
}

/** A relation to a service that the caller may not see reads as null. A site's services may be for clients only. */
async function readService(get: Get, id: unknown): Promise<ServiceLink | null> {
  if (typeof id !== 'string' || !publicDefinitionAt('services')) return null
  const service = (await get(`services/${encodeURIComponent(id)}`)) as RecordData
  return pick<ServiceLink>(service, ['name', 'slug', 'summary'])
}
