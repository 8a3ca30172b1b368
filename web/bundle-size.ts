import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

const SOURCES = join(import.meta.dirname, 'src')
const ENTRY = '\0weighed'

/** Bytes of a folder's scripts, minified and compressed, without imports. */
export async function folderSizes(folder: string) {
  const home = join(SOURCES, folder)
  const scripts = readdirSync(home).filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  const isInside = (id: string) => id === ENTRY || id.startsWith(home) || id.startsWith('.')
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'weigh',
        enforce: 'pre',
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) =>
          id === ENTRY
            ? scripts.map((name) => `export * from ${JSON.stringify(join(home, name))}`).join('\n')
            : null,
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: {
        input: ENTRY,
        preserveEntrySignatures: 'strict',
        external: (id) => !isInside(id),
      },
    },
  })
  const chunks = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  return chunks.reduce(
    (sum, one) => sum + (one.type === 'chunk' ? brotliCompressSync(one.code).length : 0),
    0,
  )
}
