import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadRenderer, readBuild } from '../../api/src/pages/renderer.ts'
import { readSiteInput } from '../../api/src/pages/site-input.ts'
import { writeCompressed } from '../../api/src/pages/write-file.ts'
import { SetupError } from '../../api/src/platform/errors.ts'
import { SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'
import { readVersions } from '../../api/src/privacy/notice/versions.ts'
import { CHECKOUT } from '../stack/settings.ts'
import { isWebBuilt, WEB_ROOT } from '../stack/web.ts'

/**
 * Writes the web into a folder, for a host in front of another API (docs/own-api.md): scripts, styles, and the pages that show no
 * records. Files of an earlier export stay, because open pages may still load them. `--as-built` uses the build as it is: another
 * one would take the scripts away from a running stack.
 */
const BUNDLE = join(CHECKOUT, 'web/dist-server/server.js')
const SHELL = 'spa.html'

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  process.exitCode = 1
}

async function run(args: string[]) {
  const given = args.find((arg) => !arg.startsWith('--'))
  if (!given) throw new SetupError('Name the folder: npm run site:export -- FOLDER')
  const folder = resolve(given)
  if (!isOurs(folder)) throw new SetupError(`${folder} has other files; name an empty folder`)
  if (!args.includes('--as-built') && !isWebBuilt())
    execFileSync('npm', ['run', 'build', '-w', 'web'], { cwd: CHECKOUT, stdio: 'inherit' })
  const build = readBuild(BUNDLE)
  if (!build) throw new SetupError(`${BUNDLE} is not built`)
  const siteFile = fileURLToPath(new URL('site.json', SITE_FOLDER))
  // Of another API's models, only that API knows the definitions.
  const sources = { siteFile, versions: readVersions(), models: [] }
  const input = readSiteInput(readConfig(siteFile), sources)
  const { renderFixed } = await loadRenderer(build, { ...input, isPrinted: false })
  const pages = await renderFixed(new Date())
  mkdirSync(folder, { recursive: true })
  cpSync(WEB_ROOT, folder, { recursive: true })
  await Promise.all(pages.map(({ path, text }) => writeCompressed(folder, path, text)))
  console.log(`${pages.length} pages and files of ${siteFile}, with scripts and styles: ${folder}`)
}

function isOurs(folder: string) {
  return !existsSync(folder) || readdirSync(folder).length === 0 || existsSync(join(folder, SHELL))
}
