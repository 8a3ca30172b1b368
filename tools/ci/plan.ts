import { DRILLS } from './drills.ts'
import { SUITES, TRIGGER_ALL } from './suites.ts'

/** Eight minutes for touched drills; without a known base, when every suite runs, two and a half, in rotation. */
const TOUCHED_SECONDS = 480
const ROTATION_SECONDS = 150
/** No divisor of the number of drills, so that each is the first of a run some day. */
const TURN_STEP = 7

type Change = {
  /** Null if no base is known: every suite runs. */
  changed: string[] | null
  /** Picks the rotating drills: any number that increases with every change. */
  rotation: number
}

export type Plan = ReturnType<typeof planRun>

/**
 * What a run leaves out, and its drills: those whose paths the change touches and one in rotation; without a known base, as
 * many in rotation as fit into those. `skipped` did not fit the budget.
 */
export function planRun({ changed, rotation }: Change) {
  const isEverything = changed === null || touches(changed, TRIGGER_ALL)
  const leftOut = isEverything
    ? []
    : Object.keys(SUITES).filter((name) => !touches(changed, SUITES[name]?.triggerPaths ?? []))
  const touched = Object.keys(DRILLS).filter((name) =>
    touches(changed ?? [], DRILLS[name]?.triggerPaths ?? []),
  )
  const short = Object.keys(DRILLS).filter((name) => !DRILLS[name]?.isLong)
  const start = (rotation * (changed ? 1 : TURN_STEP)) % short.length
  const byTurn = [...short.slice(start), ...short.slice(0, start)]
  const drills = changed
    ? withinBudget(new Set([...touched, ...byTurn.slice(0, 1)]), TOUCHED_SECONDS)
    : { ...withinBudget(byTurn, ROTATION_SECONDS), skipped: [] }
  return { leftOut, drills: drills.chosen, skipped: drills.skipped }
}

const touches = (changed: string[], prefixes: string[]) =>
  prefixes.some((prefix) => changed.some((path) => path.startsWith(prefix)))

function withinBudget(names: Iterable<string>, budget: number) {
  const chosen: string[] = []
  const skipped: string[] = []
  let spent = 0
  for (const name of names) {
    const seconds = DRILLS[name]?.seconds ?? 0
    const isFitting = spent + seconds <= budget
    ;(isFitting ? chosen : skipped).push(name)
    if (isFitting) spent += seconds
  }
  return { chosen, skipped }
}

const filesLeftOut = ({ leftOut }: Pick<Plan, 'leftOut'>, runner: 'vitest' | 'playwright') =>
  leftOut
    .filter((name) => SUITES[name]?.runner === runner)
    .flatMap((name) => SUITES[name]?.files ?? [])

/** Read by vitest.config.ts and e2e/playwright.config.ts. */
export const ignoringEnv = (plan: Pick<Plan, 'leftOut'>) => ({
  UNIT_IGNORE: filesLeftOut(plan, 'vitest')
    .map((file) => `**/${file.split('/').at(-1)}`)
    .join(),
  E2E_IGNORE: filesLeftOut(plan, 'playwright')
    .map((file) => file.replace('e2e/', ''))
    .join(),
  E2E_IDENTITY: plan.leftOut.includes('identity') ? 'off' : 'on',
})
