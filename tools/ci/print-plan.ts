import { changedPaths, rotationNumber } from './changed-paths.ts'
import { DRILLS } from './drills.ts'
import { ignoringEnv, planRun } from './plan.ts'

/** `npm run ci:plan`: what this change runs, as outputs of a workflow's step. */
const plan = planRun({ changed: changedPaths(), rotation: rotationNumber() })
const { UNIT_IGNORE, E2E_IGNORE, E2E_IDENTITY } = ignoringEnv(plan)
const outputs = {
  drills: JSON.stringify(
    plan.drills.map((name) => [name, ...(DRILLS[name]?.args ?? [])].join(' ')),
  ),
  'unit-ignore': UNIT_IGNORE,
  'e2e-ignore': E2E_IGNORE,
  identity: E2E_IDENTITY === 'on' ? 'yes' : 'no',
  bench: plan.leftOut.includes('bench') ? 'no' : 'yes',
  spec: plan.leftOut.length > 0 ? '--chosen' : '',
}
for (const [name, value] of Object.entries(outputs)) console.log(`${name}=${value}`)
