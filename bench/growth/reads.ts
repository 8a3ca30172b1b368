import { ADMIN, LIMITS } from '../buffers/lists.ts'
import { COMMON_WORD } from '../buffers/search.ts'
import { MANAGER, OWNER } from '../../ops/drills/kit/million-seed.ts'
import { requesterFor, measureRepeatedly, type RequestCost } from './measure-request.ts'
import type { Found } from './verdict.ts'
import type { SizedDatabase } from './sized-database.ts'

/** Longest wait for a list without an index, until a response or rejection. */
const WAIT_MAX_MS = 2_500
const REFUSAL = 'list-too-slow'

const FILTERS: Record<string, unknown[]> = {
  'a third of all': ['contactType', 'eq', 'Report'],
  'one in 240': ['minutesSpent', 'eq', 239],
  none: ['minutesSpent', 'gt', 100_000],
}
const PEOPLE = { admin: ADMIN, owner: OWNER, manager: MANAGER }

/** Reads other than lists, and lists without an index. */
export async function* measureReads(scene: SizedDatabase): AsyncGenerator<Found> {
  const ask = await requesterFor(scene, ADMIN)
  const { rows } = await scene.client.query<{ id: string }>(
    `select id from tickets where deleted_at is null and number >=
       (select max(number) / 2 from tickets) order by number limit 1`,
  )
  const id = rows[0]?.id ?? ''
  const pages = {
    'one ticket': { path: `tickets/${id}` },
    'its messages': {
      path: 'messages',
      query: { filter: JSON.stringify({ all: [['ticket', 'eq', id]] }) },
    },
    'its history': { path: `tickets/${id}/history` },
  }
  for (const [what, page] of Object.entries(pages)) {
    const { text: _text, ...cost } = await measureRepeatedly(() => ask(page))
    yield { what, group: what, ...cost, limit: LIMITS.page }
  }
  const { text: _text, ...cost } = await measureRepeatedly(() => ask({ path: 'models/counts' }))
  yield { what: 'menu: all totals', group: 'menu: all totals', ...cost, limit: LIMITS.desk }
  yield* measureUnserved(scene)
}

async function* measureUnserved(environment: SizedDatabase): AsyncGenerator<Found> {
  for (const [who, person] of Object.entries(PEOPLE)) {
    const ask = await requesterFor(environment, person)
    const searched = await ask({ path: 'tickets', query: { q: COMMON_WORD } })
    yield { what: `common search as ${who}`, group: 'search: a common word', ...toTold(searched) }
    for (const [match, condition] of Object.entries(FILTERS)) {
      const filter = JSON.stringify({ all: [condition] })
      const asked = await ask({ path: 'tickets', query: { filter } })
      const group = `filter without index, as ${who}: ${match}`
      yield { what: group, group, ...toTold(asked) }
    }
  }
}

/** Measured once: a response, or a rejection with its reason, within the limit. */
function toTold({ buffers, ms, status, isOk, text }: RequestCost) {
  const told = { buffers, ms, waitMs: WAIT_MAX_MS }
  if (isOk) return told
  return text.includes(REFUSAL)
    ? { ...told, isRefused: true as const }
    : { ...told, fault: `${status} ${text}` }
}
