import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { FILE, generate, majorOf, toText, undeclaredBreaches } from './document.ts'

/** Writes api/openapi.json. What would break somebody's program has to be declared, with its reason. */
const { values } = parseArgs({ options: { breaking: { type: 'string' } } })
const VERSION_FILE = 'api/src/platform/version.ts'
const CHANGES_FILE = 'docs/api-changes.md'

const document = generate()
const breaches = undeclaredBreaches(document)

if (breaches.length === 0 && values.breaking !== undefined) {
  console.error('Nothing breaks: run it without --breaking.')
  process.exit(1)
}
if (breaches.length > 0 && !values.breaking?.trim()) {
  console.error(`BREAKING, not written:\n${breaches.map((breach) => `  ${breach}`).join('\n')}`)
  console.error('If it must be: npm run openapi -- --breaking "the reason, for those it hits"')
  process.exit(1)
}
if (breaches.length > 0) declare(values.breaking?.trim() ?? '')
writeFileSync(FILE, toText(document))
console.log(`Wrote ${FILE}, version ${document.info.version}.`)

/** A new major version, in the one place it is kept, and a paragraph for the people who must change their programs. */
function declare(reason: string) {
  const version = `${majorOf(document) + 1}.0.0`
  const source = readFileSync(VERSION_FILE, 'utf8')
  writeFileSync(VERSION_FILE, source.replace(`'${document.info.version}'`, `'${version}'`))
  const list = breaches.map((breach) => `- ${breach}`).join('\n')
  appendFileSync(CHANGES_FILE, `\n## ${version}\n\n${reason}\n\n${list}\n`)
  document.info.version = version
}
