import { canDo, canSee, fieldsOf, levelOf } from '@gatehouse/model'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  CANARY,
  EARLIER,
  idOf,
  LEAK_MODELS,
  ROLES,
  toSql,
  WORLDS,
} from '../../../test/leak-fixtures.ts'
import { RESULTS_MAX } from './search.ts'
import { ADMIN, sqlOn, startTest, type Person, type Test } from '../../../test/kit.ts'

/** The oracle of the search is the caller's own list: every hit must be in it, exactly as it is there. */
const WORD_COUNT = 500
/** Searches at a time, so that server and database are both busy. */
const LANES = 6
const CALLERS: Record<string, Person> = { ...ROLES, 'an admin': ADMIN }
type Item = { model: string; record: { id: string } }

const worlds: { name: string; t: Test }[] = []
beforeAll(async () => {
  for (const [name, world] of Object.entries(WORLDS)) {
    const t = await startTest({ models: LEAK_MODELS })
    await sqlOn(t.database.url('postgres'), toSql(world))
    worlds.push({ name, t })
  }
}, 120_000)
afterAll(async () => {
  for (const { t } of worlds) await t.stop()
})

/** Values of the fixtures and parts of them: visible, hidden, others', former. */
const SOURCES = `ownword|${CANARY}|${EARLIER}|formerword flint|jasper|quartz 1|topaz 0|Changed
  |ownword 0|ownword-1|ownword-2|${CANARY} 3|${CANARY}-4|${CANARY}-7|sub-member|sub-stranger
  |ownword0@example.test|${CANARY}5@EXAMPLE.TEST|https://example.test/ownword
  |+353 1 555 0100|015550100|555-0100|2099-01-02`.split(/\s*[|]/)

