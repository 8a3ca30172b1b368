import {
  factsOf,
  FIELD_TYPES,
  fieldOf,
  fieldsOf,
  type FieldType,
  type Visitor,
} from '@gatehouse/model'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, BOB, SITE, startTest, type Test } from '../../../test/kit.ts'
import { fixture } from '../../../test/fixture.ts'

// Everything is compared with plain JavaScript over the same rows.
const ROWS = 96
const DAY_MS = 86_400_000
const { sink, group, inGroup } = fixture
const OURS = '11111111-1111-7111-8111-111111111111'
const FOREIGN = '22222222-2222-7222-8222-222222222222'

type Scalar = string | number | boolean
type Stored = { id: string } & Record<string, Scalar | string[] | null>
type Condition = [field: string, operator: string, value: Scalar | Scalar[]]
type Filter = { all: (Condition | Filter)[] } | { any: (Condition | Filter)[] }

const random = randomFrom(20_260_131)
const rows = Array.from({ length: ROWS }, (_, place) => randomRow(place))

let api: Test
beforeAll(async () => {
  api = await startTest()
  await api.database.sql(
    insertGroups(`select * from (values ('${OURS}'::uuid, 'Ours'), ('${FOREIGN}', 'Foreign')) one`),
  )
  await fixture.join(api.database, ALICE.sub, OURS)
  const columns = Object.keys(rows[0] ?? {}).map((name) => `"${name}"`)
  await api.database.sql(
    `insert into ${sink.path} (${columns.join()})
      select ${columns.join()} from jsonb_populate_recordset(null::${sink.path}, $1)`,
    [JSON.stringify(rows)],
  )
})
afterAll(() => api.stop())

const PATH = `/api/${sink.routeName}`
const SORTABLE = fieldsOf(sink)
  .filter(([, field]) => field.sortable)
  .map(([name]) => name)
const ORDERS = [null, ...SORTABLE, ...SORTABLE.map((name) => `-${name}`)]

test('every sortable type is covered, with values and nulls', () => {
  const types = new Set(SORTABLE.map((name) => fieldOf(sink, name)?.type))
  const can = Object.entries(FIELD_TYPES).filter(([, facts]) => facts.canSort)
  expect(types).toEqual(new Set(can.map(([type]) => type)))
  for (const name of SORTABLE.filter((one) => one !== 'text'))
    expect(rows.filter((row) => row[name] === null).length, name).toBeGreaterThan(5)
})

test.each([
  ['an admin', ADMIN],
  ['someone who owns rows in two ways', ALICE],
])(
  'every sort order, paged forwards and backwards by %s, equals the oracle',
  async (_who, visitor) => {
    const orders = ORDERS.filter((order) => visitor === ADMIN || !order || order.endsWith('text'))
    await Promise.all(
      orders.map(async (order) => {
        const expected = inOrder(seenBy(visitor), order).map(({ id }) => id)
        expect(expected.length).toBeGreaterThan(20)
        const { forward, backward } = await scan(visitor, order, 7)
        expect(forward, `${order} forward`).toEqual(expected)
        expect(backward, `${order} backward`).toEqual(expected.slice(0, backward.length))
        expect(backward.length).toBeGreaterThanOrEqual(expected.length - 7)
      }),
    )
  },
)

test('pages of 1 and of 100 give the same order', async () => {
  const expected = inOrder(rows, '-select').map(({ id }) => id)
  expect((await scan(ADMIN, '-select', 1)).forward).toEqual(expected)
  expect((await scan(ADMIN, '-select', 100)).forward).toEqual(expected)
})

test('a record inserted before the cursor doesn’t shift later pages', async () => {
  const first = await list(ADMIN, { sort: 'text', limit: '10' })
  const created = await api.call('POST', PATH, ADMIN, { body: { text: '!first of all' } })
  const next = await list(ADMIN, { sort: 'text', limit: '10', after: first.json.next })
  await api.database.sql(`delete from ${sink.path} where id = $1`, [created.json.id])
  expect(idsOf(next)).toEqual(
    inOrder(rows, 'text')
      .slice(10, 20)
      .map(({ id }) => id),
  )
})

test('the default order is newest first', async () => {
  const page = await list(ADMIN, {})
  expect(page.json.items).toHaveLength(25)
  expect(idsOf(page)).toEqual(
    inOrder(rows, null)
      .slice(0, 25)
      .map(({ id }) => id),
  )
})

