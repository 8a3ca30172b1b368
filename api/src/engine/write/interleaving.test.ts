import { fieldsOf } from '@gatehouse/model'
import { kitchensink, models } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seeded } from '../../../../ops/drills/kit/random.ts'
import { ADMIN, startTest, type Test } from '../../../test/kit.ts'

const INTERLEAVINGS = 1_000
/** Concurrent requests of one interleaving, each with its own connection. */
const FIRST = 3
const THEN = 6
/** INTERLEAVING_SEED repeats the requests; their timing still varies. */
const SEED = Number(process.env['INTERLEAVING_SEED'] ?? Date.now() % 2 ** 31)

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

test(
  `${INTERLEAVINGS} interleavings of create, reply, move, delete, restore, purge and undo leave no live child of a deleted parent`,
  { timeout: 600_000 },
  async () => {
    const started = performance.now()
    const random = seeded(SEED)
    await makeWorlds()
    const counts = new Map<string, number>()
    for (let world = 1; world <= INTERLEAVINGS; world++) await play(world, random, counts)
    const [{ deadlocks }] = await t.database.sql(
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    )
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const reported = [...counts].map(([what, count]) => `${what} ×${count}`).toSorted()
    console.log(`seed ${SEED}, ${seconds} s, ${deadlocks} deadlocks: ${reported.join(', ')}`)
    expect(await leftBehind()).toEqual([])
    expect(reported.filter((what) => / 50[03] (?!too-slow)/.test(what))).toEqual([])
    // Every kind of request succeeded and, if possible, was rejected.
    for (const what of [
      'create 201',
      'create 422',
      'reply 200',
      'reply 404',
      'move 200',
      'move 422',
    ])
      expect(counts.get(what), what).toBeGreaterThan(10)
    for (const what of ['delete 204', 'delete 409', 'restore 200', 'purge 204', 'undo 200'])
      expect(counts.get(what), what).toBeGreaterThan(10)
  },
)

/** Fixtures of each interleaving: two of everything, and a tree of three. */
const CAST = {
  organisations: ['o1', 'o2'],
  tickets: ['t1', 't2'],
  messages: ['m1', 'm2'],
  assets: ['a1', 'a2'],
  kitchensink: ['k1', 'k2', 'k3'],
}
type Path = keyof typeof CAST

const idOf = (world: number, name: string) => {
  const place = Object.values(CAST).flat().indexOf(name)
  return `018f3b1c-0000-7000-8000-${String(world).padStart(6, '0')}${String(place).padStart(6, '0')}`
}

async function makeWorlds() {
  const worlds = Array.from({ length: INTERLEAVINGS }, (_, place) => place + 1)
  const all = (...names: string[]) => names.map((name) => worlds.map((world) => idOf(world, name)))
  const insert = (into: string, values: string, ids: string[][]) =>
    t.database.sql(
      `insert into ${into} select ${values} from unnest(${ids.map((_, n) => `$${n + 1}::uuid[]`).join(', ')})
        as w (${ids.map((_, n) => `i${n + 1}`).join(', ')})`,
      ids,
    )
  for (const name of CAST.organisations)
    await insert(
      'organisations (id, name, country, sla_tier)',
      `i1, 'Org', 'IE', 'None'`,
      all(name),
    )
  for (const name of CAST.tickets)
    await insert(
      'tickets (id, full_name, email, subject, contact_type, message, status, organisation)',
      `i1, 'Ann', 'ann@example.test', 'Help', 'Query', 'Hello', 'Open', i2`,
      all(name, 'o1'),
    )
  for (const [name, ticket] of [
    ['m1', 't1'],
    ['m2', 't2'],
  ] as const)
    await insert(
      'messages (id, ticket, body, internal, from_staff)',
      `i1, i2, 'Hello', false, true`,
      all(name, ticket),
    )
  for (const [name, organisation] of [
    ['a1', 'o1'],
    ['a2', 'o2'],
  ] as const)
    await insert(
      'assets (id, name, kind, organisation)',
      `i1, 'PC', 'Laptop', i2`,
      all(name, organisation),
    )
  await insert('kitchensink (id, text)', `i1, 'Root'`, all('k1'))
  for (const [name, parent] of [
    ['k2', 'k1'],
    ['k3', 'k2'],
  ] as const)
    await insert('kitchensink (id, text, parent)', `i1, 'Branch', i2`, all(name, parent))
}