const WORDS = fc
  .sample(
    fc.oneof(
      fc.constantFrom(...SOURCES),
      fc
        .tuple(fc.constantFrom(...SOURCES), fc.nat(8), fc.integer({ min: 3, max: 14 }))
        .map(([text, from, length]) => text.slice(from, from + length)),
      fc.nat(12).map((number) => `#${number}`),
      fc.constantFrom('%%%', '___', String.raw`\\\\`, "'; --", 'ÄÖÜ', '日本語'),
    ),
    { seed: 36, numRuns: WORD_COUNT * 2 },
  )
  .filter((word) => /^#\d+$/.test(word) || Array.from(word.trim()).length >= 3)
  .slice(0, WORD_COUNT)

/** Also searched in every list, to see that no hit is missing; the longest find few records. */
const LISTED_WORDS = [...new Set(WORDS)]
  .filter((word) => !/[#@]/.test(word))
  .toSorted((a, b) => b.length - a.length)
  .slice(0, 60)

/** Records that change hands, rights that are withdrawn and records that are deleted, after they could be found. */
const CHANGES = `set session_replication_role = replica;
  update tickets set client_id = 'sub-stranger', organisation = '${idOf('organisations', 'foreign0')}'
    where id = '${idOf('tickets', 'own0')}';
  update kitchensink set owner = 'sub-stranger', organisation = null where id = '${idOf('kitchensink', 'own1')}';
  update contacts set portal_role = 'none' where user_sub = 'sub-manager';
  update services set published = false where id = '${idOf('services', 'own0')}';
  update assets set deleted_at = now() where id = '${idOf('assets', 'own0')}';
  update contacts set deleted_at = now() where user_sub = 'sub-member';
  update pins set restricted_at = now() where id = '${idOf('pins', 'own0')}'`

type Task = { t: Test; world: string; who: string; word: string }

/** Every word in each of these worlds, callers in turn. */
const tasksIn = (chosen: typeof worlds): Task[] =>
  WORDS.flatMap((word, place) =>
    chosen.map(({ name, t }, turn) => ({
      t,
      world: name,
      who: Object.keys(CALLERS)[(place + turn) % Object.keys(CALLERS).length] ?? '',
      word,
    })),
  )

test(`each hit of ${WORD_COUNT} words in every world is in the caller’s own list`, async () => {
  expect(WORDS).toHaveLength(WORD_COUNT)
  const { faults, hits } = await searchAll(tasksIn(worlds))
  expect(faults).toEqual([])
  for (const who of Object.keys(CALLERS)) expect(hits.get(who), who).toBeGreaterThan(50)
})

test('records that changed hands, were withdrawn or deleted are found by nobody who lost them', async () => {
  const chosen = worlds.filter(({ name }) => name === 'foreign records')
  for (const { t } of chosen) await sqlOn(t.database.url('postgres'), CHANGES)
  const { faults, hits } = await searchAll(tasksIn(chosen))
  expect(faults).toEqual([])
  for (const who of Object.keys(CALLERS)) expect(hits.get(who), who).toBeGreaterThan(0)
})

test('what a caller’s own lists find is found, or as much of it as the search returns', async () => {
  const { t } = worlds.find(({ name }) => name !== 'foreign records') ?? {}
  if (!t) throw new Error('no world')
  const missing: string[] = []
  let compared = 0
  for (const word of LISTED_WORDS)
    for (const [who, person] of Object.entries(CALLERS)) {
      const listed = await listedHits(t, person, word)
      if (listed.length === 0) continue
      const found = (await search(t, person, word)).map(
        ({ model, record }) => `${model} ${record.id}`,
      )
      compared++
      const lacks = listed.filter((hit) => !found.includes(hit))
      if (found.length < RESULTS_MAX && lacks.length > 0)
        missing.push(`"${word}" of ${who} lacks ${lacks.join()}`)
    }
  expect(missing).toEqual([])
  expect(compared).toBeGreaterThan(20)
})

async function listedHits(t: Test, person: Person, word: string) {
  const listable = LEAK_MODELS.filter((model) => canDo(model, 'list', person))
  const pages = await Promise.all(
    listable.map(async (model) => {
      const url = `/api/${model.path}?limit=${RESULTS_MAX + 1}&q=${encodeURIComponent(word)}`
      const { status, json } = await t.call('GET', url, person)
      return status === 200 ? json.items.map(({ id }: { id: string }) => `${model.path} ${id}`) : []
    }),
  )
  return pages.flat()
}

async function searchAll(tasks: Task[]) {
  const own = new Map<Test, Map<string, Map<string, string>>>()
  for (const { t } of worlds)
    own.set(
      t,
      new Map(
        await Promise.all(
          Object.entries(CALLERS).map(
            async ([who, person]) => [who, await ownRecords(t, person)] as const,
          ),
        ),
      ),
    )
  const faults: string[] = []
  const hits = new Map<string, number>()
  const left = tasks.values()
  const lane = async () => {
    for (const { t, world, who, word } of left) {
      const items = await search(t, CALLERS[who] ?? null, word)
      hits.set(who, (hits.get(who) ?? 0) + items.length)
      for (const { model, record } of items)
        if (JSON.stringify(record) !== own.get(t)?.get(who)?.get(`${model} ${record.id}`))
          faults.push(`${world}: "${word}" of ${who} finds ${model} ${record.id}`)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return { faults, hits }
}

async function ownRecords(t: Test, person: Person) {
  const own = new Map<string, string>()
  for (const model of LEAK_MODELS.filter((one) => canDo(one, 'list', person))) {
    const { json } = await t.call('GET', `/api/${model.path}?limit=100`, person)
    expect(json.next, model.path).toBeNull()
    for (const item of json.items) own.set(`${model.path} ${item.id}`, JSON.stringify(item))
  }
  return own
}

/** Repeated if a busy machine was too slow: results that are left out prove nothing. */
async function search(t: Test, person: Person, word: string): Promise<Item[]> {
  const answer = await t.app.inject({
    url: `/api/models/search?q=${encodeURIComponent(word)}`,
    headers: person ? { authorization: `Bearer ${await t.tokenOf(person)}` } : {},
  })
  expect(answer.statusCode, `${word}: ${answer.body}`).toBe(200)
  const { items, slow } = answer.json<{ items: Item[]; slow: string[] }>()
  return slow.length > 0 ? search(t, person, word) : items
}

test.each(Object.entries(ROLES))(
  'definitions for %s name no hidden field',
  async (_who, person) => {
    const level = levelOf(person)
    const { json } = await (worlds[0]?.t.call('GET', '/api/models', person) ?? Promise.reject())
    const definitions = json as { path: string }[]
    const named = LEAK_MODELS.flatMap((model) => {
      const text = JSON.stringify(definitions.find(({ path }) => path === model.path) ?? null)
      return fieldsOf(model)
        .filter(([name, field]) => !canSee(field, level) && text.includes(`"${name}"`))
        .map(([name]) => `${model.path}.${name}`)
    })
    expect(named).toEqual([])
  },
)
