import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, startTest, type Test } from '../../../test/kit.ts'
import { fixture } from '../../../test/fixture.ts'

const { sink, story } = fixture

let t: Test
let storyPath: string
beforeAll(async () => {
  t = await startTest()
  const created = await t.call('POST', `/api/${story.path}`, ALICE, { body: story.body })
  storyPath = `${story.path}/${created.json.id}`
  await t.call('PUT', `/api/${storyPath}`, ADMIN, { body: story.change })
})
afterAll(() => t.stop())

const history = (person: typeof ALICE | null, path = storyPath) =>
  t.call('GET', `/api/${path}/history`, person)

test('a user sees the changes to their record, and which were their own', async () => {
  const { status, json } = await history(ALICE)
  expect(status).toBe(200)
  expect(
    json.items.map((step: { action: string; isYou: boolean }) => [step.action, step.isYou]),
  ).toEqual([
    ['update', false],
    ['create', true],
  ])
  expect(json.items[0].changes).toContainEqual(story.shown)
})

test('hidden fields have no history', async () => {
  expect(JSON.stringify((await history(ALICE)).json)).not.toContain(story.hidden)
  expect(JSON.stringify((await history(ADMIN)).json)).toContain(story.hidden)
})

test('the history of invisible and missing records is the same 404', async () => {
  const foreign = await history(BOB)
  const absent = await history(BOB, `${story.path}/00000000-0000-7000-8000-000000000000`)
  expect(foreign.status).toBe(404)
  expect({ ...foreign.json, requestId: '' }).toEqual({ ...absent.json, requestId: '' })
})

test.runIf(fixture.name === 'product')(
  'only admins see a public record’s history before publication',
  async () => {
    const { json } = await t.call('POST', '/api/articles', ADMIN, {
      body: { title: 'Draft', slug: 'draft', kind: 'Guide', body: 'Text', published: true },
    })
    expect((await history(null, `articles/${json.id}`)).status).toBe(401)
    expect((await history(BOB, `articles/${json.id}`)).status).toBe(403)
    expect((await history(ADMIN, `articles/${json.id}`)).status).toBe(200)
  },
)

test('admins see who made a change, and all callers which changes they may undo', async () => {
  const created = await t.call('POST', `/api/${sink.path}`, BOB, { body: { text: 'Mine' } })
  const path = `${sink.path}/${created.json.id}`
  const changed = await t.call('PUT', `/api/${path}`, BOB, { body: { text: 'Again' } })
  await t.call('PUT', `/api/${path}`, ADMIN, { body: { text: 'Ours' } })
  const steps = async (person: typeof ALICE) =>
    (await history(person, path)).json.items.map(
      (step: { by: string | null; operation: string | null }) => [step.by, step.operation],
    )
  const update = changed.headers.get('operation-id')
  const create = created.headers.get('operation-id')
  // Undoing a creation needs the right to delete; only admins undo others' changes.
  expect(await steps(BOB)).toEqual([
    [null, null],
    [null, update],
    [null, null],
  ])
  expect(await steps(ADMIN)).toEqual([
    ['Ada Admin', expect.any(String)],
    ['Bob', update],
    ['Bob', create],
  ])
  if (fixture.name !== 'product') return
  await t.database.sql('delete from accounts where sub = $1', [BOB.sub])
  expect((await steps(ADMIN))[1]).toEqual([null, update])
})

test('the history is paged by 50 entries', async () => {
  const { json } = await t.call('POST', `/api/${sink.path}`, ADMIN, { body: { text: 'Long' } })
  for (let place = 0; place < 60; place++)
    await t.call('PUT', `/api/${sink.path}/${json.id}`, ADMIN, { body: { text: `Long ${place}` } })
  const page = async (query: string) =>
    (await t.call('GET', `/api/${sink.path}/${json.id}/history${query}`, ADMIN)).json
  const first = await page('')
  expect([first.items.length, first.items[0].version, first.next]).toEqual([50, 61, 12])
  const second = await page(`?before=${first.next}`)
  expect([second.items.length, second.items[0].version, second.next]).toEqual([11, 11, null])
  const wrong = await t.call('GET', `/api/${sink.path}/${json.id}/history?before=x`, ADMIN)
  expect(wrong.json).toMatchObject({ status: 400, code: 'invalid-query' })
})
