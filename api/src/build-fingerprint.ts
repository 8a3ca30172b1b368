import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupError } from '#platform/errors.ts'
import { ROOT, SITE_FOLDER } from '#platform/paths.ts'

const FILE = 'built-from.json'
/** Built in, so that a change needs a new build; everything else is read at start. */
const CODE = /(?<!\.test)\.ts$/

/** Of the api (`code`) or web (`pages`) workspace. */
type Part = 'code' | 'pages'
type BuiltFrom = { part: Part; site: string; fingerprint: string }

/** Stored beside the build. Independent of the path, so a release can be moved. */
export function writeFingerprint(folder: string, part: Part, site = SITE_FOLDER) {
  const facts: BuiltFrom = { part, site: nameOf(site), fingerprint: fingerprintOf(site) }
  writeFileSync(join(folder, FILE), `${JSON.stringify(facts)}\n`)
}

/** The reason why this build doesn't match the current site; null if it does, or if nothing was built. */
export function fingerprintMismatch(folder: string, site = SITE_FOLDER) {
  const file = join(folder, FILE)
  if (!existsSync(file)) return null
  const built = JSON.parse(readFileSync(file, 'utf8')) as BuiltFrom
  if (built.fingerprint === fingerprintOf(site)) return null
  const [what, workspace] = built.part === 'code' ? ['programs', 'api'] : ['pages', 'web']
  return {
    what: `${nameOf(site)} differs from the site that the ${what} were built from (${built.site})`,
    todo: `set SITE_DIR as it was for the build, or build again: npm run build -w ${workspace} (on a server: ops/install.sh)`,
  }
}

/** Running one site's code with another's tables, notice and settings would corrupt data. */
export function requireMatchingBuild(folder = import.meta.dirname) {
  const other = fingerprintMismatch(folder)
  if (other) throw new SetupError(`${other.what}: ${other.todo}`)
}

const nameOf = (site: URL) =>
  site.href.startsWith(ROOT.href)
    ? relative(fileURLToPath(ROOT), fileURLToPath(site))
    : fileURLToPath(site)

function fingerprintOf(site: URL) {
  const folder = fileURLToPath(site)
  const hash = createHash('sha256')
  for (const name of filesIn(folder)
    .filter((name) => CODE.test(name))
    .toSorted())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update('\0')
  return hash.digest('hex')
}

const filesIn = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        (name) => !/(^|\/)node_modules\//.test(name),
      )
    : []