test('[API-01] [API-02] path and routeName return the same, even if they differ', async () => {
  const id = rows[0]?.id
  for (const rest of ['', '?sort=text&limit=3', `/${id}`, '/form-metadata', '?sort=nope']) {
    const [a, b] = [
      await api.call('GET', `/api/${sink.path}${rest}`, ADMIN),
      await api.call('GET', `/api/${sink.routeName}${rest}`, ADMIN),
    ]
    const withoutRequest = ({ requestId: _requestId, ...body }: Record<string, unknown>) => body
    expect([a.status, withoutRequest(a.json)]).toEqual([b.status, withoutRequest(b.json)])
  }
})

test.each([
  'toast',
  'modal',
  'view',
  'list',
  'columns',
  'density',
  'older',
  'utm_source',
  'gclid',
  'ref',
  'id',
  'x',
  '',
  'constructor',
])('[API-01] an unknown parameter “%s” is ignored', async (name) => {
  const page = await list(ADMIN, { sort: 'text', limit: '', [name]: 'page' })
  expect([page.status, page.json.items.length]).toEqual([200, 25])
})

test.each([
  ['search', 'q'],
  ['query', 'q'],
  ['page', 'after'],
  ['per_page', 'limit'],
  ['offset', 'after'],
  ['order', 'sort'],
  ['where', 'filter'],
  ['sort_by', 'sort'],
  ['Q', 'q'],
  ['Search', 'q'],
  ['filters', 'filter'],
  ['fliter', 'filter'],
  ['limits', 'limit'],
  ['sorts', 'sort'],
  ['totals', 'total'],
  ['trashed', 'trash'],
  ['afer', 'after'],
  ['befor', 'before'],
])('a parameter “%s” is rejected, because “%s” was probably meant', async (name, meant) => {
  const { status, json } = await list(ADMIN, { [name]: 'x' })
  expect([status, json.code, json.detail]).toEqual([
    400,
    'invalid-query',
    `Unknown parameter "${name}". Did you mean "${meant}"?`,
  ])
})

test('lists have no long texts, and no response has hidden fields', async () => {
  const item = (await list(ALICE, { limit: '1' })).json.items[0]
  for (const name of ['textarea', 'markdown', 'secret', 'deletedAt', 'createdByRef', 'rank'])
    expect(item).not.toHaveProperty(name)
  expect((await list(ADMIN, { limit: '1' })).json.items[0]).toHaveProperty('secret')
})

test.each(['1', '25', '100'])('limit=%s is honoured', async (limit) => {
  expect((await list(ADMIN, { limit })).json.items).toHaveLength(Math.min(Number(limit), ROWS))
})

test.each(['0', '101', '-1', '1.5', '1e1', 'ten', '0x10', ' 5', '٣', '99999999999999999999'])(
  'limit=%s is rejected',
  async (limit) => {
    expect(await answerTo(ADMIN, { limit })).toBe(REFUSED)
  },
)

test('totals are capped at 1,000 unless total=exact', async () => {
  await api.database.sql(
    insertGroups(
      `select gen_random_uuid(), 'Many', place from generate_series(1, 1205) place`,
      fixture.counted,
    ),
  )
  const totalOf = async (below: number, more: Record<string, string> = {}) => {
    const filter = JSON.stringify({ all: [[fixture.counted, 'lte', below]] })
    const query = new URLSearchParams({ limit: '1', filter, ...more })
    const page = await api.call('GET', `/api/${group.path}?${query}`, ADMIN)
    expect(page.status, page.text).toBe(200)
    return page.json.total
  }
  expect(await totalOf(999)).toEqual({ count: 999, exact: true })
  expect(await totalOf(1_000)).toEqual({ count: 1_000, exact: true })
  expect(await totalOf(1_001)).toEqual({ count: 1_000, exact: false })
  expect(await totalOf(9_999)).toEqual({ count: 1_000, exact: false })
  expect(await totalOf(9_999, { total: 'capped' })).toEqual({ count: 1_000, exact: false })
  expect(await totalOf(9_999, { total: 'exact' })).toEqual({ count: 1_205, exact: true })
  expect(await totalOf(9_999, { total: 'none' })).toBeNull()
  expect(await totalOf(1, { total: 'none' })).toBeNull()
  expect(await totalOf(0)).toEqual({ count: 0, exact: true })
})

