import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, startTest, type Test } from '../../../test/kit.ts'
import { fixture as models } from '../../../test/fixture.ts'
import { SENTENCES } from '../../../test/scope-oracle.ts'
import { checkRandomRequests, checkDefinitions } from '../../../test/scope-property.ts'
import {
  buildFixture,
  toSql,
  FIXTURE_MODELS,
  type ScopeFixture,
} from '../../../test/scope-fixture.ts'

/** Reproduce a failure with its seed: SCOPE_SEED=123 npx vitest run visibility. */
const SEED = Number(process.env['SCOPE_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const RUNS = Number(process.env['SCOPE_RUNS'] ?? 400)

const { sink } = models

let api: Test
let world: ScopeFixture
beforeAll(async () => {
  console.log(`scope: SCOPE_SEED=${SEED} SCOPE_RUNS=${RUNS}`)
  world = buildFixture(SEED)
  // Never written to: the fixture has rows of files, without bytes.
  api = await startTest({ models: FIXTURE_MODELS, filesFolder: '/nonexistent' })
  await api.database.sql(toSql(world))
})
afterAll(() => api.stop())

test('the oracle covers every model', () => {
  expect(FIXTURE_MODELS.map((model) => model.path).toSorted()).toEqual(
    Object.keys(SENTENCES).toSorted(),
  )
})

test('all actions, filters, sorts, searches and counts equal the oracle for random users and records', async () => {
  await expect(checkRandomRequests(api, world, { seed: SEED, runs: RUNS })).resolves.toBeUndefined()
}, 120_000)

test('no definition, form or OpenAPI document mentions a hidden field', async () => {
  await expect(checkDefinitions(api, world)).resolves.toBeUndefined()
})

test('records that refer to each other are deleted together', async () => {
  const { path } = sink
  const make = async () =>
    (await api.call('POST', `/api/${path}`, ADMIN, { body: { text: 'round' } })).json.id
  const [one, two] = [await make(), await make()]
  const url = (id: string) => `/api/${path}/${id}`
  await api.call('PUT', url(one), ADMIN, { body: { parent: two } })
  await api.call('PUT', url(two), ADMIN, { body: { parent: one } })
  expect((await api.call('DELETE', url(one), ADMIN)).status).toBe(204)
  expect((await api.call('GET', url(two), ADMIN)).status).toBe(404)
})
