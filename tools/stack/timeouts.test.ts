import { expect, test } from 'vitest'
import { retryRefused } from '../../ops/drills/kit/load-generator.ts'

async function ask(...responses: { status: number; retryAfter: string | null }[]) {
  let [asked, rejected] = [0, 0]
  const last = await retryRefused(
    async () =>
      responses[Math.min(asked++, responses.length - 1)] ?? { status: 0, retryAfter: null },
    () => rejected++,
  )
  return { status: last.status, asked, rejected }
}

test('the load generator retries and counts a rejection with Retry-After', async () => {
  const busy = { status: 503, retryAfter: '0' }
  const limited = { status: 429, retryAfter: '0' }
  const done = { status: 201, retryAfter: null }
  expect(await ask(busy, limited, done)).toEqual({ status: 201, asked: 3, rejected: 2 })
})

test('the load generator does not retry without Retry-After, and limits retries', async () => {
  expect(await ask({ status: 503, retryAfter: null })).toMatchObject({ asked: 1, rejected: 0 })
  expect(await ask({ status: 500, retryAfter: '0' })).toMatchObject({ asked: 1, rejected: 0 })
  expect(await ask({ status: 503, retryAfter: '0' })).toMatchObject({ status: 503, asked: 10 })
})