test('totals count visible records once, the same on every page', async () => {
  const mine = seenBy(ALICE).length
  let page = await list(ALICE, { limit: '10', sort: 'text' })
  expect(page.json.total).toEqual({ count: mine, exact: true })
  page = await list(ALICE, { limit: '10', sort: 'text', after: page.json.next })
  expect(page.json.total).toEqual({ count: mine, exact: true })
  expect((await list(BOB, {})).json.total).toEqual({ count: seenBy(BOB).length, exact: true })
  expect(await answerTo(ADMIN, { total: 'about' })).toBe(REFUSED)
})

test.each([
  ['tex', ADMIN],
  ['LONG', ADMIN],
  ['hidden', ADMIN],
  ['hidden', ALICE],
  ['%%%', ADMIN],
  ['___', ADMIN],
  [String.raw`\\\ `.trim(), ADMIN],
  ["'; drop", ADMIN],
  ['  alpha  ', ADMIN],
  ['nowhere at all', ADMIN],
])('a search for «%s» finds records that contain it, ignoring case', async (q, visitor) => {
  const fields = visitor === ADMIN ? ['text', 'textarea', 'secret'] : ['text', 'textarea']
  const expected = seenBy(visitor).filter((row) =>
    fields.some((name) =>
      String(row[name] ?? '')
        .toLowerCase()
        .includes(q.trim().toLowerCase()),
    ),
  )
  const page = await list(visitor, { q, limit: '100', sort: 'text' })
  expect(idsOf(page)).toEqual(inOrder(expected, 'text').map(({ id }) => id))
  expect(page.json.total).toEqual({ count: expected.length, exact: true })
})

test('a search needs 3 characters and takes 100', async () => {
  for (const q of ['a', 'ab', ' ab ', 'x'.repeat(101)])
    expect(await answerTo(ADMIN, { q })).toBe(REFUSED)
  for (const q of ['', '   ', 'abc', 'x'.repeat(100)])
    expect((await list(ADMIN, { q })).status, q).toBe(200)
})

const OPERATORS = [
  'eq',
  'ne',
  'in',
  'empty',
  'lt',
  'lte',
  'gt',
  'gte',
  'contains',
  'startsWith',
  'has',
]
const OF_TEXT = ['eq', 'ne', 'in', 'empty', 'contains', 'startsWith']
const OF_NUMBERS = ['eq', 'ne', 'in', 'empty', 'lt', 'lte', 'gt', 'gte']
// Listed again, so that adding or removing an operator fails the test.
const KNOWN: Record<FieldType, string[]> = {
  text: OF_TEXT,
  email: OF_TEXT,
  tel: OF_TEXT,
  url: OF_TEXT,
  textarea: ['contains', 'empty'],
  markdown: ['contains', 'empty'],
  integer: OF_NUMBERS,
  decimal: OF_NUMBERS,
  date: OF_NUMBERS,
  datetime: OF_NUMBERS,
  boolean: ['eq', 'empty'],
  select: ['eq', 'ne', 'in', 'empty'],
  multiselect: ['has', 'empty'],
  relation: ['eq', 'ne', 'in', 'empty'],
  file: ['empty'],
}
const FIELDS = fieldsOf(sink)

test.each(FIELDS.map(([name, field]) => [name, field.type] as const))(
  'every operator on %s (%s) equals the oracle, and any other is rejected',
  async (name, type) => {
    const values = valuesFor(name)
    for (const operator of OPERATORS)
      for (const condition of conditionsWith(name, operator, values)) {
        const filter: Filter = { all: [condition] }
        const isKnown = KNOWN[type].includes(operator)
        const found = isKnown
          ? await difference(ADMIN, filter)
          : await answerTo(ADMIN, { filter: JSON.stringify(filter) })
        expect(found, JSON.stringify(filter)).toBe(isKnown ? null : REFUSED)
      }
  },
)

test('nested filters equal the oracle', async () => {
  for (let round = 0; round < 40; round++)
    expect(await difference(ADMIN, randomFilter(3))).toBeNull()
})

test('an empty `all` matches everything, an empty `any` nothing', async () => {
  expect((await list(ADMIN, { filter: '{"all":[]}' })).json.total.count).toBe(ROWS)
  expect((await list(ADMIN, { filter: '{"any":[]}' })).json.total.count).toBe(0)
})

test('@me is the caller', async () => {
  for (const visitor of [ADMIN, ALICE, BOB])
    for (const operator of ['eq', 'ne'])
      expect(await difference(visitor, { all: [['owner', operator, '@me']] })).toBeNull()
})

