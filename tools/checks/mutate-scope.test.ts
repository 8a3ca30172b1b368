import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { BROKEN } from '../../api/test/scope-answers.ts'
import { askMany, checkDefinitions } from '../../api/test/scope-property.ts'
import { buildWorld, toSql } from '../../api/test/scope-world.ts'
import { mutantRunner, PATIENCE_MS, withoutCalls, type Mutant } from './mutants.ts'

/**
 * Does the property of api/src/engine/query/visibility.test.ts notice when a query forgets to ask? Every call of a function that
 * decides on sight is taken out, one at a time, in a copy of the API; the property must fail on each copy.
 */
const REPLACEMENTS: Record<string, string> = {
  // As if an admin asked: the row scope, `publicFilter` and restriction go, the trash stays.
  visible: 'asAdmin(visible)',
  visibleParts: 'asAdmin(visibleParts)',
  leadsToVisible: 'asAdmin(leadsToVisible)',
  canRead: '(() => true)',
  canSee: '(() => true)',
}

/** Fixed: whether a mutant dies must not depend on luck. Only a survivor is asked this many questions. */
const SEED = 1
const RUNS = 1_500

/** Their addresses are none of the property's questions: about.test.ts, leak.test.ts, undo.test.ts and list-views.test.ts ask them. */
const ASKED_ELSEWHERE = ['about.ts', 'neighbours.ts', 'operation.ts', 'list-views.ts']
/** Nor these: mutate-time.test.ts takes them out. */
const ASKED_OVER_TIME = ['idempotency.ts']
/** Looks again at a record its callers have just found visible, so nobody could notice. */
const ASKED_TWICE = ['applicable.ts']

const mutants = withoutCalls(REPLACEMENTS).filter(
  ({ file }) =>
    file.startsWith('engine/') &&
    ![...ASKED_ELSEWHERE, ...ASKED_OVER_TIME, ...ASKED_TWICE].includes(basename(file)),
)

const run = mutantRunner()

test('a copy of the API that nobody changed passes', async () => {
  expect(await firstMistake(null, 30)).toBeNull()
})

test('every function that decides on sight is taken out somewhere', () => {
  expect(new Set(mutants.map(({ without }) => without))).toEqual(new Set(Object.keys(REPLACEMENTS)))
})

test.each(mutants)(
  '$in without $without is noticed',
  async (mutant) => {
    const mistake = await firstMistake(mutant, RUNS)
    // A hidden field that is asked for may break the server down: it is not among the columns that were read.
    const isBroken = mutant.without !== 'canSee' && mistake?.includes(BROKEN)
    expect(mistake, 'no question noticed it').not.toBeNull()
    expect(isBroken, mistake ?? '').toBe(false)
  },
  PATIENCE_MS,
)

/** What the property says about a copy of the API: null is nothing. */
const firstMistake = (mutant: Mutant | null, runs: number) =>
  run(mutant, async (api) => {
    const world = buildWorld(SEED)
    await api.database.sql(toSql(world))
    await checkDefinitions(api, world)
    await askMany(api, world, { seed: SEED, runs })
  })
