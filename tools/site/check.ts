import { fileURLToPath } from 'node:url'
import { SetupError } from '../../api/src/platform/errors.ts'
import { SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { checkImports } from './entry-points.ts'

/** Imports first: a forbidden one may prevent loading the rest. */
const folder = fileURLToPath(SITE_FOLDER)
const strays = checkImports(folder)
const { mistakes, warnings } = strays.length > 0 ? { mistakes: strays, warnings: [] } : await find()

for (const warning of warnings) console.warn(`Warning: ${warning}`)
for (const mistake of mistakes) console.error(mistake)
if (mistakes.length > 0) process.exit(1)
console.log(`${folder}: no errors, ${warnings.length} warnings.`)

async function find() {
  try {
    const { findSiteProblems } = await import('./check-site.ts')
    return await findSiteProblems(folder, {
      isProduction: process.argv.includes('--production'),
      isWritten: process.argv.includes('--write'),
    })
  } catch (error) {
    // Of the file that everything else is read with.
    if (!(error instanceof SetupError)) throw error
    const cause = error.cause instanceof Error ? [error.cause.message] : []
    return { mistakes: [error.message, ...cause], warnings: [] }
  }
}