test.each(['@today', '@today-7d', '@today+7d', '@today+0d'])(
  '%s is a day in the site’s time zone',
  async (token) => {
    for (const operator of OF_NUMBERS.filter((one) => one !== 'in' && one !== 'empty'))
      expect(await difference(ADMIN, { all: [['date', operator, token]] })).toBeNull()
  },
)

test.each(['@now', '@now-2h', '@now+26h', '@now-3d'])('%s is an instant', async (token) => {
  for (const operator of ['lt', 'gte'])
    expect(await difference(ADMIN, { all: [['datetime', operator, token]] })).toBeNull()
})

test('a relation to a record the caller may not see counts as empty', async () => {
  for (const filter of [
    { all: [[inGroup, 'eq', FOREIGN]] },
    { all: [[inGroup, 'ne', FOREIGN]] },
    { all: [[inGroup, 'empty', true]] },
    { all: [[inGroup, 'empty', false]] },
  ] satisfies Filter[])
    expect(await difference(ALICE, filter)).toBeNull()
})

test('unknown, hidden and unsuitable fields get the same error', async () => {
  const sorts = [
    'nope',
    'secret',
    '-secret',
    'textarea',
    '__proto__',
    'constructor',
    'deletedAt',
    '-',
  ]
  for (const sort of sorts) expect(await detailOf(ALICE, { sort })).toBe('400 Can’t sort by NAME.')
  const names = ['nope', 'secret', '__proto__', 'deletedAt', 'id', 'labels', 'toString']
  for (const name of names) {
    const filter = JSON.stringify({ all: [[name, 'eq', 'x']] })
    expect(await detailOf(ALICE, { filter })).toBe('400 Unknown field NAME.')
  }
})

test('a cursor of another list, or a forged one, is rejected', async () => {
  const { next } = (await list(ADMIN, { sort: 'text' })).json
  for (const sort of ['-text', 'integer', 'email'])
    expect(await answerTo(ADMIN, { sort, after: next })).toBe(UNUSABLE)
  expect(await answerTo(ADMIN, { after: next })).toBe(UNUSABLE)
  expect(await answerTo(ADMIN, { sort: 'text', after: next, before: next })).toBe(UNUSABLE)
  const id = rows[0]?.id
  const forged: [sort: string, cursor: unknown][] = [
    ['text', ['text', 7, id]],
    ['text', ['text', 'a\0', id]],
    ['text', ['text', 'a', 'no id']],
    ['text', ['text', 'a']],
    ['text', { 0: 'text' }],
    ['text', null],
    ['integer', ['integer', 1.5, id]],
    ['integer', ['integer', 2 ** 31, id]],
    ['integer', ['integer', '1', id]],
    ['decimal', ['decimal', 'NaN', id]],
    ['boolean', ['boolean', 'true', id]],
    ['date', ['date', '2026-02-30', id]],
    ['date', ['date', '0000-01-01', id]],
    ['date', ['date', 'infinity', id]],
    ['datetime', ['datetime', '2026-02-30T00:00:00Z', id]],
    ['datetime', ['datetime', '2026-01-01T24:00:01Z', id]],
    ['datetime', ['datetime', '2026-01-01', id]],
  ]
  for (const [sort, cursor] of forged) {
    const after = Buffer.from(JSON.stringify(cursor)).toString('base64url')
    expect(await answerTo(ADMIN, { sort, after })).toBe(UNUSABLE)
    expect(await answerTo(ADMIN, { sort, before: after })).toBe(UNUSABLE)
  }
  for (const after of ['x', 'bm90IEpTT04', 'e30', next.slice(0, -9)])
    expect(await answerTo(ADMIN, { sort: 'text', after })).toBe(UNUSABLE)
})

test('a malformed cursor is rejected as OpenAPI documents', async () => {
  for (const after of ['%', 'a b', 'é', 'A'.repeat(2_001)])
    expect(await answerTo(ADMIN, { sort: 'text', after })).toBe(REFUSED)
})

test('20 conditions over all groups are accepted, 21 aren’t', async () => {
  const group = (size: number) => ({ any: Array(size).fill(['boolean', 'eq', true]) })
  const filter = (size: number) => JSON.stringify({ all: [group(10), group(size)] })
  expect(await answerTo(ADMIN, { filter: filter(10) })).toBe('200 done')
  expect(await answerTo(ADMIN, { filter: filter(11) })).toBe(UNUSABLE)
})

