import {
  canDo,
  canSort,
  factsOf,
  fieldsOf,
  type Condition,
  type Filter,
  type Model,
} from '@gatehouse/model'
import { models } from '@gatehouse/model/models'

const CONDITIONS = 20
/** The slowest are measured again: the first measurement may be an outlier. */
const FINALISTS = 4
/** Matches no record, and is long enough for the trigram index. */
const LONG = Array.from({ length: CONDITIONS }, (_, index) => `zyzzyva${index}`)
/** Too short for the index, so a full scan. */
const SHORT = ['q', 'x', 'z', 'j', 'v'].flatMap((first) =>
  ['q', 'x', 'z', 'j'].map((second) => first + second),
)
const ACCEPTED = ['200', '422 list-too-slow']

type Measured = { path: string; ms: number; status: string }
export type MostExpensive = Measured & { tried: number }

type Site = { base: string; headers: Record<string, string> }

/**
 * Finds the most expensive query the API accepts from an admin on an idle system: filters of twenty conditions, searches,
 * sorts, exact totals, neighbours. Queries cancelled after 2 s count: the database did the work.
 */
export async function findMostExpensiveQuery(site: Site): Promise<MostExpensive> {
  const paths = await candidates(site)
  const all = await measureAll(site, paths)
  const again = await measureAll(
    site,
    all.slice(0, FINALISTS).map(({ path }) => path),
  )
  const [dearest] = again
  if (!dearest) throw new Error('no query was accepted')
  return { ...dearest, tried: paths.length }
}

/** Accepted queries, slowest first. */
async function measureAll(site: Site, paths: string[]) {
  const measured: Measured[] = []
  for (const path of paths) {
    const started = performance.now()
    const { status } = await ask(site, path)
    measured.push({ path, status, ms: performance.now() - started })
  }
  return measured
    .filter(({ status }) => ACCEPTED.includes(status))
    .toSorted((one, other) => other.ms - one.ms)
}

async function candidates(site: Site) {
  const [ticket] = (await ask(site, '/api/tickets?limit=1')).items
  const paths = models.filter((model) => canDo(model, 'list', ADMIN)).flatMap(listsOf)
  const wide = paths.filter((path) => path.startsWith('/api/tickets?filter='))
  const neighbours = ticket
    ? wide.map((path) => path.replace('/tickets?', `/tickets/${ticket.id}/neighbours?`))
    : []
  return [...new Set([...paths, ...neighbours])]
}

const ADMIN = { sub: 'dearest-query', name: null, role: 'admin' } as const

function listsOf(model: Model) {
  const filters = wideFilters(model).map((filter) => `filter=${encode(filter)}`)
  const searches = fieldsOf(model).some(([, field]) => field.searchable)
    ? [`q=${SHORT[0]}`, `q=${LONG[0]}`]
    : []
  const sorts = fieldsOf(model)
    .filter(([name]) => canSort(model, name, 'admin'))
    .map(([name]) => `sort=-${name}`)
  const wide = [...filters, ...searches]
  const [widest = 'limit=100'] = wide
  const queries = [
    ...wide,
    ...wide.map((query) => `${query}&total=exact`),
    ...sorts,
    ...sorts.map((sort) => `${widest}&${sort}`),
    'total=exact',
  ]
  return queries.map((query) => `/api/${model.path}?${query}`)
}

/** Conditions without a match, so that no scan ends early. */
function wideFilters(model: Model): Filter[] {
  const texts = fieldsOf(model)
    .filter(([, field]) => factsOf(field.type).operators.some((one) => one === 'contains'))
    .map(([name]) => name)
  if (texts.length === 0) return []
  const relations = fieldsOf(model).filter(([, field]) => field.type === 'relation')
  const contains = (words: string[]) =>
    words.map((word, place): Condition => [texts[place % texts.length] ?? '', 'contains', word])
  return [
    { any: contains(SHORT) },
    { any: contains(LONG) },
    {
      all: [
        ...relations.map(([name]): Condition => [name, 'empty', false]),
        { any: contains(SHORT.slice(relations.length)) },
      ],
    },
  ]
}

const encode = (filter: Filter) => encodeURIComponent(JSON.stringify(filter))

async function ask({ base, headers }: Site, path: string) {
  const response = await fetch(`${base}${path}`, { headers })
  const body = (await response.json()) as { items?: { id: string }[]; code?: string }
  const status = [response.status, body.code].filter(Boolean).join(' ')
  return { status, items: body.items ?? [] }
}
