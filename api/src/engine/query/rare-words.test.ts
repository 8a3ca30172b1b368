import { canSee, fieldsOf, levelOf } from '@gatehouse/model'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, startTest, type Person, type Test } from '../../../test/kit.ts'
import { fixture } from '../../../test/fixture.ts'

const { sink, group, inGroup } = fixture
const OURS = '11111111-1111-7111-8111-111111111111'
const PATH = `/api/${sink.routeName}`

/** Rows with each word; those in `secret`, a third, are hits for admins only. */
const WORDS = { quokka: 3, wombat: 999, numbat: 1_000, bilby: 1_001, dingo: 1_700, zyzzyva: 0 }
const FIELDS = ['text', 'textarea', 'secret']

let t: Test
beforeAll(async () => {
  t = await startTest()
  const needed = Object.entries(fixture.groupValues)
  await t.database.sql(
    `insert into ${group.path} (id, name${needed.map(([column]) => `, ${column}`).join('')})
      values ('${OURS}', 'Ours'${needed.map(([, value]) => `, '${value}'`).join('')})`,
  )
  await fixture.join(t.database, ALICE.sub, OURS)
  for (const [word, count] of Object.entries(WORDS))
    await t.database.sql(
      `insert into ${sink.path} (id, text, textarea, secret, owner, ${inGroup}, deleted_at, restricted_at)
       select gen_random_uuid(), ${FIELDS.map((_, place) => `${place ? '' : `'text ' || i % 7 || `}case when i % 3 = ${place} then ' a ${word.toUpperCase()}' ${place ? '' : `else ''`} end`).join()},
         (array['${ALICE.sub}', '${BOB.sub}', null, 'sub-other'])[1 + i % 4], case when i % 5 = 0 then '${OURS}'::uuid end,
         case when i % 11 = 0 then now() end, case when i % 13 = 0 then now() end
       from generate_series(1, ${count}) i`,
    )
})
afterAll(() => t.stop())

const CALLERS: Record<string, Person> = {
  'an admin': ADMIN,
  'an owner and member': ALICE,
  'an owner': BOB,
}

test.each(
  Object.keys(WORDS).flatMap((word) => Object.keys(CALLERS).map((who) => [word, who] as const)),
)('a search for %s by %s returns the pages and totals of a sorted scan', async (word, who) => {
  const person = CALLERS[who] ?? null
  const level = levelOf(person)
  const searched = fieldsOf(sink).filter(([, field]) => field.searchable && canSee(field, level))
  expect(searched.map(([name]) => name)).toEqual(person === ADMIN ? FIELDS : FIELDS.slice(0, 2))
  // A filter never reads hits first.
  const contains = JSON.stringify({ any: searched.map(([name]) => [name, 'contains', word]) })
  const [search, scan] = [{ q: word }, { filter: contains }]
  for (const rest of [
    { limit: '10' },
    { limit: '100', total: 'exact' },
    { limit: '10', sort: 'text' },
    { limit: '10', sort: '-text' },
    ...(person === ADMIN ? [{ limit: '10', trash: 'true' }] : []),
  ]) {
    const first = await sameResponse({ ...search, ...rest }, { ...scan, ...rest }, person)
    if (first.next === null) continue
    const after = { ...rest, after: first.next }
    const second = await sameResponse({ ...search, ...after }, { ...scan, ...after }, person)
    const before = { ...rest, before: second.previous ?? '' }
    await sameResponse({ ...search, ...before }, { ...scan, ...before }, person)
    const beside = `${PATH}/${second.items[0]?.id}/neighbours`
    if (!('trash' in rest))
      await sameResponse({ ...search, ...rest }, { ...scan, ...rest }, person, beside)
  }
})

type Page = { items: { id: string }[]; next: string | null; previous: string | null }

async function sameResponse(
  one: Record<string, string>,
  other: Record<string, string>,
  person: Person,
  path = PATH,
): Promise<Page> {
  const [searched, scanned] = await Promise.all(
    [one, other].map((query) => t.call('GET', `${path}?${new URLSearchParams(query)}`, person)),
  )
  expect(searched?.status, searched?.text).toBe(200)
  expect(searched?.json, JSON.stringify(one)).toEqual(scanned?.json)
  return searched?.json
}