const LONG_TEXT = 'x'.repeat(201)
const ID = '33333333-3333-7333-8333-333333333333'
test.each([
  'text',
  '7',
  'null',
  '[]',
  '{}',
  '{"all":{}}',
  '{"all":null}',
  '{"none":[]}',
  '{"all":[],"any":[]}',
  '{"all":["text"]}',
  '{"all":[[]]}',
  '{"all":[["text","eq"]]}',
  '{"all":[["text","eq","a","b"]]}',
  '{"all":[["text","eq",null]]}',
  '{"all":[["text","eq",{}]]}',
  '{"all":[["text","eq",["a"]]]}',
  '{"all":[["text","eq",""]]}',
  '{"all":[["text","eq",7]]}',
  '{"all":[["text","eq","a\\u0000b"]]}',
  `{"all":[["text","eq","${LONG_TEXT}"]]}`,
  '{"all":[["text","in",[]]]}',
  '{"all":[["text","in","a"]]}',
  '{"all":[["text","in",[["a"]]]]}',
  '{"all":[["text","in",["a",null]]]}',
  `{"all":[["integer","in",[${'1,'.repeat(50)}1]]]}`,
  '{"all":[["text","empty","true"]]}',
  '{"all":[["text","sql","1"]]}',
  '{"all":[["text","__proto__","1"]]}',
  '{"all":[[7,"eq",7]]}',
  '{"all":[["integer","eq","7"]]}',
  '{"all":[["integer","eq",1.5]]}',
  '{"all":[["integer","eq",1e300]]}',
  '{"all":[["integer","eq",true]]}',
  '{"all":[["decimal","eq",1e999]]}',
  '{"all":[["boolean","eq","true"]]}',
  '{"all":[["boolean","eq",1]]}',
  '{"all":[["date","eq","2026-02-30"]]}',
  '{"all":[["date","eq","2026-1-1"]]}',
  '{"all":[["date","eq","0000-01-01"]]}',
  '{"all":[["date","eq","infinity"]]}',
  '{"all":[["date","eq","@now"]]}',
  '{"all":[["date","eq","@today-99999d"]]}',
  '{"all":[["date","eq","@today+1h"]]}',
  '{"all":[["date","eq","@me"]]}',
  '{"all":[["datetime","eq","2026-01-01"]]}',
  '{"all":[["datetime","eq","2026-01-01T00:00:00"]]}',
  '{"all":[["datetime","lt","2026-02-30T00:00:00Z"]]}',
  '{"all":[["datetime","lt","2026-01-01T24:00:00Z"]]}',
  '{"all":[["datetime","lt","2026-01-01T25:00:00Z"]]}',
  '{"all":[["datetime","lt","2026-01-01T00:00Z"]]}',
  '{"all":[["datetime","lt","2026-01-01T00:00:60Z"]]}',
  '{"all":[["datetime","lt","2026-01-01T00:00:00+23:59"]]}',
  '{"all":[["datetime","lt","2026-01-01T00:00:00+24:00"]]}',
  '{"all":[["datetime","in",["2026-01-01T00:00:00Z","2026-02-30T00:00:00Z"]]]}',
  '{"all":[["datetime","eq","@today"]]}',
  '{"all":[["parent","eq","7"]]}',
  `{"all":[["parent","eq","${ID}'"]]}`,
  '{"all":[["multiselect","has",["red"]]]}',
  `{"all":[${'["boolean","eq",true],'.repeat(20)}["boolean","eq",true]]}`,
  `${'{"all":['.repeat(5)}["boolean","eq",true]${']}'.repeat(5)}`,
])('the ill-formed filter %s is rejected', async (filter) => {
  expect(await answerTo(ADMIN, { filter })).toBe(REFUSED)
})

test.each([
  '{"all":[["datetime","lt","2026-01-01T00:00:00+15:59"]]}',
  '{"all":[["datetime","lt","9999-12-31T23:59:59.999999999-12:00"]]}',
  '{"all":[["date","lt","9999-12-31"]]}',
  '{"all":[["date","gt","0001-01-01"]]}',
  '{"all":[["date","gt","@today-9999d"]]}',
  '{"all":[["decimal","lt",1e300]]}',
  '{"all":[["integer","lt",9007199254740991]]}',
  `{"all":[["text","eq","${'😀'.repeat(200)}"]]}`,
  '""',
  `{"all":[${'["boolean","eq",true],'.repeat(19)}["boolean","eq",true]]}`,
  `${'{"all":['.repeat(4)}["boolean","eq",true]${']}'.repeat(4)}`,
])('the filter %s, just within the limits, is accepted', async (filter) => {
  const page = await list(ADMIN, { filter })
  expect(page.status, page.text).toBe(200)
})

