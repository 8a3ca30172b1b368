import type { Person } from '../../ops/drills/kit/key-server.ts'
import { requesterFor, measureRepeatedly, REPEATS } from '../growth/measure-request.ts'
import type { Found } from '../growth/verdict.ts'
import type { SizedDatabase } from '../growth/sized-database.ts'
import { ABSENT_WORD, MANAGER, OWNER, RARE_WORD, SOLO } from '../../ops/drills/kit/million-seed.ts'
import { countOf, cursorAt } from './cursors.ts'
import { DESK } from './desk.ts'
import { measureRecordPages } from './record-pages.ts'
import { measureSearches } from './search.ts'

export const LIMITS = { page: 150, search: 500, desk: 500 }

const DEPTHS = [0.1, 0.5, 0.99]
/** Only lists at least this long are also measured further down. */
const DEEP_MIN = 1_000
const PAGE = 25
export const ADMIN: Person = { sub: 'bench-admin', name: 'Ada Admin', role: 'admin' }
const PEOPLE: { who: string; person: Person }[] = [
  { who: 'admin', person: ADMIN },
  { who: 'owner of 0.5 %', person: OWNER },
  { who: 'manager of 5 %', person: MANAGER },
  { who: 'manager who wrote 90 %', person: SOLO },
]
const TICKETS = 'tickets'

/** Buffers of full requests, including labels and totals: every list in every sort, searches, and the desk's counts. */
export async function* measureLists(scene: SizedDatabase): AsyncGenerator<Found> {
  await warm(scene)
  for (const { who, person } of PEOPLE) {
    const read = await readerOf(scene, person)
    for (const { path, sorts } of await listsOf(scene, person)) {
      const canBeDeep = person === ADMIN || path === TICKETS
      const count = canBeDeep ? await countOf(scene.client, { path, person }) : 0
      for (const sort of ['', ...sorts]) {
        const name = `${path} by ${sort || 'default'} as ${who}`
        const kind = path === TICKETS ? `tickets as ${who}` : 'every other list'
        const order: Query = sort ? { sort } : {}
        const first = await read(path, order)
        yield { what: name, group: `${kind}: first page`, ...first.cost, limit: LIMITS.page }
        if (!first.isFull || count < DEEP_MIN) continue
        for (const depth of DEPTHS) {
          const before = Math.floor(count * depth)
          const position = { path, sort: sort || first.order, person, before }
          const after = await cursorAt(scene.client, position)
          const { cost } = await read(path, { ...order, after })
          const what = `${name} at ${depth * 100} %`
          yield { what, group: `${kind}: further down`, ...cost, limit: LIMITS.page }
        }
      }
    }
    for (const [kind, q] of Object.entries({ rare: RARE_WORD, absent: ABSENT_WORD })) {
      const { cost } = await read(TICKETS, { q })
      const what = `${kind} search as ${who}`
      yield { what, group: 'search: a rare word or none', ...cost, limit: LIMITS.search }
    }
  }
  const read = await readerOf(scene, ADMIN)
  for (const { what, path, sort, all } of DESK) {
    const { cost } = await read(path, { sort, filter: JSON.stringify({ all }) })
    yield { what: `desk: ${what}`, group: 'desk: one number', ...cost, limit: LIMITS.desk }
  }
  yield* measureSearches(scene, PEOPLE)
  for (const { who, person } of PEOPLE.filter(
    (one) => one.person === ADMIN || one.person === MANAGER,
  ))
    yield* measureRecordPages(scene, { who, person }, MANAGER.sub)
}

type Definition = {
  path: string
  viewData: { fields: { name: string; sortable?: boolean }[] }
}

async function listsOf({ base, keys }: SizedDatabase, person: Person) {
  const headers = { authorization: `Bearer ${await keys.tokenOf(person)}` }
  const response = await fetch(`${base}/api/models`, { headers })
  const definitions = (await response.json()) as Definition[]
  const canRead = await Promise.all(
    definitions.map(async ({ path }) => (await fetch(`${base}/api/${path}`, { headers })).ok),
  )
  return definitions
    .filter((_, index) => canRead[index])
    .map(({ path, viewData }) => ({
      path,
      sorts: viewData.fields
        .filter(({ sortable }) => sortable)
        .flatMap(({ name }) => [name, `-${name}`]),
    }))
}

/** Owners of few tickets first: a plan cached for them must suit the others too. */
async function warm({ base, keys }: SizedDatabase) {
  const headers = { authorization: `Bearer ${await keys.tokenOf({ ...OWNER, sub: 'sub-77' })}` }
  for (let time = 0; time < REPEATS; time++) await fetch(`${base}/api/${TICKETS}`, { headers })
}

type Query = Record<string, string>
type Page = { items: unknown[]; next: string | null }

const NOTHING = JSON.stringify({ items: [], next: null } satisfies Page)

/** Reads a page several times as one caller; the most expensive run counts. */
async function readerOf(environment: SizedDatabase, person: Person) {
  const ask = await requesterFor(environment, person)
  return async (path: string, query: Query) => {
    const { text, ...cost } = await measureRepeatedly(() => ask({ path, query }))
    const { items, next } = JSON.parse(text ?? NOTHING) as Page
    return { cost, isFull: items.length === PAGE, order: next ? orderOf(next) : '-id' }
  }
}

const orderOf = (cursor: string) =>
  String((JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[])[0])
