import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError } from '../../api/src/platform/errors.ts'
import { SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { checkFormat } from './check-format.ts'
import { compileSite } from './compile-site.ts'
import { addPlaces } from './definition-places.ts'
import { checkImports, fromCheckout } from './entry-points.ts'
import { addSettingPlaces, lineOfError } from './settings-places.ts'

type Found = { mistakes: string[]; warnings: string[] }

const NOTHING: Found = { mistakes: [], warnings: [] }
const folder = fileURLToPath(SITE_FOLDER)
const settings = join(folder, 'site.json')
/** For images and servers: they have no tests, and format must not stop an upgrade. */
const isBuild = process.argv.includes('--build')

const { mistakes, warnings } = await check()
for (const warning of warnings) console.warn(`Warning: ${warning}`)
for (const mistake of mistakes) console.error(mistake)
if (mistakes.length > 0) process.exit(1)
console.log(`${folder}: no errors, ${warnings.length} warnings.`)

/** Code with type errors may load nevertheless, but what follows from them is not worth reading. */
async function check(): Promise<Found> {
  const strays = checkImports(folder)
  // Beside each other: both take seconds.
  const [typeErrors, format, found] = await Promise.all([
    compileSite(folder, { isBuild }),
    isBuild ? [] : checkFormat(folder),
    // A forbidden import may prevent loading the rest.
    strays.length > 0 ? NOTHING : load().catch((error: unknown) => ({ error })),
  ])
  const inCode = [...strays, ...typeErrors.filter((sentence) => !isRepeated(sentence, strays))]
  if (inCode.length > 0) return { mistakes: [...inCode, ...format], warnings: [] }
  // Only what the compiler can't explain ends the program.
  if ('error' in found) throw found.error
  return { ...found, mistakes: [...format, ...found.mistakes] }
}

/** The compiler also reports a forbidden import that leads nowhere. */
function isRepeated(sentence: string, strays: string[]) {
  return strays.some((stray) => placeOf(stray) === placeOf(sentence))
}

function placeOf(sentence: string) {
  return /^\S+?:\d+/.exec(sentence)?.[0]
}

async function load(): Promise<Found> {
  try {
    const { findSiteProblems } = await import('./check-site.ts')
    const { definitions, ofSettings, others, warnings } = await findSiteProblems(folder, {
      isProduction: process.argv.includes('--production'),
      isWritten: process.argv.includes('--write'),
    })
    return {
      mistakes: [
        ...addSettingPlaces(settings, ofSettings),
        ...addPlaces(folder, definitions),
        ...others,
      ],
      warnings,
    }
  } catch (error) {
    return { mistakes: toSentences(error), warnings: [] }
  }
}

/** Errors of files that everything else is read with. */
function toSentences(error: unknown) {
  if (!(error instanceof Error)) throw error
  const [title = '', ...details] = error.message.split('\n')
  if (title === `${settings} is invalid:`) return addSettingPlaces(settings, details)
  if (title.startsWith(`${settings} `) && error.cause instanceof Error) {
    const { message } = error.cause
    return [`${fromCheckout(settings)}:${lineOfError(message)}: ${message}`]
  }
  const place = firstLineIn(folder, error)
  if (place) return [`${place}: ${error.message}`]
  if (!(error instanceof SetupError)) throw error
  const index = join(folder, 'index.ts')
  return [`${fromCheckout(index)}:1: ${error.message.replace(`${index} `, '')}`]
}

/** Where the site's own code threw. */
function firstLineIn(own: string, { stack = '' }: Error) {
  for (const [, file = '', line] of stack.matchAll(/(?:file:\/\/)?(\/[^\s():]+):(\d+)(?::\d+)?/g))
    if (!relative(own, resolve(file)).startsWith('..')) return `${fromCheckout(file)}:${line}`
}
