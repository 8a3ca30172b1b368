import { np, type Field } from '@gatehouse/model'
import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jobModel } from '../../../test/job-model.ts'
import { ADMIN, startApi, startTest, type Test } from '../../../test/kit.ts'

const select = (...values: string[]): Field => ({
  type: 'select',
  label: 'State',
  options: values.map((value) => ({ value })),
  privacy: np,
})
const tags = (...values: string[]): Field => ({
  ...select(...values),
  type: 'multiselect',
  label: 'Tags',
})
const due: Field = { type: 'date', label: 'Due', privacy: np }
const BEFORE = jobModel({ state: select('Open', 'Sold'), tags: tags('Old', 'New'), due })
const AFTER = jobModel({
  state: select('Open'),
  tags: tags('New'),
  due: { ...due, required: true },
})

let t: Test
let next: Awaited<ReturnType<typeof startApi>>

async function call(base: string, method: string, path: string, body?: object) {
  const response = await fetch(`${base}/api/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await t.tokenOf(ADMIN)}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const operation = response.headers.get('operation-id')
  return { status: response.status, operation, json: await response.json() }
}

/** One database: the release before, and one with a definition that takes fewer values. */
beforeAll(async () => {
  t = await startTest({ models: [...models, BEFORE] })
  next = await startApi({
    models: [...models, AFTER],
    databaseUrl: t.database.url('gatehouse_app'),
    keys: t.keys,
  })
})
afterAll(async () => {
  await next.stop()
  await t.stop()
})

test.each([
  ['an option that is gone', 'state', 'Sold', 'Open', 'State had a value that is no option now.'],
  ['one of several options', 'tags', ['Old'], ['New'], 'Tags had a value that is no option now.'],
  ['no value', 'due', null, '2026-01-02', 'Due was empty, and is required now.'],
])(
  'an undo that would restore %s is neither offered nor done',
  async (_name, field, earlier, later, reason) => {
    const { json } = await call(t.base, 'POST', 'jobs', { title: reason, [field]: earlier })
    const { operation } = await call(t.base, 'PUT', `jobs/${json.id}`, { [field]: later })
    await t.database.sql(`update jobs set due = coalesce(due, '2026-01-01')`)

    const history = await call(next.base, 'GET', `jobs/${json.id}/history`)
    expect(history.json.items[0].operation).toBeNull()
    const undone = await call(next.base, 'POST', `operations/${operation}/undo`)
    expect([undone.status, undone.json.code, undone.json.detail]).toEqual([
      409,
      'not-undoable',
      `This change can’t be undone: ${reason}`,
    ])
    const read = await call(next.base, 'GET', `jobs/${json.id}`)
    expect(read.json[field]).toEqual(later)
    // The release before still takes the value.
    expect((await call(t.base, 'POST', `operations/${operation}/undo`)).status).toBe(200)
  },
)

test('an undo of values that today’s definition takes is done', async () => {
  const body = { title: 'Job', state: 'Open', tags: ['New'], due: '2026-01-02' }
  const { json } = await call(next.base, 'POST', 'jobs', body)
  const { operation } = await call(next.base, 'PUT', `jobs/${json.id}`, { state: null, tags: [] })
  expect((await call(next.base, 'POST', `operations/${operation}/undo`)).status).toBe(200)
})
