import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, startTest, type Test } from '../../test/kit.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

const DATE = '2026-01-31T09:00:00.000Z'
let count = 0
const create = async (values: object) => {
  const slug = `article-${++count}`
  const body = { title: 'News', slug, kind: 'Guide', body: 'Text.', ...values }
  const { status, json } = await t.call('POST', '/api/articles', ADMIN, { body })
  expect(status).toBe(201)
  return json as { id: string; publishedAt: string | null }
}
const update = async (id: string, body: object) => {
  const headers = { 'if-match': '*' }
  const { status, json } = await t.call('PUT', `/api/articles/${id}`, ADMIN, { body, headers })
  expect(status).toBe(200)
  return json as { publishedAt: string | null }
}
const isRecent = (at: string | null) => Math.abs(Date.parse(at ?? '') - Date.now()) < 60_000

test('an article that is created published gets the time as its date', async () => {
  expect(isRecent((await create({ published: true })).publishedAt)).toBe(true)
  expect((await create({ published: true, publishedAt: DATE })).publishedAt).toBe(DATE)
})

test('a draft has no date until it is published for the first time, and keeps that one', async () => {
  const { id, publishedAt } = await create({})
  expect(publishedAt).toBeNull()
  expect((await update(id, { title: 'Other news' })).publishedAt).toBeNull()
  const first = (await update(id, { published: true })).publishedAt
  expect(isRecent(first)).toBe(true)
  await update(id, { published: false })
  expect((await update(id, { published: true })).publishedAt).toBe(first)
})

test('a date given by staff is kept at publication and afterwards', async () => {
  const { id } = await create({ publishedAt: DATE })
  expect((await update(id, { published: true })).publishedAt).toBe(DATE)
})

test('the date of a published article can be changed but not cleared, that of a draft can', async () => {
  const { id } = await create({ published: true, publishedAt: DATE })
  expect((await update(id, { publishedAt: null })).publishedAt).toBe(DATE)
  const other = '2026-02-01T09:00:00.000Z'
  expect((await update(id, { publishedAt: other })).publishedAt).toBe(other)
  expect((await update(id, { published: false, publishedAt: null })).publishedAt).toBeNull()
})