type Request = { kind: string; method: 'POST' | 'PUT' | 'DELETE'; url: string; body?: object }

/** A few concurrent changes, then more of them with undos of the first. */
async function play(world: number, random: () => number, counts: Map<string, number>) {
  // A new token, because they expire after five minutes.
  const authorization = `Bearer ${await t.keys.sign({ ...ADMIN })}`
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
  const some = (path: Path) => idOf(world, pick(CAST[path]))
  const paths = Object.keys(CAST) as Path[]
  const one = (): Request => {
    const path = pick(paths)
    const at = `/api/${path}/${some(path)}`
    const target = TARGETS[path]
    const relation = target && { [target.field]: some(target.to) }
    switch (
      pick(['create', 'reply', 'move', 'move', 'delete', 'delete', 'restore', 'restore', 'purge'])
    ) {
      case 'create':
        return {
          kind: 'create',
          method: 'POST',
          url: `/api/${path}`,
          body: { ...NEW[path], ...relation },
        }
      case 'reply':
        return {
          kind: 'reply',
          method: 'POST',
          url: `/api/tickets/${some('tickets')}/reply`,
          body: { body: 'Yes' },
        }
      case 'move':
        return { kind: 'move', method: 'PUT', url: at, body: relation ?? { name: 'Renamed' } }
      case 'delete':
        return { kind: 'delete', method: 'DELETE', url: at }
      case 'restore':
        return { kind: 'restore', method: 'POST', url: `${at}/restore`, body: {} }
      default:
        return { kind: 'purge', method: 'POST', url: `${at}/purge` }
    }
  }
  const send = async ({ kind, method, url, body }: Request) => {
    const response = await t.app.inject({
      method,
      url,
      headers: { authorization },
      ...(body ? { payload: body } : {}),
    })
    const { statusCode: status } = response
    const what = status < 500 ? `${kind} ${status}` : `${kind} ${status} ${response.json().code}`
    counts.set(what, (counts.get(what) ?? 0) + 1)
    return response.headers['operation-id']
  }
  const operations = await Promise.all(Array.from({ length: FIRST }, () => send(one())))
  const undoing = operations
    .filter((operation) => operation !== undefined && random() < 0.5)
    .map((operation) =>
      send({ kind: 'undo', method: 'POST', url: `/api/operations/${String(operation)}/undo` }),
    )
  await Promise.all([...undoing, ...Array.from({ length: THEN }, () => send(one()))])
}

const TARGETS: Partial<Record<Path, { field: string; to: Path }>> = {
  tickets: { field: 'organisation', to: 'organisations' },
  messages: { field: 'ticket', to: 'tickets' },
  assets: { field: 'organisation', to: 'organisations' },
  kitchensink: { field: 'parent', to: 'kitchensink' },
}

const NEW: Record<Path, object> = {
  organisations: { name: 'New', country: 'IE', slaTier: 'None' },
  tickets: {
    fullName: 'Ann',
    email: 'ann@example.test',
    subject: 'New',
    contactType: 'Query',
    message: 'Hi',
  },
  messages: { body: 'New' },
  assets: { name: 'New', kind: 'Laptop' },
  kitchensink: { text: 'New' },
}

/** Live records whose parent is in the trash although the relation forbids it. */
async function leftBehind() {
  const questions = [...models, kitchensink].flatMap((model) =>
    fieldsOf(model)
      .filter(([, { type, onDelete }]) => type === 'relation' && onDelete !== 'unlink')
      .map(
        ([field, { to }]) =>
          `select '${model.path}' as model, child.id from ${model.path} child join ${to} parent on parent.id = child.${field}
            where child.deleted_at is null and parent.deleted_at is not null`,
      ),
  )
  return t.database.sql(questions.join(' union all '))
}
