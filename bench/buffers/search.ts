import { availableParallelism, loadavg } from 'node:os'
import type { Person } from '../../ops/drills/kit/key-server.ts'
import { ABSENT_WORD, RARE_WORD } from '../../ops/drills/kit/million-seed.ts'
import { requesterFor, measureRepeatedly, requireOk } from '../growth/measure-request.ts'
import type { SizedDatabase } from '../growth/sized-database.ts'
import type { Found } from '../growth/verdict.ts'

const LIMITS = { model: 500, all: 1_500 }
const PATH = 'models/search'
/** Occurs in nearly every ticket. */
export const COMMON_WORD = 'ing'
const TERMS = {
  rare: RARE_WORD,
  common: COMMON_WORD,
  absent: ABSENT_WORD,
  'exact number': '#4711',
  'exact reference': 'C-4711',
  'exact host name': 'host-4711',
  'absent telephone number': '+353 1 555 0100',
}
const TIMED_REQUESTS = 50
const P95_MAX_MS = 150

type Caller = { who: string; person: Person }

/** The search of all models: buffers of the full request and of its most expensive model, and the time of many. */
export async function* measureSearches(
  environment: SizedDatabase,
  callers: Caller[],
): AsyncGenerator<Found> {
  const { rows } = await environment.client.query<{ email: string }>(
    'select email from contacts order by id limit 1',
  )
  const terms = { ...TERMS, 'exact email address': rows[0]?.email ?? '' }
  for (const { who, person } of callers) {
    const ask = await requesterFor(environment, person)
    for (const [kind, q] of Object.entries(terms)) {
      const { most, ...found } = await measureTerm(ask, q)
      const what = `search of all models: ${kind}, as ${who}`
      yield { what, group: 'search of all models', ...found, limit: LIMITS.all }
      yield {
        ...found,
        what: `${what}: its most expensive model`,
        group: 'search of all models: the most expensive model',
        buffers: most,
        limit: LIMITS.model,
      }
    }
  }
  const [first] = callers
  if (!first) return
  const ask = await requesterFor(environment, first.person)
  yield await timeSearches(ask, Object.values(terms))
}

type Requester = Awaited<ReturnType<typeof requesterFor>>

/** A model that was too slow makes the result a fault. */
async function measureTerm(ask: Requester, q: string) {
  const { text, ...cost } = await measureRepeatedly(() => ask({ path: PATH, query: { q } }))
  const { slow } = JSON.parse(text ?? '{"slow":[]}') as { slow: string[] }
  return { ...cost, ...(slow.length > 0 ? { fault: `too slow: ${slow.join()}` } : {}) }
}

async function timeSearches(ask: Requester, terms: string[]): Promise<Found> {
  const isQuiet = (loadavg()[0] ?? 0) < availableParallelism()
  const all: { ms: number; buffers: number }[] = []
  for (let time = 0; time < TIMED_REQUESTS; time++) {
    const q = terms[time % terms.length] ?? RARE_WORD
    all.push(requireOk(await ask({ path: PATH, query: { q } })))
  }
  const place = Math.ceil(TIMED_REQUESTS * 0.95) - 1
  const { ms, buffers } = all.toSorted((a, b) => a.ms - b.ms)[place] ?? { ms: 0, buffers: 0 }
  const what = `search of all models: 95th percentile of ${TIMED_REQUESTS}`
  return { what, group: what, buffers, ms, ...(isQuiet ? { waitMs: P95_MAX_MS } : {}) }
}
