import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ADMIN, ALICE, startTest, type Person, type Test } from '../../../test/kit.ts'

/** More hits than are read unsorted. */
const MANY = 1_200
const WAIT_MS = 30_000
const ORGANISATION = '018f3b1c-0000-7000-8000-000000000001'

type Item = { model: string; record: Record<string, unknown> & { id: string } }

let t: Test
beforeAll(async () => {
  t = await startTest({ models })
  await t.database.sql(
    `insert into organisations (id, name, country, sla_tier, phone)
       values ('${ORGANISATION}', 'Harbour Logistics', 'IE', 'None', '(01) 555 0100');
     insert into contacts (id, full_name, email, portal_role, active, phone, notes) values
       (gen_random_uuid(), 'Nora Quinn', 'nora@harbour.test', 'none', true, '+353 1 555 0100', 'pelican'),
       (gen_random_uuid(), 'Ned Quinn', 'ned@harbour.test', 'none', true, '+44 (0)20 7946 0018', null);
     insert into assets (id, name, asset_tag, kind, organisation)
       select gen_random_uuid(), 'laptop ' || i, 'A-10' || i, 'Laptop', '${ORGANISATION}' from generate_series(0, ${MANY}) i;
     insert into assets (id, name, asset_tag, kind, organisation)
       values (gen_random_uuid(), 'the laptop', 'A-10', 'Laptop', '${ORGANISATION}');
     insert into tickets (id, number, full_name, email, subject, contact_type, message, client_id, internal_notes)
       select gen_random_uuid(), 5000 + i, 'Alice', 'a@example.test', 'Harbour ' || i, 'Query', 'Crane ' || i, '${ALICE.sub}', 'heron'
       from generate_series(1, 10) i;
     insert into articles (id, title, slug, kind, body, published)
       select gen_random_uuid(), 'Harbour guide ' || i, 'harbour-' || i, 'Guide', 'Text', true from generate_series(1, 4) i`,
  )
})
afterAll(() => t.stop())

/** Repeated if other models were too slow, as on a busy machine. */
async function search(q: string, person: Person = ADMIN, slow: string[] = []) {
  const send = async () => {
    const url = `/api/models/search?q=${encodeURIComponent(q)}`
    const { status, json, text } = await t.call('GET', url, person)
    expect(status, text).toBe(200)
    return json as { items: Item[]; slow: string[] }
  }
  return vi.waitFor(async () => {
    const found = await send()
    expect(found.slow).toEqual(slow)
    return found
  }, WAIT_MS)
}

const modelsIn = ({ items }: { items: Item[] }) => items.map(({ model }) => model)
const values = ({ items }: { items: Item[] }, name: string) =>
  items.map(({ record }) => record[name])

test('an asset is found first by its tag, even if more records contain it than are read unsorted', async () => {
  expect(values(await search('A-10'), 'assetTag')[0]).toBe('A-10')
  expect(values(await search('a-10'), 'assetTag')[0]).toBe('A-10')
  expect(values(await search('A-1077'), 'assetTag')[0]).toBe('A-1077')
})

test('eight records are returned, at most three of a model while others have some', async () => {
  const found = await search('harbour')
  expect(modelsIn(found)).toEqual([
    'organisations',
    ...Array(2).fill('contacts'),
    ...Array(3).fill('tickets'),
    ...Array(2).fill('articles'),
  ])
  expect(modelsIn(await search('laptop'))).toEqual(Array(8).fill('assets'))
})

test('a record is returned as in its model’s list, with labels', async () => {
  const { items } = await search('the laptop')
  const { json } = await t.call('GET', '/api/assets?q=the+laptop', ADMIN)
  expect(items.map(({ record }) => record)).toEqual(json.items)
  expect(items[0]?.record['labels']).toEqual({ organisation: 'Harbour Logistics' })
})

test('a number with # finds that number alone; without, texts with the digits too', async () => {
  expect(values(await search('#5003'), 'number')).toEqual([5003])
  expect(values(await search('5003'), 'number')).toEqual([5003])
  expect((await search('#77')).items).toEqual([])
  expect(modelsIn(await search('10777'))).toEqual(['assets'])
  expect((await search('#99999999999')).items).toEqual([])
})

test.each([
  '+353 1 555 0100',
  '00353-1-5550100',
  '(01) 555 0100',
  '015550100',
  '1 555/0100',
  '+353 (0)1 555 0100',
])('the telephone number %s is found however it is stored', async (phone) => {
  expect(modelsIn(await search(phone))).toEqual(['organisations', 'contacts'])
})

test.each(['+44 20 7946 0018', '+44 (0)20 79460018', '020 7946 0018'])(
  'the telephone number %s is found if stored with a trunk zero in brackets',
  async (phone) => {
    expect(values(await search(phone), 'fullName')).toEqual(['Ned Quinn'])
  },
)

test('unique fields are found exactly, an email address in any case', async () => {
  expect(values(await search('NORA@harbour.test'), 'fullName')).toEqual(['Nora Quinn'])
  expect(values(await search('harbour-3'), 'slug')).toEqual(['harbour-3'])
})

test('a complete email address finds the records of that address, not texts that contain it', async () => {
  await t.database.sql(
    `insert into tickets (id, number, full_name, email, subject, contact_type, message)
       values (gen_random_uuid(), 6001, 'Nora', 'Nora@Harbour.test', 'Own', 'Query', 'Text'),
         (gen_random_uuid(), 6002, 'Ned', 'ned@harbour.test', 'About nora@harbour.test', 'Query', 'Text')`,
  )
  const found = await search('nora@HARBOUR.test')
  expect(modelsIn(found)).toEqual(['contacts', 'tickets'])
  expect(values(found, 'number')).toEqual([undefined, 6001])
  // Half an address is a word like others.
  expect(values(await search('nora@harbour'), 'number')).toContain(6002)
})

test('fields that a caller may not see are not searched, and neither are others’ records', async () => {
  expect(modelsIn(await search('heron'))).toEqual(Array(8).fill('tickets'))
  expect((await search('heron', ALICE)).items).toEqual([])
  expect(modelsIn(await search('Crane', ALICE))).toEqual(Array(8).fill('tickets'))
  expect((await search('Crane', null)).items).toEqual([])
  expect((await search('#5003', null)).items).toEqual([])
  expect(modelsIn(await search('harbour', null))).toEqual(Array(4).fill('articles'))
})

test('a model that takes over 150 ms is left out and named', async () => {
  const release = await t.database.hold('lock table articles in access exclusive mode')
  const found = await search('harbour', ADMIN, ['articles'])
  await release()
  expect(modelsIn(found)).toEqual([
    'organisations',
    ...Array(2).fill('contacts'),
    ...Array(5).fill('tickets'),
  ])
  expect(modelsIn(await search('harbour'))).toContain('articles')
})

test.each([
  '',
  'q=',
  'q=ab',
  'q=%20a%20',
  'q=%23',
  `q=${'a'.repeat(101)}`,
  'q=abc&q=abd',
  'q=a%00c',
])('a search with ?%s is rejected', async (query) => {
  const { status, json } = await t.call('GET', `/api/models/search?${query}`, ADMIN)
  expect([status, json.code]).toEqual([400, 'invalid-query'])
})

test('other methods are rejected', async () => {
  const { status, headers } = await t.call('POST', '/api/models/search?q=abc', ADMIN, { body: {} })
  expect([status, headers.get('allow')]).toEqual([405, 'GET'])
})
