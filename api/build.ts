import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { rolldown, type OutputChunk } from 'rolldown'
import { writeFingerprint } from './src/build-fingerprint.ts'
import { SITE_FOLDER } from './src/platform/paths.ts'
import { copyUnbundledPackages, missingTexts, UNBUNDLED } from './unbundled-packages.ts'

/**
 * Bundles each server program into one file: stripping types and opening hundreds of files took most of the API's memory and
 * start-up time.
 */
const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(import.meta.dirname, 'dist')
const PROGRAMS = {
  server: 'api/src/server.ts',
  migrate: 'tools/db/migrate.ts',
  doctor: 'ops/doctor/doctor.ts',
  init: 'tools/install/init.ts',
  kit: 'tools/install/kit.ts',
  realm: 'tools/realm/realm.ts',
  'write-pages': 'api/src/pages/write-pages.ts',
  'write-previews': 'api/src/platform/files/write-previews.ts',
  print: 'tools/site/print.ts',
  theme: 'tools/site/theme.ts',
  notice: 'tools/notice/write.ts',
}
/** Besides, pg's optional native binding, and the stack's settings, which the doctor reads only in a checkout. */
const NOT_BUNDLED = [UNBUNDLED, 'pg-native', /\/stack\/(keycloak|stack-services|settings)\.ts$/]
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/

/** The site is bundled in: with a second copy of our classes, `instanceof` would fail. */
const ownSite = {
  name: 'site',
  load(id: string) {
    if (id !== join(ROOT, 'api/src/site.ts')) return null
    return [
      exportOf('index.ts', { theirs: 'site', ours: 'site' }),
      exportOf('messages/mail-texts.ts', { theirs: 'default', ours: 'ownMailTexts' }),
    ].join('\n')
  },
}

function exportOf(name: string, { theirs, ours }: { theirs: string; ours: string }) {
  const file = fileURLToPath(new URL(name, SITE_FOLDER))
  return existsSync(file)
    ? `export { ${theirs} as ${ours} } from ${JSON.stringify(file)}`
    : `export const ${ours} = {}`
}

const chunks = await Promise.all(Object.entries(PROGRAMS).map(bundle))
writeFingerprint(FOLDER, 'code')
const bundled = chunks
  .flatMap(({ moduleIds }) => moduleIds)
  .flatMap((id) => PACKAGE.exec(id)?.[0] ?? [])
replace('licences.txt', licencesOf(new Set([...bundled, ...copyUnbundledPackages()])))

async function bundle([name, input]: [string, string]) {
  const build = await rolldown({
    cwd: ROOT,
    input,
    platform: 'node',
    external: NOT_BUNDLED,
    plugins: [ownSite],
  })
  const { output } = await build.generate({
    file: join(FOLDER, `${name}.js`),
    format: 'esm',
    codeSplitting: false,
    // One character beyond Latin-1 would make V8 store the whole source as UTF-16.
    charset: 'ascii',
    comments: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
  })
  await build.close()
  const [chunk] = output
  replace(`${name}.js.map`, slimMap(chunk))
  replace(`${name}.js`, chunk.code)
  return chunk
}

/** For stack traces in the log. One segment per line is enough for packages; the full map takes 90 MB to parse. */
function slimMap({ map }: OutputChunk) {
  if (!map) throw new Error('There is no source map')
  const isPackage = map.sources.map((source) => source.includes('node_modules/'))
  const lines = decode(map.mappings).map((segments) =>
    segments.filter(([, source = -1], place) => place === 0 || !isPackage[source]),
  )
  return JSON.stringify({ ...map, mappings: encode(lines) })
}

/** Licence texts of the packages that are handed on, which require it. */
function licencesOf(folders: Set<string>) {
  return [...folders]
    .toSorted()
    .map((folder) => {
      const { name, version, license } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      )
      const texts = readdirSync(folder)
        .filter((file) => /^(licen[cs]e|notice)/i.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8').trim())
      return [`${name} ${version} (${license})`, ...texts, ...missingTexts(folder, license)].join(
        '\n\n',
      )
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}

/** Atomic rename: a process that starts now reads either the old file or the new one. */
function replace(name: string, text: string) {
  mkdirSync(FOLDER, { recursive: true })
  const fresh = join(FOLDER, `${name}.${process.pid}`)
  writeFileSync(fresh, text)
  renameSync(fresh, join(FOLDER, name))
}
