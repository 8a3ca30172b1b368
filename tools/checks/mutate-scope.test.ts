import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { BROKEN } from '../../api/test/scope-assertions.ts'
import { checkRandomRequests, checkDefinitions } from '../../api/test/scope-property.ts'
import { buildFixture, toSql } from '../../api/test/scope-fixture.ts'
import { mutantRunner, TEST_TIMEOUT_MS, withoutCalls, type Mutant } from './mutants.ts'

/**
 * Mutation test of api/src/engine/query/visibility.test.ts: each call of a visibility function is removed in turn, in a copy of
 * the API, and the property must fail.
 */
const REPLACEMENTS: Record<string, string> = {
  // As an admin: no row scope, `publicFilter` or restriction; the trash stays hidden.
  visible: 'asAdmin(visible)',
  visibleParts: 'asAdmin(visibleParts)',
  targetIsVisible: 'asAdmin(targetIsVisible)',
  canRead: '(() => true)',
  canSee: '(() => true)',
}

/** Fixed: killing a mutant must not depend on luck. Other seeds kill all mutants too, some after half a minute. */
const SEED = 4
const RUNS = 1_500

/** Not covered by the property: about.test.ts, leak.test.ts, undo.test.ts and list-views.test.ts cover them. */
const ASKED_ELSEWHERE = [
  'about.ts',
  'glance-counts.ts',
  'neighbours.ts',
  'operation.ts',
  'list-views.ts',
]
/** Covered by mutate-time.test.ts. */
const ASKED_OVER_TIME = ['idempotency.ts']
/** Rechecks a record its callers have just found visible, so removing it has no effect. */
const ASKED_TWICE = ['applicable-actions.ts']

const mutants = withoutCalls(REPLACEMENTS).filter(
  ({ file }) =>
    file.startsWith('engine/') &&
    ![...ASKED_ELSEWHERE, ...ASKED_OVER_TIME, ...ASKED_TWICE].includes(basename(file)),
)

const run = mutantRunner(mutants)

test('the visibility property passes on an unmutated API', async () => {
  expect(await firstMistake(null, 30)).toBeNull()
})

test('every visibility function has a mutant', () => {
  expect(new Set(mutants.map(({ without }) => without))).toEqual(new Set(Object.keys(REPLACEMENTS)))
})

test.each(mutants)(
  'the visibility property fails if $in lacks $without',
  async (mutant) => {
    const mistake = await firstMistake(mutant, RUNS)
    // A hidden field may cause a 500: it is not among the columns read.
    const isBroken = mutant.without !== 'canSee' && mistake?.includes(BROKEN)
    expect(mistake, 'the mutant survived').not.toBeNull()
    expect(isBroken, mistake ?? '').toBe(false)
  },
  TEST_TIMEOUT_MS,
)

const firstMistake = (mutant: Mutant | null, runs: number) =>
  run(mutant, async (api) => {
    const world = buildFixture(SEED)
    await api.database.sql(toSql(world))
    await checkDefinitions(api, world)
    await checkRandomRequests(api, world, { seed: SEED, runs })
  })
