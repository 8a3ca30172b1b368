import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, minifySync, type Manifest, type ManifestChunk } from 'vite'
import { writeFingerprint } from '../api/src/build-fingerprint.ts'
import { buildTheme } from './keycloak/build-theme.ts'
import { buildIconFiles } from './icon-files.ts'
import { catalogueOf } from './messages.ts'
import { readModelIcons, readSiteInput } from './site-input.ts'

/** Builds client and server bundle, compressed; the same for every site. Pages are written by the API (api/src/pages). */
const SOURCE = import.meta.dirname
const CLIENT = resolve(SOURCE, process.env['WEB_DIST'] ?? 'dist')
const SERVER = resolve(SOURCE, process.env['WEB_SERVER_DIST'] ?? 'dist-server')
const FONT = /schibsted-grotesk-basic\.woff2$/
/** Chunk names of the entry and the app, as they appear in the manifest's imports. */
const BOOT = 'boot'
const APP = 'site'
/** Source files of pages, as named in render-site.tsx. */
const PAGE = /^src\/(public|auth\/pages)\/|^src\/reading\/reading-page/
const COMPRESSIBLE = /\.(html|js|css|svg|json|txt|xml)$/

await build({ root: SOURCE, logLevel: 'warn' })
await build({
  root: SOURCE,
  logLevel: 'warn',
  // Dependencies are bundled: the API runs it without the browser packages installed.
  ssr: { noExternal: true },
  build: {
    ssr: 'src/server.ts',
    outDir: SERVER,
    target: 'node24',
    manifest: false,
    copyPublicDir: false,
    // One file; what render() imports is still evaluated by its call.
    rolldownOptions: { output: { entryFileNames: 'server.js', codeSplitting: false } },
  },
})

// Render-blocking on every page, and Vite copies it unminified.
const theme = join(CLIENT, 'theme.js')
writeFileSync(theme, minifySync('theme.js', readFileSync(theme, 'utf8')).code)
writeFileSync(join(SERVER, 'assets.json'), JSON.stringify(readAssets()))
buildTheme(join(SERVER, 'keycloak-theme'))
writeFingerprint(SERVER, 'pages')
// Last: pages link to files of the build that it names.
writeFileSync(join(SERVER, 'build-id'), hashOfBuild())
compress()

/** Of all its files: pages of one build never link to another's. */
function hashOfBuild() {
  const hash = createHash('sha256')
  for (const folder of [CLIENT, SERVER])
    for (const file of filesIn(folder)) hash.update(file).update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 12)
}

function filesIn(folder: string) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .toSorted()
}

/** Reads Vite's manifest and deletes it: it is not published. */
function readAssets() {
  const directory = join(CLIENT, '.vite')
  const manifest: Manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'))
  rmSync(directory, { recursive: true })
  const font = Object.values(manifest).find((one) => FONT.test(one.src ?? ''))
  if (!font) throw new Error('The site’s font is missing from the build output')
  const keyOf = (name: string) =>
    Object.keys(manifest).find(
      (key) => manifest[key]?.name === name && manifest[key].file.endsWith('.js'),
    ) ?? ''
  const boot = chunksOf(manifest, keyOf(BOOT))
  const app = [...chunksOf(manifest, keyOf(APP))].filter((chunk) => !boot.has(chunk))
  const pages = Object.keys(manifest).filter((source) => PAGE.test(source))
  const shared = new Set([...boot, ...app])
  const ofPages = (filesOf: (chunks: ManifestChunk[]) => string[]) =>
    Object.fromEntries(
      pages.map((page) => [
        page,
        filesOf([...chunksOf(manifest, page)].filter((chunk) => !shared.has(chunk))),
      ]),
    )
  return {
    template: takeTemplate(),
    catalogue: catalogueOf(readSiteInput().config.site.locale),
    font: `/${font.file}`,
    icons: buildIconFiles(readModelIcons()).addresses,
    app: { scripts: scriptsOf(app), styles: stylesOf(app) },
    scripts: ofPages(scriptsOf),
    styles: ofPages(stylesOf),
  }
}

/** Documents are rendered from it: the build has no page of its own. */
function takeTemplate() {
  const file = join(CLIENT, 'index.html')
  const template = readFileSync(file, 'utf8')
  rmSync(file)
  return paintFirst(template)
}

/** Gives scripts low priority: on a slow connection, styles and font load first. */
function paintFirst(template: string) {
  const styles = /\s*<link rel="stylesheet"[^>]*>/.exec(template)?.[0] ?? ''
  return template
    .replace(styles, '')
    .replace('<script src="/theme.js"></script>', (theme) => theme + styles)
    .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
}

/** The chunk and its static imports, recursively. `seen` ends import cycles. */
function chunksOf(manifest: Manifest, source: string, seen = new Set<ManifestChunk>()) {
  const chunk = manifest[source]
  if (!chunk || seen.has(chunk)) return seen
  seen.add(chunk)
  for (const one of chunk.imports ?? []) chunksOf(manifest, one, seen)
  return seen
}

function scriptsOf(chunks: ManifestChunk[]) {
  return chunks.map(({ file }) => `/${file}`)
}

function stylesOf(chunks: ManifestChunk[]) {
  return [...new Set(chunks.flatMap(({ css = [] }) => css.map((file) => `/${file}`)))]
}

/** Compresses at the highest level: once at build time, not per request. */
function compress() {
  for (const name of filesIn(CLIENT).filter((name) => COMPRESSIBLE.test(name))) {
    const file = join(CLIENT, name)
    const bytes = readFileSync(file)
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
