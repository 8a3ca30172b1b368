import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTest, untilEarlyInTheMinute, type Test } from '../../test/kit.ts'
import { fetchAnonymously } from './page-writer.ts'

const PER_MINUTE = 5

let t: Test
beforeAll(async () => {
  t = await startTest({ limits: { readsPerMinute: PER_MINUTE } })
})
afterAll(() => t.stop())

test('the page writer reads beyond the limit of reads per minute, and no client can pass for it', async () => {
  const fetch = fetchAnonymously(t.app)
  await untilEarlyInTheMinute()
  for (let turn = 0; turn <= PER_MINUTE; turn++)
    expect((await fetch('services?limit=1')).status).toBe(200)
  const headers = { 'x-in-process': '1' }
  const read = async () => (await t.call('GET', '/api/services', null, { headers })).status
  for (let turn = 0; turn < PER_MINUTE; turn++) expect(await read()).toBe(200)
  expect(await read()).toBe(429)
})
