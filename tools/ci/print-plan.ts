import { changedPaths, rotationNumber } from './changed-paths.ts'
import { DRILLS } from './drills.ts'
import { excludedFiles, ignoredFiles, planRun } from './plan.ts'

/** `npm run ci:plan`: what this change runs, as outputs of a workflow's step. */
const plan = planRun({ changed: changedPaths(), rotation: rotationNumber() })
const outputs = {
  drills: JSON.stringify(
    plan.drills.map((name) => [name, ...(DRILLS[name]?.args ?? [])].join(' ')),
  ),
  unit: excludedFiles(plan).join(' '),
  ignore: ignoredFiles(plan).join(),
  identity: plan.leftOut.includes('identity') ? 'no' : 'yes',
  bench: plan.leftOut.includes('bench') ? 'no' : 'yes',
  spec: plan.leftOut.length > 0 ? '--chosen' : '',
}
for (const [name, value] of Object.entries(outputs)) console.log(`${name}=${value}`)
