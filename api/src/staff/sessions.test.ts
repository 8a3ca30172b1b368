import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALICE, startTest, type Test } from '../../test/kit.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

const inSession = (sid: string, sub = ALICE.sub) => ({ ...ALICE, sub, sid })
const listOf = (person: ReturnType<typeof inSession>, agent: string) =>
  t.call('GET', '/api/me/sessions', person, { headers: { 'user-agent': agent } })

test('a caller sees their own sessions by device family, with the current one marked', async () => {
  await listOf(inSession('phone'), SAFARI)
  await listOf(inSession('of-carol', 'sub-carol'), SAFARI)
  const { status, json } = await listOf(inSession('laptop'), FIREFOX)
  expect(status).toBe(200)
  expect(json).toEqual({
    items: [
      { ...device, browser: 'Firefox', system: 'Linux', isThis: true },
      { ...device, browser: 'Safari', system: 'iPhone', isThis: false },
    ],
    factors: null,
    canSignOut: false,
  })
  const rows = await t.database.sql(`select * from sessions_seen`)
  expect(JSON.stringify(rows)).not.toMatch(/Mozilla|140|127\.0/)
})

const device = {
  id: expect.any(String) as unknown,
  begunAt: expect.any(String) as unknown,
  usedAt: expect.any(String) as unknown,
}

test('a session’s last use is written once in five minutes', async () => {
  await t.database.sql(`update sessions_seen set used_at = '2020-01-01'`)
  await listOf(inSession('laptop'), FIREFOX)
  const [row] = await t.database.sql(
    `select extract(year from used_at)::int as year from sessions_seen where sid = 'laptop'`,
  )
  expect(row).toEqual({ year: 2020 })
})

test('ending another user’s session is rejected, and any session without a provider', async () => {
  const ids = Object.fromEntries(
    (await t.database.sql(`select sid, id from sessions_seen`)).map(({ sid, id }) => [sid, id]),
  )
  const end = async (path: string) =>
    (await t.call('POST', `/api/me/sessions/${path}`, inSession('laptop'))).status
  expect(await end(`${ids['of-carol']}/sign-out`)).toBe(404)
  expect(await end('nowhere/sign-out')).toBe(404)
  expect(await end(`${ids['phone']}/sign-out`)).toBe(503)
  expect(await end('sign-out-others')).toBe(503)
})
