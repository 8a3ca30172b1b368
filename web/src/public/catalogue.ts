import { getJson } from '#data/client.ts'

/** The public face of a service record. */
export type Service = {
  id: string
  name: string
  slug: string
  category: string
  icon: string | null
  summary: string
  description?: string
  includes: string[] | null
  priceFrom: number | null
  currency: string | null
  billingPeriod: string | null
  priceUnit: string | null
  responseHours: number | null
  docsUrl: string | null
  sample: boolean
}

type Article = { id: string; title: string; summary: string | null; kind: string }

/** What the catalogue and the page of one service show. The server renders both from the same shape. */
export type Catalogue = { services: Service[] }
export type ServicePage = { service: Service; articles: Article[] }

const LIST = 'services?limit=100&total=none'

/** How an answer of the API is had: in a browser over the network, on the server from the process itself. */
export type Get = (path: string) => Promise<unknown>

export async function loadCatalogue(get: Get = getJson<unknown>): Promise<Catalogue> {
  return { services: await items<Service>(get, LIST) }
}

/** Throws a 404 where there is no such service, or none a visitor may see. */
export async function loadService(slug: string, get: Get = getJson<unknown>): Promise<ServicePage> {
  const [found] = await items<Service>(get, `services?filter=${encode([['slug', 'eq', slug]])}`)
  if (!found) throw new Response(null, { status: 404, statusText: 'Not Found' })
  return loadServicePage(found.id, get)
}

export async function loadServicePage(id: string, get: Get): Promise<ServicePage> {
  const [service, articles] = await Promise.all([
    get(`services/${id}`) as Promise<Service>,
    items<Article>(get, `articles?filter=${encode([['service', 'eq', id]])}&limit=5`),
  ])
  return { service, articles }
}

const encode = (all: unknown[]) => encodeURIComponent(JSON.stringify({ all }))

const items = async <T>(get: Get, path: string) => ((await get(path)) as { items: T[] }).items
