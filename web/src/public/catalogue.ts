import type { ConditionOf, RecordFor } from '@gatehouse/model'
import type { Models } from '@gatehouse/model/models'
import { getJson } from '#data/failure.ts'

export type Service = Pick<
  RecordFor<Models['services'], 'public'>,
  | 'id'
  | 'name'
  | 'slug'
  | 'category'
  | 'icon'
  | 'summary'
  | 'includes'
  | 'priceFrom'
  | 'currency'
  | 'responseHours'
  | 'docsUrl'
  | 'sample'
> & {
  description?: string
  // Sites may add periods.
  billingPeriod: string | null
  priceUnit: string | null
}

type Article = Pick<RecordFor<Models['articles'], 'public'>, 'id' | 'title' | 'summary' | 'kind'>

/** Loader data of catalogue and service page, shared with the server renderer. */
export type Catalogue = { services: Service[] }
export type ServicePage = { service: Service; articles: Article[] }

const LIST = 'services?limit=100&total=none'

/** Reads the API: over the network in the browser, in process on the server. */
export type Get = (path: string) => Promise<unknown>

export async function loadCatalogue(get: Get = getJson<unknown>): Promise<Catalogue> {
  return { services: await items<Service>(get, LIST) }
}

/** Throws a 404 for a service that is missing or not visible to the visitor. */
export async function loadService(slug: string, get: Get = getJson<unknown>): Promise<ServicePage> {
  const [found] = await items<Service>(
    get,
    `services?filter=${encode<'services'>([['slug', 'eq', slug]])}`,
  )
  if (!found) throw new Response(null, { status: 404, statusText: 'Not Found' })
  return loadServicePage(found.id, get)
}

export async function loadServicePage(id: string, get: Get): Promise<ServicePage> {
  const [service, articles] = await Promise.all([
    get(`services/${id}`) as Promise<Service>,
    items<Article>(get, `articles?filter=${encode<'articles'>([['service', 'eq', id]])}&limit=5`),
  ])
  return { service, articles }
}

/** Typed like `list` of data/records.ts, which would add to every visitor's download. */
const encode = <P extends keyof Models>(all: ConditionOf<Models[P]>[]) =>
  encodeURIComponent(JSON.stringify({ all }))

const items = async <T>(get: Get, path: string) => ((await get(path)) as { items: T[] }).items
