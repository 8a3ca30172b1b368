import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, ALICE, startTest, type Test } from '../../../test/kit.ts'
import { migrationNames } from '#platform/migrate.ts'

let t: Test
beforeAll(async () => {
  t = await startTest()
})
afterAll(() => t.stop())

const system = (person: Parameters<Test['call']>[2] = ADMIN) => t.call('GET', '/api/system', person)

test('system status is for admins only', async () => {
  expect((await system(null)).status).toBe(401)
  expect((await system(ALICE)).status).toBe(403)
  expect((await system()).status).toBe(200)
})

test('system status reports release, migrations, jobs, mails, identity provider and backup', async () => {
  const { json } = await system()
  expect(json.release).toMatch(/^\d+\.\d+\.\d+$/)
  expect(json.migrations).toEqual({ latest: migrationNames().at(-1), missing: [], unknown: [] })
  expect(json.mails).toEqual({ waiting: 0, oldestSeconds: 0, dead: 0, hasRelay: false })
  expect(json.identity.isUp).toBe(true)
  expect(json.backup).toEqual({ isWatched: false, finishedAt: null })
  expect(Array.isArray(json.jobs)).toBe(true)
})

test('system status names unknown and missing migrations', async () => {
  const [first] = migrationNames()
  await t.database.sql(`update migrations set name = '9999-later.sql' where name = $1`, [first])
  const { json } = await system()
  expect(json.migrations).toEqual({
    latest: '9999-later.sql',
    missing: [first],
    unknown: ['9999-later.sql'],
  })
})