test.each(['limit=1&limit=2', 'sort=text&sort=email', 'q=abc%00', 'filter=%00', 'after=a&after=b'])(
  '?%s, with a repeated parameter or a NUL character, is rejected',
  async (query) => {
    const { status, json } = await api.call('GET', `${PATH}?${query}`, ADMIN)
    expect([status, json.code]).toEqual([400, 'invalid-query'])
  },
)

function list(visitor: Visitor, query: Record<string, string>) {
  return api.call('GET', `${PATH}?${new URLSearchParams(query)}`, visitor)
}

function insertGroups(query: string, ...more: string[]) {
  const needed = Object.entries(fixture.groupValues)
  const columns = ['id', 'name', ...more, ...needed.map(([column]) => column)]
  return `insert into ${group.path} (${columns.join()})
    select one.*${needed.map(([, value]) => `, '${value}'`).join('')} from (${query}) one`
}

const idsOf = ({ json }: { json: { items: Stored[] } }) => json.items.map(({ id }) => id)

async function scan(visitor: Visitor, order: string | null, size: number) {
  const query = { limit: String(size), total: 'none', ...(order ? { sort: order } : {}) }
  const pages: string[][] = []
  let page = await list(visitor, query)
  expect(page.json.previous).toBeNull()
  for (;;) {
    pages.push(idsOf(page))
    // An endless walk has returned to an earlier page.
    if (page.json.next === null || pages.length > ROWS) break
    page = await list(visitor, { ...query, after: page.json.next })
  }
  const back: string[][] = []
  while (page.json.previous !== null && back.length <= ROWS) {
    page = await list(visitor, { ...query, before: page.json.previous })
    expect(page.json.next).not.toBeNull()
    back.unshift(idsOf(page))
  }
  expect(pages.slice(0, -1).every((ids) => ids.length === size)).toBe(true)
  return { forward: pages.flat(), backward: back.flat() }
}

const REFUSED = '400 invalid-query'
/** Valid by OpenAPI, but unusable. */
const UNUSABLE = '422 invalid-query'

async function answerTo(visitor: Visitor, query: Record<string, string>): Promise<string> {
  const { status, json } = await list(visitor, query)
  return `${status} ${json.code ?? 'done'}`
}

async function detailOf(visitor: Visitor, query: Record<string, string>): Promise<string> {
  const { json } = await list(visitor, query)
  return `${json.status} ${json.detail.replace(/".*"/, 'NAME')}`
}

/** Rows and count of a filter by list and oracle; null if they agree. */
async function difference(visitor: Visitor, filter: Filter) {
  const page = await list(visitor, { filter: JSON.stringify(filter), limit: '100' })
  if (page.status !== 200) return { filter, answer: page.text }
  const matching = seenBy(visitor).filter((row) => passes(row, filter, visitor))
  const expected = inOrder(matching, null).map(({ id }) => id)
  const isSame =
    idsOf(page).join() === expected.join() &&
    page.json.total.exact &&
    page.json.total.count === expected.length
  return isSame ? null : { filter, answer: [idsOf(page), page.json.total], expected }
}

const seenBy = (visitor: Visitor) =>
  rows.filter(
    (row) =>
      visitor?.role === 'admin' ||
      row['owner'] === visitor?.sub ||
      (visitor?.sub === ALICE.sub && row[inGroup] === OURS),
  )

/** Nulls last, ties by id; descending reverses everything. */
function inOrder(all: Stored[], order: string | null) {
  if (order === null) return all.toSorted((a, b) => compare(b.id, a.id))
  const name = order.replace('-', '')
  const sorted = all.toSorted((a, b) => {
    const [x, y] = [a[name] ?? null, b[name] ?? null]
    if (x === null || y === null)
      return Number(x === null) - Number(y === null) || compare(a.id, b.id)
    return compareAs(name, x, y) || compare(a.id, b.id)
  })
  return order.startsWith('-') ? sorted.toReversed() : sorted
}

// Collation: see tools/stack/postgres.ts.
const collator = new Intl.Collator('en')
function compareAs(name: string, a: Scalar | string[], b: Scalar | string[]) {
  const type = fieldOf(sink, name)?.type
  if (type === 'datetime') return compare(Date.parse(String(a)), Date.parse(String(b)))
  if (typeof a !== 'string' || typeof b !== 'string') return compare(a, b)
  return type === 'date' ? compare(a, b) : collator.compare(a, b) || compare(a, b)
}
const compare = <T>(a: T, b: T) => (a < b ? -1 : Number(a > b))

