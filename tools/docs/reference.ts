import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildPages, findStale } from './pages.ts'
import { buildSources } from './sources.ts'
import { CHECKOUT } from '../stack/settings.ts'

/** Writes the generated pages; with `--check`, fails if one isn't as it would be written. */
const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
const sources = buildSources()

if (values.check) {
  const stale = await findStale(sources)
  for (const path of stale)
    console.error(`${path} is not up to date. Run npm run docs and commit it.`)
  process.exit(stale.length === 0 ? 0 : 1)
}

for (const [path, text] of await buildPages(sources)) {
  mkdirSync(dirname(join(CHECKOUT, path)), { recursive: true })
  writeFileSync(join(CHECKOUT, path), text)
  console.log(`Wrote ${path}.`)
}
