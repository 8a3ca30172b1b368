import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ALICE, startTest, untilEarlyInTheMinute, type Test } from '../../../test/kit.ts'

const ATTEMPTS = 60
const LIMIT = 5

let t: Test
beforeAll(async () => {
  t = await startTest({ limits: { creationsPerMinute: LIMIT } })
})
afterAll(() => t.stop())
beforeEach(async () => {
  await t.database.sql('delete from write_counts')
  await untilEarlyInTheMinute()
})

const create = async () =>
  (
    await t.call('POST', '/api/tickets', ALICE, {
      body: {
        fullName: 'Al',
        email: 'al@x.test',
        subject: 's',
        contactType: 'Query',
        message: 'm',
      },
    })
  ).status

const lastNumber = async () => {
  const [row] = await t.database.sql(
    `select case when is_called then last_value else 0 end::int as number from tickets_number_seq`,
  )
  return row?.['number'] as number
}

/** Without waiting for the response: a 429 is delayed by a second. */
async function inSequence(count: number, pauseMs: number) {
  const sent: Promise<number>[] = []
  for (let turn = 0; turn < count; turn++) {
    sent.push(create())
    await setTimeout(pauseMs)
  }
  return Promise.all(sent)
}

test('sixty sequential creations beyond the limit consume no sequence numbers', async () => {
  for (let turn = 0; turn < LIMIT; turn++) expect(await create()).toBe(201)
  const before = await lastNumber()
  expect(new Set(await inSequence(ATTEMPTS, 20))).toEqual(new Set([429]))
  expect(await lastNumber()).toBe(before)
})

test('sixty concurrent creations consume at most ten sequence numbers beyond the limit', async () => {
  const before = await lastNumber()
  const statuses = await Promise.all(Array.from({ length: ATTEMPTS }, create))
  expect(statuses.filter((status) => status === 201)).toHaveLength(LIMIT)
  expect(statuses.filter((status) => status === 429)).toHaveLength(ATTEMPTS - LIMIT)
  expect((await lastNumber()) - before).toBeLessThanOrEqual(LIMIT + 10)
})

test('a rejected write counts against the write limit', async () => {
  await create()
  const counted = async () => {
    const [row] = await t.database.sql(
      `select max(count)::int as count from write_counts where caller not like '% tickets'`,
    )
    return row?.['count'] as number
  }
  const before = await counted()
  const answer = await t.call('POST', '/api/tickets', ALICE, { body: {} })
  expect(answer.status).toBe(422)
  expect(await counted()).toBe(before + 1)
})