function passes(row: Stored, filter: Filter, visitor: Visitor): boolean {
  const check = (part: Condition | Filter) =>
    Array.isArray(part) ? holds(row, part, visitor) : passes(row, part, visitor)
  return 'all' in filter ? filter.all.every(check) : filter.any.some(check)
}

function holds(row: Stored, [name, operator, given]: Condition, visitor: Visitor) {
  const isHidden = name === inGroup && row[name] === FOREIGN && visitor?.role !== 'admin'
  const value = isHidden ? null : (row[name] ?? null)
  const wanted = meaningOf(given, visitor)
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
  if (operator === 'empty') return isEmpty === given
  if (operator === 'ne') return isEmpty || compareAs(name, value, wanted as Scalar) !== 0
  if (isEmpty) return false
  const order = () => compareAs(name, value, wanted as Scalar)
  switch (operator) {
    case 'eq':
      return order() === 0
    case 'in':
      return (wanted as Scalar[]).some((one) => compareAs(name, value, one) === 0)
    case 'lt':
      return order() < 0
    case 'lte':
      return order() <= 0
    case 'gt':
      return order() > 0
    case 'gte':
      return order() >= 0
    case 'contains':
      return String(value).toLowerCase().includes(String(wanted).toLowerCase())
    case 'startsWith':
      return String(value).toLowerCase().startsWith(String(wanted).toLowerCase())
    default:
      return Array.isArray(value) && value.includes(String(wanted))
  }
}

function meaningOf(value: Scalar | Scalar[], visitor: Visitor) {
  if (value === '@me') return visitor?.sub ?? ''
  const token = /^@(today|now)(?:([+-]\d+)([dh]))?$/.exec(String(value))
  if (!token) return value
  const shift = Number(token[2] ?? 0) * (token[3] === 'h' ? DAY_MS / 24 : DAY_MS)
  return token[1] === 'now' ? new Date(Date.now() + shift).toISOString() : dayOf(shift)
}

/** The date in the site's time zone, some time from now. */
function dayOf(shift: number) {
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: SITE.timezone }).format(new Date())
  return new Date(Date.parse(`${today}T00:00:00Z`) + shift).toISOString().slice(0, 10)
}

function valuesFor(name: string): Scalar[] {
  const there = rows.flatMap((row) => row[name] ?? []).filter((value) => value !== '')
  const chosen = [there[0], there[there.length >> 1], there.at(-1)].filter(
    (one) => one !== undefined,
  )
  return [...chosen, absentValue(fieldOf(sink, name)?.type ?? 'text')]
}

/** A value that no row has, by the type's facts. */
function absentValue(type: FieldType): Scalar {
  const { json, column, format } = factsOf(type)
  if (json === 'boolean') return false
  if (json === 'integer') return 999
  if (json === 'number') return -999.9
  if (column === 'uuid' || column === 'uuidArray') return ID
  if (format === 'date') return '1999-12-31'
  if (format === 'date-time') return '1999-12-31T23:00:00+01:00'
  if (format === 'email') return 'absent@example.test'
  return format === 'uri' ? 'https://absent.test/' : 'absent'
}

function conditionsWith(name: string, operator: string, values: Scalar[]): Condition[] {
  if (operator === 'empty')
    return [
      [name, operator, true],
      [name, operator, false],
    ]
  if (operator === 'in')
    return [
      [name, operator, values],
      [name, operator, values.slice(-1)],
    ]
  if (operator !== 'contains' && operator !== 'startsWith')
    return values.map((value) => [name, operator, value])
  const texts = values.map(String)
  const parts = operator === 'contains' ? texts.map((text) => text.slice(1, 5)) : texts
  return [...parts.map((text) => text.slice(0, 4).toUpperCase()), '%', '_', '\\']
    .filter((text) => text !== '')
    .map((text) => [name, operator, text])
}

function randomFilter(depth: number): Filter {
  const parts = Array.from({ length: 1 + pick([0, 1, 2]) }, (): Condition | Filter => {
    if (depth > 1 && random() < 0.4) return randomFilter(depth - 1)
    const [name, field] = pick(FIELDS)
    return pick(conditionsWith(name, pick(KNOWN[field.type]), valuesFor(name)))
  })
  return random() < 0.5 ? { all: parts } : { any: parts }
}

