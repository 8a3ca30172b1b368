import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playTimes, prepareTimes } from '../../api/test/time-worlds.ts'
import { mutantRunner, PATIENCE_MS, withoutCalls, withoutPart, type Mutant } from './mutants.ts'

/**
 * Do the worlds of api/src/engine/history/time.test.ts notice when one of the places that know whose a record was forgets it?
 * Each is taken out, one at a time, in a copy of the API.
 */
const MUTANTS: Mutant[] = [
  ...withoutCalls({ visibleThen: 'asAdmin(visibleThen)' }).filter(
    ({ in: name }) => name !== 'visibleThen',
  ),
  ...withoutCalls({ visible: 'asAdmin(visible)' }).filter(({ in: name }) => name === 'rebuild'),
  withoutPart('findSteps', '&& step.isVisible', ''),
  withoutPart('canUndo', 'isVisible &&', ''),
  withoutPart('isTheirs', 'lower(t.email) = lower(${recipient})', 'true'),
  withoutPart('isTheirs', 'owner is not distinct from t.client_id', 'true'),
  withoutPart('visibleThen', "${kept('is_open')} and", ''),
  withoutPart('visibleThen', '(${or(...ways) ?? sql`false`})', 'true'),
  withoutPart('toClaims', 'isManager ? own : []', 'own'),
  withoutPart('ownership', 'coalesce(parent.is_open, false)', 'true'),
  withoutPart('ownership', '${isOpen(engine, model)} and', ''),
  withoutPart('ownValues', "${value('owner')}", 'null'),
  withoutPart('ownValues', "${value('org')}", 'null'),
]

/** Fixed: whether a mutant dies must not depend on luck. Only a survivor is played this often. */
const SEED = 20_260_115
const RUNS = 100

const run = mutantRunner()

test('a copy of the API that nobody changed passes', async () => {
  expect(await firstMistake(null, 8)).toBeNull()
})

test('history, undo, a version and a repetition each ask whose it was', () => {
  const asking = MUTANTS.filter(({ without }) => without === 'visibleThen').map((one) => one.in)
  expect(new Set(asking)).toEqual(new Set(['historyOf', 'wasVisible', 'stateAfter', 'rebuild']))
})

test.each(MUTANTS)(
  '$in without $without is noticed',
  async (mutant) => {
    const mistake = await firstMistake(mutant, RUNS)
    expect(mistake, 'no world noticed it').not.toBeNull()
    expect(mistake).toMatch(/^Property failed/)
    expect(mistake, 'it broke down').not.toContain('internal-error')
  },
  PATIENCE_MS,
)

/** What the worlds say about a copy of the API: null is nothing. */
const firstMistake = (mutant: Mutant | null, runs: number) =>
  run(mutant, async (t, copy) => {
    const { sendMail } = (await import(
      join(copy, 'src/jobs/send-mail.ts')
    )) as typeof import('../../api/src/jobs/send-mail.ts')
    const api = { ...t, mailJob: sendMail }
    await playTimes(api, await prepareTimes(api), { seed: SEED, runs })
  })
