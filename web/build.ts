import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, minifySync, type Manifest, type ManifestChunk } from 'vite'
import { bandOf } from '@gatehouse/model/brand'
import { writeFingerprint } from '../api/src/build-fingerprint.ts'
import { buildIconFiles } from './icon-files.ts'
import { renderAssets } from './render-assets.ts'
import { readModelIcons, readSiteInput } from './site-input.ts'

/** Builds the site: client and server bundles, every public page as HTML, the notice as PDF, preview images, all compressed. */
const SOURCE = import.meta.dirname
const CLIENT = resolve(SOURCE, process.env['WEB_DIST'] ?? 'dist')
const SERVER = resolve(SOURCE, process.env['WEB_SERVER_DIST'] ?? 'dist-server')
const FONT = /schibsted-grotesk-basic\.woff2$/
/** Chunk names of the entry and the app, as they appear in the manifest's imports. */
const BOOT = 'boot'
const APP = 'site'
/** Source files of pages, as named in render-site.tsx. */
const PAGE = /^src\/(public|auth\/pages)\//
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
write('theme.js', minifySync('theme.js', readFileSync(join(CLIENT, 'theme.js'), 'utf8')).code)
const assets = readAssets()
writeFileSync(join(SERVER, 'assets.json'), JSON.stringify(assets))
writeFingerprint(SERVER, 'pages')
const input = readSiteInput()
// The API renders with the same input.
writeFileSync(join(SERVER, 'site.json'), JSON.stringify(input))
const { render } = await import(pathToFileURL(join(SERVER, 'server.js')).href)
const renderer = await render({ ...input, assets })
for (const { path, text } of await renderer.renderFiles(new Date())) write(path, text)
if (process.env['PDF'] !== 'off')
  await renderAssets(CLIENT, {
    lastUpdated: input.notice.lastUpdated,
    band: bandOf(input.config.brand.colours),
    preview: await renderer.renderPreview(),
  })
compress()

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
    template: paintFirst(readFileSync(join(CLIENT, 'index.html'), 'utf8')),
    font: `/${font.file}`,
    icons: buildIconFiles(readModelIcons()).addresses,
    app: { scripts: scriptsOf(app), styles: stylesOf(app) },
    scripts: ofPages(scriptsOf),
    styles: ofPages(stylesOf),
  }
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

function write(path: string, text: string) {
  const file = join(CLIENT, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Compresses at the highest level: once at build time, not per request. */
function compress() {
  for (const name of readdirSync(CLIENT, { recursive: true, encoding: 'utf8' })) {
    if (!COMPRESSIBLE.test(name)) continue
    const file = join(CLIENT, name)
    const bytes = readFileSync(file)
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
