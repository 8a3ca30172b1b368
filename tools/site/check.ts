import { fileURLToPath } from 'node:url'
import { SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { checkImports } from './entry-points.ts'

/** Imports first: a forbidden one may prevent loading the rest. */
const folder = fileURLToPath(SITE_FOLDER)
const strays = checkImports(folder)
const { mistakes, warnings } =
  strays.length > 0
    ? { mistakes: strays, warnings: [] }
    : await (
        await import('./check-site.ts')
      ).findSiteProblems(folder, {
        isProduction: process.argv.includes('--production'),
        isWritten: process.argv.includes('--write'),
      })

for (const warning of warnings) console.warn(`Warning: ${warning}`)
for (const mistake of mistakes) console.error(mistake)
if (mistakes.length > 0) process.exit(1)
console.log(`${folder}: no errors, ${warnings.length} warnings.`)
