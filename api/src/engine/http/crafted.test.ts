import { canSort, factsOf, fieldsOf } from '@gatehouse/model'
import { kitchensink } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, startTest, type Test } from '../../../test/kit.ts'

// Values that JSON or JavaScript accept and PostgreSQL may not: none of them may become a 5xx.
let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

const TIMEOUT_MS = 120_000
const UUID = '0190a5b0-0000-7000-8000-000000000000'
const TEXTS = [
  '2026-02-30',
  '2026-02-30T00:00:00Z',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '0001-01-01',
  '0001-01-01T00:00:00+15:59',
  '9999-12-31',
  '9999-12-31T23:59:59.999999999-15:59',
  '9999-12-31T23:59:60Z',
  '10000-01-01',
  '10000-01-01T00:00:00Z',
  '+294277-01-01T00:00:00Z',
  '-004714-01-01T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01T00:00:00',
  '12',
  'infinity',
  '-infinity',
  'NaN',
  'now',
  'epoch',
  '@today+9999d',
  '@today-99999d',
  '@now-9999d',
  '@now+9999h',
  '@me',
  '',
  'a\0b',
  '\ud800',
  '%_\\',
  '{a}',
  UUID,
  `{${UUID}}`,
]
/** As JSON text: parsing would round some of them. */
const NUMBERS = [
  '0',
  '-0',
  '1.5',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '9223372036854775808',
  '-9223372036854775809',
  '1e308',
  '-1e308',
  '1e400',
  '-1e400',
  '1e-400',
]
const VALUES = [
  ...TEXTS.map((text) => JSON.stringify(text)),
  ...NUMBERS,
  'true',
  'null',
  '[]',
  '{}',
  '["a"]',
  '[["a"]]',
]

const toQuery = (text: string) => encodeURIComponent(text.replaceAll('\ud800', ''))

async function filterAsync(all: string[], isWrong: (one: string) => Promise<boolean>) {
  const found: string[] = []
  const rest = [...all]
  const work = async () => {
    for (let one = rest.pop(); one !== undefined; one = rest.pop())
      if (await isWrong(one)) found.push(one)
  }
  await Promise.all(Array.from({ length: 8 }, work))
  return found
}

const findServerErrors = (urls: string[]) =>
  filterAsync(urls, async (url) => (await t.call('GET', url, ADMIN)).status >= 500)

/** Has a field of every type. */
const MODEL = kitchensink
const URL = `/api/${MODEL.path}`

test(
  'a crafted cursor never causes a server error',
  async () => {
    const sorts = fieldsOf(MODEL).flatMap(([name]) => (canSort(MODEL, name, 'owner') ? [name] : []))
    const urls = sorts.flatMap((sort) =>
      VALUES.flatMap((value) => {
        const cursor = Buffer.from(`["${sort}",${value},"${UUID}"]`).toString('base64url')
        return ['after', 'before'].map((side) => `${URL}?sort=${sort}&${side}=${cursor}`)
      }),
    )
    expect(await findServerErrors(urls)).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'a crafted filter never causes a server error',
  async () => {
    const fields = new Map(fieldsOf(MODEL).map(([name, { type }]) => [type, name]))
    const urls = [...fields].flatMap(([type, name]) =>
      factsOf(type).operators.flatMap((operator) =>
        VALUES.map((value) => {
          const given = operator === 'in' ? `[${value}]` : value
          return `${URL}?filter=${toQuery(`{"all":[["${name}","${operator}",${given}]]}`)}`
        }),
      ),
    )
    expect(await findServerErrors(urls)).toEqual([])
  },
  TIMEOUT_MS,
)

test(
  'a crafted value in a body never causes a server error',
  async () => {
    const { json: created } = await t.call('POST', URL, ADMIN, { body: { text: 'A' } })
    const fields = new Map(fieldsOf(MODEL).map(([name, { type }]) => [type, name]))
    const bodies = [...fields.values()].flatMap((name) =>
      VALUES.map((value) => `{"text":"A","${name}":${value}}`),
    )
    const found = await filterAsync(bodies, async (body) => {
      const statuses = [
        await send('POST', URL, body),
        await send('PUT', `${URL}/${created.id}`, body),
      ]
      return statuses.some((status) => status >= 500)
    })
    expect(found).toEqual([])
  },
  TIMEOUT_MS,
)

test('a crafted version never causes a server error', async () => {
  const { json: created } = await t.call('POST', URL, ADMIN, { body: { text: 'A' } })
  const urls = [...TEXTS, ...NUMBERS].map(
    (value) => `${URL}/${created.id}/history?before=${toQuery(value)}`,
  )
  expect(await findServerErrors(urls)).toEqual([])
  for (const version of NUMBERS) {
    const status = await send('POST', `${URL}/${created.id}/restore`, `{"version":${version}}`)
    expect([version, status < 500]).toEqual([version, true])
  }
})

/** With a body as text, for numbers that JavaScript would change. */
async function send(method: string, url: string, body: string) {
  const authorization = `Bearer ${await t.tokenOf(ADMIN)}`
  const headers = { authorization, 'content-type': 'application/json' }
  return (await fetch(`${t.base}${url}`, { method, headers, body })).status
}
