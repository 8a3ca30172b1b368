import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import {
  documentsInUse,
  majorOf,
  serialiseDocument,
  undeclaredBreakingChanges,
  type Document,
} from './document.ts'

/**
 * Writes api/openapi.json and the site's. Breaking changes must be declared, with a reason; a site's only once it is released,
 * which `--released` says.
 */
const { values } = parseArgs({
  options: { breaking: { type: 'string' }, released: { type: 'boolean', default: false } },
})
const VERSION_FILE = 'api/src/platform/version.ts'

const documents = documentsInUse().map((one) => ({
  ...one,
  breaches: undeclaredBreakingChanges(one),
}))
const breaches = documents.flatMap((one) => one.breaches)

if (breaches.length === 0 && values.breaking !== undefined) {
  console.error('No breaking change found; run again without --breaking.')
  process.exit(1)
}
if (breaches.length > 0 && !values.breaking?.trim()) {
  console.error(
    `Undeclared breaking changes; nothing written:\n${breaches.map((breach) => `  ${breach}`).join('\n')}`,
  )
  console.error('To declare them: npm run openapi -- --breaking "the reason, for API clients"')
  process.exit(1)
}
for (const one of documents) {
  if (one.breaches.length > 0) declare(one, one.breaches, values.breaking?.trim() ?? '')
  if (values.released) delete one.document['x-released']
  writeFileSync(one.file, serialiseDocument(one.document))
  console.log(
    `Wrote ${relative(process.cwd(), one.file)}, version ${one.document.info.version}${one.document['x-released'] === false ? ', not released: changes need no --breaking' : ''}.`,
  )
}

function declare({ document, changesFile, isSite }: Document, breaches: string[], reason: string) {
  const list = breaches.map((breach) => `- ${breach}`).join('\n')
  if (isSite) {
    const today = new Date().toISOString().slice(0, 10)
    if (!existsSync(changesFile)) writeFileSync(changesFile, '# Breaking changes of our API\n')
    appendFileSync(changesFile, `\n## ${today}\n\n${reason}\n\n${list}\n`)
    return
  }
  const version = `${majorOf(document) + 1}.0.0`
  const source = readFileSync(VERSION_FILE, 'utf8')
  writeFileSync(VERSION_FILE, source.replace(`'${document.info.version}'`, `'${version}'`))
  appendFileSync(changesFile, `\n## ${version}\n\n${reason}\n\n${list}\n`)
  document.info.version = version
}
