import { callApi } from '#data/client.ts'
import { currentUser } from '#auth/auth.ts'
import { buildStore } from '#base/store.ts'

/** Not an object: another server may call a model `constructor`. */
type Counts = Map<string, { count: number; exact: boolean }>

/** Long enough for going from page to page, short enough to be about right. */
const FRESH_FOR_MS = 15_000

const counts = buildStore<{ totals: Counts; hasFailed: boolean }>({
  totals: new Map(),
  hasFailed: false,
})
let asked = { sub: '', at: -Infinity }

/** How many records each model of the menu has, by its path; empty where no server counts. */
export const useCounts = counts.use

/** Asks again when the answer is old, was made for someone else, or `isStale`. */
export async function loadCounts({ isStale = false } = {}) {
  const sub = (await currentUser())?.profile.sub ?? ''
  const now = performance.now()
  if (!isStale && asked.sub === sub && now - asked.at < FRESH_FOR_MS) return
  asked = { sub, at: now }
  try {
    const response = await callApi('models/counts')
    if (!response.ok) throw new Error(String(response.status))
    counts.set({ totals: readCounts(await response.json()), hasFailed: false })
  } catch {
    counts.set({ totals: new Map(), hasFailed: true })
  }
}

const readCounts = (body: unknown): Counts =>
  new Map(
    Object.entries(Object(body) as Record<string, unknown>).flatMap(([path, value]) => {
      const count: unknown = Reflect.get(Object(value), 'count')
      const exact = Reflect.get(Object(value), 'exact') === true
      return typeof count === 'number' ? [[path, { count, exact }] as const] : []
    }),
  )
