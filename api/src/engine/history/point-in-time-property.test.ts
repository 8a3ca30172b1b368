import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTest, type Test } from '../../../test/kit.ts'
import { FIXTURE_MODELS } from '../../../test/scope-fixture.ts'
import { playTimes, prepareTimes } from '../../../test/history-scenarios.ts'
import { sendMail } from '#jobs/send-mail.ts'

/** Reproduce a failure with its seed: TIME_SEED=123 npx vitest run point-in-time-property. */
const SEED = Number(process.env['TIME_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const RUNS = Number(process.env['TIME_RUNS'] ?? 25)

let t: Test
beforeAll(async () => {
  t = await startTest({ models: FIXTURE_MODELS })
})
afterAll(() => t.stop())

test('history, undo, restore, replay and mails equal the oracle for random users, transfers and publications', async () => {
  const started = performance.now()
  const api = { ...t, mailJob: sendMail }
  const counts = await playTimes(api, await prepareTimes(api), { seed: SEED, runs: RUNS })
  const reported = [...counts].map(([what, times]) => `${what} ×${times}`).toSorted()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`TIME_SEED=${SEED} TIME_RUNS=${RUNS}, ${seconds} s: ${reported.join(', ')}`)
  for (const what of OUTCOMES) expect(counts.get(what), what).toBeGreaterThan(0)
}, 600_000)

/** All common outcomes occurred, so API and oracle don't agree for lack of data. */
const OUTCOMES =
  `history 200|history 404|history with gaps|undo 200|undo 404|restore 200|restore 404|restore 422
replay 201|replay 404|mail sent|mail kept back`.split(/[|\n]/)
