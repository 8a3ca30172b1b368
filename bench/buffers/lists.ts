import type pg from 'pg'
import type { Person, startKeyServer } from '../../ops/drills/kit/key-server.ts'
import { isBeside, plansOf } from '../plans.ts'
import { ABSENT_WORD, MANAGER, OWNER, RARE_WORD, SOLO } from '../seed.ts'
import { countOf, cursorAt } from './cursors.ts'
import { DESK } from './desk.ts'

export const LIMITS = { page: 150, search: 500, desk: 500 }

const DEPTHS = [0.1, 0.5, 0.99]
/** Only a list that is long enough has a depth. */
const DEEP_MIN = 1_000
const PAGE = 25
/** PostgreSQL may switch to a generic plan at the sixth execution; the worst run counts. */
const REPEATS = 7
const ADMIN: Person = { sub: 'bench-admin', name: 'Ada Admin', role: 'admin' }
const PEOPLE: { who: string; person: Person }[] = [
  { who: 'admin', person: ADMIN },
  { who: 'owner of 0.5 %', person: OWNER },
  { who: 'manager of 5 %', person: MANAGER },
  { who: 'manager who wrote 90 %', person: SOLO },
]
/** The list that grows. */
const TICKETS = 'tickets'

export type Scene = {
  base: string
  client: pg.Client
  directory: string
  keys: Awaited<ReturnType<typeof startKeyServer>>
}
export type Found = { what: string; buffers: number; limit: number }

/** Buffers of whole requests, labels and totals included: every list in every sort, searches, and what the desk counts. */
export async function* measureLists(scene: Scene): AsyncGenerator<Found> {
  await warm(scene)
  for (const { who, person } of PEOPLE) {
    const read = await readerOf(scene, person)
    for (const { path, sorts } of await listsOf(scene, person))
      for (const sort of ['', ...sorts]) {
        const name = `${path} by ${sort || 'default'} as ${who}`
        const order: Query = sort ? { sort } : {}
        const first = await read(path, order)
        yield { what: name, buffers: first.buffers, limit: LIMITS.page }
        const canBeDeep = person === ADMIN || path === TICKETS
        const count = canBeDeep && first.isFull ? await countOf(scene.client, { path, person }) : 0
        if (count < DEEP_MIN) continue
        for (const depth of DEPTHS) {
          const place = { path, sort: sort || first.order, person, depth }
          const after = await cursorAt(scene.client, place)
          const { buffers } = await read(path, { ...order, after })
          yield { what: `${name} at ${depth * 100} %`, buffers, limit: LIMITS.page }
        }
      }
    for (const [kind, q] of Object.entries({ rare: RARE_WORD, absent: ABSENT_WORD })) {
      const { buffers } = await read(TICKETS, { q })
      yield { what: `${kind} search as ${who}`, buffers, limit: LIMITS.search }
    }
  }
  const read = await readerOf(scene, ADMIN)
  for (const { what, path, sort, all } of DESK) {
    const { buffers } = await read(path, { sort, filter: JSON.stringify({ all }) })
    yield { what: `desk: ${what}`, buffers, limit: LIMITS.desk }
  }
}

type Definition = {
  path: string
  viewData: { fields: { name: string; sortable?: boolean }[] }
}

/** The lists and sorts that the person's own definitions offer. */
async function listsOf({ base, keys }: Scene, person: Person) {
  const headers = { authorization: `Bearer ${await keys.tokenOf(person)}` }
  const response = await fetch(`${base}/api/models`, { headers })
  const definitions = (await response.json()) as Definition[]
  const canRead = await Promise.all(
    definitions.map(async ({ path }) => (await fetch(`${base}/api/${path}`, { headers })).ok),
  )
  return definitions
    .filter((_, place) => canRead[place])
    .map(({ path, viewData }) => ({
      path,
      sorts: viewData.fields
        .filter(({ sortable }) => sortable)
        .flatMap(({ name }) => [name, `-${name}`]),
    }))
}

/** People with few tickets first: a plan cached for them must also suit the others. */
async function warm({ base, keys }: Scene) {
  const headers = { authorization: `Bearer ${await keys.tokenOf({ ...OWNER, sub: 'sub-77' })}` }
  for (let time = 0; time < REPEATS; time++) await fetch(`${base}/api/${TICKETS}`, { headers })
}

type Query = Record<string, string>
type Page = { items: unknown[]; next: string | null }

/** Reads a page several times as someone; the largest figure counts. */
async function readerOf({ base, client, directory, keys }: Scene, person: Person) {
  const headers = { authorization: `Bearer ${await keys.tokenOf(person)}` }
  // The first request of the day also records the sign-in.
  await fetch(`${base}/api/me`, { headers })
  return async (path: string, query: Query) => {
    const worst = { buffers: 0, isFull: false, order: '-id' }
    for (let time = 0; time < REPEATS; time++) {
      const plans = await plansOf({ directory, client }, async () => {
        const response = await fetch(`${base}/api/${path}?${new URLSearchParams(query)}`, {
          headers,
        })
        if (!response.ok) throw new Error(`${path} ${response.status} ${await response.text()}`)
        const { items, next } = (await response.json()) as Page
        worst.isFull = items.length === PAGE
        if (next) worst.order = orderOf(next)
      })
      const own = plans.filter((plan) => !isBeside(plan))
      if (own.length === 0) throw new Error('no statement was seen')
      const sum = own.reduce((all, { buffers }) => all + buffers, 0)
      worst.buffers = Math.max(worst.buffers, sum)
    }
    return worst
  }
}

/** The order that a cursor of the API belongs to. */
const orderOf = (cursor: string) =>
  String((JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[])[0])