/** Few distinct values, for ties; every optional field is sometimes null. */
function randomRow(place: number): Stored {
  const perhaps = <T>(value: T) => (random() < 0.2 ? null : value)
  const word = () =>
    pick([
      'alpha',
      'Alpha',
      'álpha',
      'beta',
      'Zulu',
      'a b',
      'a-b',
      '_x',
      '50% off',
      '10',
      '9',
      'ß',
      'ss',
    ])
  const soon = (pick([-30, -7, -1, 0, 0, 1, 7, 30]) + 0) * DAY_MS
  const id = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
  return {
    id: id.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5'),
    text: random() < 0.5 ? word() : `Text ${word()} ${Math.floor(random() * 9)}`,
    textarea: perhaps(`a long ${word()}'; drop`),
    markdown: perhaps(`# ${word()}`),
    email: perhaps(`${word().replaceAll(/[^a-z]/gi, '')}${place}@example.test`),
    tel: perhaps(`+353 1 ${pick([1, 2, 3])}00`),
    url: perhaps(`https://example.test/${pick(['a', 'b', '%20'])}`),
    integer: perhaps(pick([-5, 0, 3, 3, 10, 200])),
    decimal: perhaps(pick([-0.5, 0, 0.1, 1.2, 10, 99.9])),
    boolean: perhaps(random() < 0.5),
    date: perhaps(random() < 0.5 ? dayOf(soon) : pick(['0001-01-01', '2026-01-31', '9999-12-31'])),
    datetime: perhaps(
      random() < 0.5
        ? new Date(Date.now() + soon - 60_000).toISOString()
        : pick([
            '2026-01-31T10:00:00.000Z',
            '2026-01-31T10:00:00.001Z',
            '1969-07-20T20:17:40.000Z',
          ]),
    ),
    select: perhaps(pick(['one', 'two', 'three'])),
    multiselect: perhaps(pick([['red'], ['red', 'blue'], ['green', 'red', 'blue'], []])),
    [inGroup]: perhaps(pick([OURS, OURS, FOREIGN])),
    parent: null,
    owner: perhaps(pick([ALICE.sub, BOB.sub, ADMIN.sub])),
    secret: perhaps(`hidden ${word()}`),
  }
}

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T
}

/** Mulberry32, seeded: the same rows in every run. */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

test.runIf(fixture.name === 'product')(
  'a field computed in SQL filters exactly by the value it shows',
  async () => {
    const create = () =>
      api.call('POST', '/api/organisations', ADMIN, {
        body: { name: 'Filtered by status' },
        headers: { 'idempotency-key': 'filtered' },
      })
    const organisation = await create()
    expect(organisation.json.relationship).toBe('prospect')
    const service = await api.call('POST', '/api/services', ADMIN, {
      body: {
        name: 'Watching',
        slug: 'watching',
        summary: 'x',
        description: 'x',
        category: 'Managed IT',
      },
    })
    const days: [string, string | null, string | null, boolean?][] = [
      ['2020-01-01', null, null],
      ['2020-01-01', '2021-01-01', null],
      ['2020-01-01', '2021-01-01', null, true],
      ['2020-01-01', null, '2021-01-01'],
      ['2999-01-01', null, null],
    ]
    for (const [place, [startOn, endOn, terminatedOn, autoRenew = false]] of days.entries()) {
      const { status, text } = await api.call('POST', '/api/contracts', ADMIN, {
        body: {
          reference: `F-${place}`,
          organisation: organisation.json.id,
          service: service.json.id,
          startOn,
          endOn,
          terminatedOn,
          autoRenew,
        },
      })
      expect(status, text).toBe(201)
    }
    const found = async (path: string, name: string, value: string) => {
      const filter = encodeURIComponent(JSON.stringify({ all: [[name, 'eq', value]] }))
      const { json } = await api.call('GET', `/api/${path}?filter=${filter}&total=exact`, ADMIN)
      const shown = json.items.map((item: Record<string, unknown>) => item[name])
      expect(shown.every((one: unknown) => one === value)).toBe(true)
      return json.total.count
    }
    expect(await found('contracts', 'status', 'draft')).toBe(1)
    expect(await found('contracts', 'status', 'active')).toBe(2)
    expect(await found('contracts', 'status', 'ended')).toBe(2)
    expect(await found('organisations', 'relationship', 'client')).toBe(1)
    // Not in revisions: a retry returns the current value.
    expect((await create()).json).toEqual({ ...organisation.json, relationship: 'client' })
  },
)
