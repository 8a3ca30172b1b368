import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playTimes, prepareTimes } from '../../api/test/history-scenarios.ts'
import { mutantRunner, TEST_TIMEOUT_MS, withoutCalls, withoutPart, type Mutant } from './mutants.ts'

/**
 * Mutation test of api/src/engine/history/point-in-time-property.test.ts: each place that decides whose a record was is removed in turn, in a
 * copy of the API.
 */
const MUTANTS: Mutant[] = [
  ...withoutCalls({ visibleAtVersion: 'asAdmin(visibleAtVersion)' }).filter(
    ({ in: name }) => name !== 'visibleAtVersion',
  ),
  ...withoutCalls({ visible: 'asAdmin(visible)' }).filter(({ in: name }) => name === 'rebuild'),
  withoutPart('findSteps', ' && steps.every(({ isVisible }) => isVisible)', ''),
  withoutPart('canUndo', 'isVisible &&', ''),
  withoutPart('isTheirs', 'lower(t.email) = lower(${recipient})', 'true'),
  withoutPart('isTheirs', 'owner is not distinct from t.client_id', 'true'),
  withoutPart('visibleAtVersion', "${versionColumn('is_open')} and", ''),
  withoutPart('visibleAtVersion', '(${or(...ownershipRules) ?? sql`false`})', 'true'),
  withoutPart('toClaims', 'isManager ? own : []', 'own'),
  withoutPart('withParent', 'coalesce(parent.is_open, false)', 'true'),
  withoutPart('withParent', '${isChildOpen} and', ''),
  withoutPart('ownParts', "${value('owner')}", 'null'),
  withoutPart('ownParts', "${value('org')}", 'null'),
]

/** Fixed seed: killing a mutant must not depend on luck. Only a survivor uses all the runs. */
const SEED = 20_260_115
const RUNS = 100

const run = mutantRunner()

test('an unchanged copy of the API passes', async () => {
  expect(await firstMistake(null, 8)).toBeNull()
})

test('history, undo, versions and replays each check whose the record was', () => {
  const asking = MUTANTS.filter(({ without }) => without === 'visibleAtVersion').map(
    (one) => one.in,
  )
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
  TEST_TIMEOUT_MS,
)

/** The worlds' first failure on a copy of the API, or null. */
const firstMistake = (mutant: Mutant | null, runs: number) =>
  run(mutant, async (t, copy) => {
    const { sendMail } = (await import(
      join(copy, 'src/jobs/send-mail.ts')
    )) as typeof import('../../api/src/jobs/send-mail.ts')
    const api = { ...t, mailJob: sendMail }
    await playTimes(api, await prepareTimes(api), { seed: SEED, runs })
  })
