import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SITE, startTest, type Test } from '../../test/kit.ts'
import { publicDefinitions } from './public-definitions.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

type Definition = { path: string; authorise: Record<string, boolean>; pages?: object }

test('documents contain the definitions that GET /api/models gives anonymous callers, of public models only', async () => {
  const { json } = await t.call('GET', '/api/models')
  const definitions = publicDefinitions(models, SITE) as Definition[]
  expect(definitions).toEqual(
    (json as Definition[]).filter(({ authorise }) => authorise['list'] === undefined),
  )
  expect(definitions.map(({ path }) => path)).toEqual(['services', 'articles'])
  expect(JSON.stringify(definitions)).not.toContain('internalCost')
})

test('a model outside the menu is in documents only if it has pages', () => {
  const hidden = models.map((model) => ({ ...model, menu: false }))
  const pathsOf = (given: typeof models) =>
    (publicDefinitions(given, SITE) as Definition[]).map(({ path }) => path)
  expect(pathsOf(hidden)).toEqual(['services', 'articles'])
  expect(pathsOf(hidden.map((model) => ({ ...model, pages: null })))).toEqual([])
})
