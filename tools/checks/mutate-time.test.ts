import { join } from 'node:path'
import { expect, test } from 'vitest'
import { playTimes, prepareTimes } from '../../api/test/history-scenarios.ts'
import {
  mutantRunner,
  TEST_TIMEOUT_MS,
  withoutCalls,
  withoutExpression,
  withoutSql,
  type Mutant,
} from './mutants.ts'

/**
 * Mutation test of api/src/engine/history/point-in-time-property.test.ts: each check of past ownership is removed in turn, in
 * a copy of the API.
 */
const MUTANTS: Mutant[] = [
  ...withoutCalls({ visibleAtVersion: 'asAdmin(visibleAtVersion)' }).filter(
    // Records of the property have no files: engine/files/files.test.ts removes a file before, in and after a change of owner.
    ({ in: name }) => name !== 'visibleAtVersion' && name !== 'namedEarlier',
  ),
  ...withoutCalls({ visible: 'asAdmin(visible)' }).filter(({ in: name }) => name === 'rebuild'),
  withoutExpression('findSteps', 'steps.every(({ isVisible }) => isVisible)', 'true'),
  withoutExpression('mayUndo', 'isVisible', 'true', ' &&'),
  withoutSql('isTheirs', 'lower(t.email) = lower(${recipient})', 'true'),
  withoutSql('isTheirs', 'owner is not distinct from t.client_id', 'true'),
  withoutSql('visibleAtVersion', "${versionColumn('is_open')} and", ''),
  withoutSql('visibleAtVersion', '(${or(...ownershipRules) ?? sql`false`})', 'true'),
  withoutExpression('toClaims', 'isManager ? own : []', 'own'),
  withoutSql('withParent', 'coalesce(parent.is_open, false)', 'true'),
  withoutSql('withParent', '${isChildOpen} and', ''),
  withoutSql('ownParts', "${value('owner')}", 'null'),
  withoutSql('ownParts', "${value('org')}", 'null'),
]

/** Fixed: killing a mutant must not depend on luck. Other seeds kill all mutants too, some after half a minute. */
const SEED = 99
const RUNS = 100

const run = mutantRunner(MUTANTS)

test('the point-in-time property passes on an unmutated API', async () => {
  expect(await firstMistake(null, 8)).toBeNull()
})

test('history, undo, versions and replays each check past ownership', () => {
  const asking = MUTANTS.filter(({ without }) => without === 'visibleAtVersion').map(
    (one) => one.in,
  )
  expect(new Set(asking)).toEqual(new Set(['historyOf', 'wasVisible', 'stateAfter', 'rebuild']))
})

test.each(MUTANTS)(
  'the point-in-time property fails if $in lacks $without',
  async (mutant) => {
    const mistake = await firstMistake(mutant, RUNS)
    expect(mistake, 'the mutant survived').not.toBeNull()
    expect(mistake).toMatch(/^Property failed/)
    expect(mistake, 'the API failed with an internal error').not.toContain('internal-error')
  },
  TEST_TIMEOUT_MS,
)

const firstMistake = (mutant: Mutant | null, runs: number) =>
  run(mutant, async (t, copy) => {
    const { sendMail } = (await import(
      join(copy, 'src/jobs/send-mail.ts')
    )) as typeof import('../../api/src/jobs/send-mail.ts')
    const api = { ...t, mailJob: sendMail }
    await playTimes(api, await prepareTimes(api), { seed: SEED, runs })
  })
