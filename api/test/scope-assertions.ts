import fc from 'fast-check'
import { expect } from 'vitest'
import { snakeCase } from '#engine/table-names.ts'
import type { Test } from './kit.ts'
import { SENTENCES, type Row } from './scope-oracle.ts'
import { fieldsOf, UNKNOWN_FIELD, relationsOf, type Asking } from './scope-generators.ts'
import { HIDDEN_VALUES } from './scope-fixture.ts'

export type Api = Pick<Test, 'call' | 'database'>
type Asked = Asking & { api: Api }
export type Sent = Awaited<ReturnType<Test['call']>> & { about: string }

const TOTAL_CAP = 1_000
/** Thrown on 5xx, which proves nothing about scope. */
export const BROKEN = 'server error'

/** A call that reports its request on failure, and checks the response for hidden words. */
export async function send(
  { api, person, path }: Asked,
  method: string,
  url: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Sent> {
  const answer = await api.call(method, url, person, options)
  const about = [
    `${person?.sub ?? 'nobody'}: ${method} ${decodeURIComponent(url)}`,
    JSON.stringify(options),
    `${answer.status} ${answer.text.slice(0, 2_000)}`,
  ].join('\n')
  if (answer.status >= 500) throw new Error(`${BROKEN}: ${about}`)
  if (person?.role !== 'admin')
    for (const word of HIDDEN_VALUES)
      if (answer.text.includes(word)) throw new Error(`a hidden ${path} field leaked: ${about}`)
  return { ...answer, about }
}

export function expectPage({ oracle, person, path }: Asked, page: Sent, rows: Row[]) {
  expect(page.status, page.about).toBe(200)
  const ids = page.json.items.map((item: Row) => item.id)
  expect(ids, page.about).toEqual(rows.map((row) => row.id))
  for (const [place, row] of rows.entries())
    expectRecord(page, page.json.items[place], oracle.read(person, path, row, { isInList: true }))
}

const SYSTEM = ['version', 'createdAt', 'updatedAt', 'sample']

export function expectRecord(
  { about }: Sent,
  record: Record<string, unknown>,
  expected: Record<string, unknown>,
) {
  const found = Object.entries(record).filter(([name]) => !SYSTEM.includes(name))
  expect(Object.fromEntries(found), about).toEqual(expected)
}

export function totalOf(count: number, total: string | undefined) {
  if (total === 'none') return null
  if (total === 'exact' || count <= TOTAL_CAP) return { count, exact: true }
  return { count: TOTAL_CAP, exact: false }
}

/** 404, identical to that of a missing record. */
export async function expectAbsent(asking: Asked, answer: Sent, method: string, body?: unknown) {
  expect(answer.status, answer.about).toBe(404)
  expect(answer.json, answer.about).toMatchObject({ detail: 'Record not found' })
  const url = `/api/${asking.path}/${asking.draw(fc.uuid)}`
  expectAlike(answer, await send(asking, method, url, body === undefined ? {} : { body }))
}

/** 422 for each invisible relation, identical to that of unknown ids. */
export async function expectSameAsAbsent(
  { draw }: Asked,
  answer: Sent,
  bad: string[],
  repeat: (absent: Record<string, string>) => Promise<Sent>,
) {
  expect(answer.status, answer.about).toBe(422)
  const named = answer.json.errors.map((error: { field: string }) => error.field)
  expect(named, answer.about).toEqual(bad)
  expectAlike(answer, await repeat(Object.fromEntries(bad.map((name) => [name, draw(fc.uuid)]))))
}

/** 422 for a hidden or read-only field, identical to that of an unknown one. */
export async function expectUnknownField(
  asking: Asked,
  answer: Sent,
  method: string,
  url: string,
  body: Record<string, unknown>,
) {
  const { oracle, person, path } = asking
  expect(answer.status, answer.about).toBe(422)
  const renamed = Object.entries(body).map(([name, value]) => [
    oracle.isWritable(person, path, name) ? name : UNKNOWN_FIELD,
    value,
  ])
  expectAlike(answer, await send(asking, method, url, { body: Object.fromEntries(renamed) }))
}

/** Compares two responses, ignoring request id and field name. */
export function expectAlike(one: Sent, other: Sent) {
  const names = new RegExp(`\\b(${[...FORBIDDEN_NAMES, UNKNOWN_FIELD].join('|')})\\b`, 'g')
  const bare = ({ json }: Sent) =>
    JSON.stringify({ ...json, requestId: '' }).replaceAll(names, UNKNOWN_FIELD)
  expect(bare(one), one.about).toBe(bare(other))
  expect([...one.headers.keys()], one.about).toEqual([...other.headers.keys()])
  expect(one.status, one.about).toBe(other.status)
}

const FORBIDDEN_NAMES = new Set(
  Object.values(SENTENCES).flatMap(({ hidden = [], internal = [], unwritable = [] }) => [
    ...hidden,
    ...internal,
    ...unwritable,
  ]),
)

export async function expectStored({ api, path }: Asked, row: Row, expected: Row) {
  if (row.deletedAt === 'never there') return
  const stored = await load(api, path, row.id)
  const owner = SENTENCES[path]?.scope?.owner ?? 'id'
  const comparable = (one: Row) => ({
    ...relationsOf(path, one),
    owner: one[owner],
    isTrashed: one.deletedAt !== null,
  })
  expect(comparable(stored)).toEqual(comparable(expected))
}

export async function load({ database }: Api, path: string, id: string): Promise<Row> {
  const [found] = await database.sql(`select to_jsonb(t) as row from ${path} t where id = $1`, [id])
  const columns: Record<string, unknown> = found.row
  const row: Row = { id, deletedAt: null, restrictedAt: null }
  for (const [name, field] of fieldsOf(path)) {
    const value = columns[snakeCase(name)] ?? null
    row[name] = field.type === 'datetime' ? toInstant(value) : value
  }
  for (const name of ['deletedAt', 'restrictedAt'] as const)
    row[name] = toInstant(columns[snakeCase(name)] ?? null)
  return row
}

const toInstant = (value: unknown) =>
  typeof value === 'string' ? new Date(value).toISOString() : null
