import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, startTest, type Person, type Test } from '../../../test/kit.ts'
import { captureStatements } from '../../../test/capture-statements.ts'
import { fixture } from '../../../test/fixture.ts'

const { sink, group, inGroup } = fixture
const PATH = `/api/${sink.path}`
const ROWS = 80
const GROUPS = [
  { person: ALICE, id: '11111111-1111-7111-8111-1111111111aa', word: 'albatross' },
  { person: BOB, id: '22222222-2222-7222-8222-2222222222bb', word: 'bandicoot' },
] as const

let api: Test
beforeAll(async () => {
  api = await startTest()
  for (const { person, id, word } of GROUPS) {
    const columns = Object.keys(fixture.groupValues)
    await api.database.sql(
      `insert into ${group.path} (id, name${columns.map((name) => `, ${name}`).join('')})
        values ($1, $2${columns.map((_, place) => `, $${place + 3}`).join('')})`,
      [id, word, ...Object.values(fixture.groupValues)],
    )
    await fixture.join(api.database, person.sub, id)
    await api.database.sql(
      `insert into ${sink.path} (id, text, "${snake(inGroup)}", owner)
        select gen_random_uuid(), $1 || n, $2::uuid, case when n % 3 = 0 then $3 end
        from generate_series(1, ${ROWS}) n`,
      [word, id, person.sub],
    )
  }
  // An account's first request writes extra rows.
  for (const person of [ADMIN, ALICE, BOB]) await api.call('GET', PATH, person)
})
afterAll(() => api.stop())

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`)

const LISTS = [
  '',
  '?limit=7',
  '?sort=text',
  '?total=exact',
  `?filter=${encodeURIComponent('{"all":[["text","contains","a"]]}')}`,
  '?q=albatross',
]

test.each([
  ['an admin', ADMIN, 1],
  // One more for the claims, which may change at any time.
  ['a user with claims, besides the claims query', ALICE, 2],
])('a list and a record take one statement for %s', async (_who, person, statements) => {
  const asked = async (url: string) => {
    const { result, statements: sent } = await captureStatements(() => api.call('GET', url, person))
    expect(result.status, url).toBe(200)
    expect(sent, url).toHaveLength(statements)
    return result.json
  }
  for (const query of LISTS) {
    const page = await asked(`${PATH}${query}`)
    await asked(`${PATH}${query ? `${query}&` : '?'}after=${page.next}`)
  }
  const [{ id }] = (await api.call('GET', PATH, person)).json.items
  await asked(`${PATH}/${id}`)
})

test('a withdrawn claim takes effect with the next request', async () => {
  const link = () => fixture.join(api.database, BOB.sub, GROUPS[1].id)
  const seen = async () => (await api.call('GET', PATH, BOB)).json.total.count
  const all = await seen()
  await fixture.leave(api.database, BOB.sub)
  expect(await seen()).toBeLessThan(all)
  await link()
  expect(await seen()).toBe(all)
})

test('callers with the same role and claim counts share a cached statement without literal values', async () => {
  const [alice, bob] = [await readStatements(ALICE), await readStatements(BOB)]
  expect(alice.map(({ text }) => text)).toEqual(bob.map(({ text }) => text))
  for (const { text, values } of bob)
    for (const theirs of [ALICE.sub, GROUPS[0].id, GROUPS[0].word, ADMIN.sub])
      expect(`${text} ${JSON.stringify(values)}`).not.toContain(theirs)
  // Bob's own values are there, so the comparison is meaningful.
  expect(JSON.stringify(bob)).toContain(BOB.sub)
  expect(JSON.stringify(bob)).toContain(GROUPS[1].id)
  expect(JSON.stringify(bob)).toContain(GROUPS[1].word)
})

test.each([
  ['moved to another owner', `owner = '${BOB.sub}', "${snake(inGroup)}" = '${GROUPS[1].id}'`],
  ['restricted', 'restricted_at = now()'],
  ['deleted', 'deleted_at = now()'],
])('the label of a record that is %s is missing from the next page', async (_how, change) => {
  const [parent, child] = [crypto.randomUUID(), crypto.randomUUID()]
  await api.database.sql(
    `insert into ${sink.path} (id, text, "${snake(inGroup)}", owner, parent) values
      ($1, 'the parent', $3, $4, null), ($2, 'the child', $3, $4, $1)`,
    [parent, child, GROUPS[0].id, ALICE.sub],
  )
  const seenBy = async (person: Person) => {
    const filter = JSON.stringify({ all: [['text', 'eq', 'the child']] })
    const page = await api.call('GET', `${PATH}?filter=${encodeURIComponent(filter)}`, person)
    const record = await api.call('GET', `${PATH}/${child}`, person)
    return [...page.json.items, record.json].map((one) => [one.parent, one.labels?.parent])
  }
  const shown = [parent, 'the parent']
  expect(await seenBy(ALICE)).toEqual([shown, shown])
  await api.database.sql(`update ${sink.path} set ${change} where id = $1`, [parent])
  const gone = [null, undefined]
  expect(await seenBy(ALICE)).toEqual([gone, gone])
  // The new owner sees the parent, but not the child that refers to it.
  expect(await seenBy(BOB)).toEqual([[undefined, undefined]])
  await api.database.sql(`delete from ${sink.path} where id in ($1, $2)`, [child, parent])
})

async function readStatements(person: typeof ALICE) {
  const { id, word } = GROUPS.find((one) => one.person === person) ?? GROUPS[0]
  const filter = {
    all: [
      ['text', 'startsWith', word],
      ['owner', 'in', [person.sub, '@me']],
      {
        any: [
          [inGroup, 'eq', id],
          ['date', 'gte', '@today-7d'],
        ],
      },
    ],
  }
  const first = await api.call('GET', `${PATH}?limit=5&sort=text`, person)
  const [record] = first.json.items
  const urls = [
    PATH,
    `${PATH}?sort=text&limit=5&after=${first.json.next}`,
    `${PATH}?q=${word}`,
    `${PATH}?filter=${encodeURIComponent(JSON.stringify(filter))}`,
    `${PATH}/${record.id}`,
    '/api/models/counts',
    `/api/models/search?q=${word}`,
  ]
  const { statements } = await captureStatements(async () => {
    for (const url of urls) expect((await api.call('GET', url, person)).status, url).toBe(200)
  })
  return statements
}

test('an empty filter group next to a select condition is still applied', async () => {
  const condition = '["select","eq","one"]'
  const total = async (filter: string) => {
    const { json } = await api.call('GET', `${PATH}?filter=${encodeURIComponent(filter)}`, ADMIN)
    return [json.items.length, json.total.count]
  }
  const { json } = await api.call('GET', PATH, ADMIN)
  expect(await total(`{"any":[${condition},{"all":[]}]}`)).toEqual([
    json.items.length,
    json.total.count,
  ])
  expect(await total(`{"all":[${condition},{"any":[]}]}`)).toEqual([0, 0])
})
