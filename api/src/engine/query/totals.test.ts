import { setImmediate } from 'node:timers/promises'
import { models } from '@gatehouse/model/models'
import { expect, test, vi } from 'vitest'
import { SYSTEM } from '#engine/caller.ts'
import { buildEngine } from '#engine/engine.ts'
import type { Db } from '#platform/db.ts'
import { CONFIG } from '../../../test/kit.ts'
import { readListQuery } from './list-query.ts'
import { exceedsCapByEstimate } from './totals.ts'

const ANYONE = { level: 'user', visitor: null, claims: {} } as const

function estimating(rows: number | Error) {
  const query = vi.fn<() => Promise<{ name: string; rows: number }[]>>(async () => {
    if (rows instanceof Error) throw rows
    return [{ name: 'tickets_live', rows }]
  })
  const db = { query } as unknown as Db
  const engine = buildEngine({ db, site: CONFIG.site, desk: CONFIG.owner, models })
  const ask = (params: Record<string, string> = {}, caller: typeof SYSTEM = SYSTEM) => {
    const model = engine.models.find(({ path }) => path === 'tickets')
    if (!model) throw new Error('no tickets')
    const list = { engine, model, caller }
    return exceedsCapByEstimate({ ...list, query: readListQuery(params, list) })
  }
  return { ask, query }
}

test('an unfiltered list far above the cap is not counted for staff', async () => {
  const { ask, query } = estimating(5_001)
  // Not loaded yet; the request doesn't wait for it.
  expect(ask()).toBe(false)
  await setImmediate()
  expect(ask()).toBe(true)
  expect(ask({ sort: '-number' })).toBe(true)
  for (const params of [
    { filter: '{"all":[["status","eq","New"]]}' },
    { q: 'word' },
    { trash: 'true' },
    { total: 'exact' },
    { total: 'none' },
  ])
    expect(ask(params), JSON.stringify(params)).toBe(false)
  expect(ask({}, ANYONE)).toBe(false)
  expect(query).toHaveBeenCalledOnce()
})

test.each([
  ['not far above it', 5_000],
  ['unknown', -1],
  ['unavailable', new Error('unavailable')],
])('an unfiltered list is counted if the estimate is %s', async (_why, rows) => {
  const { ask } = estimating(rows)
  ask()
  await setImmediate()
  expect(ask()).toBe(false)
})
