import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline/promises'
import { checkInstallation } from '../../api/src/installation.ts'
import { SetupError } from '../../api/src/platform/errors.ts'
import { openCounter } from './count-rows.ts'
import { readMigrationSources } from './migration-sources.ts'
import { columnsIn, planMigration } from './plan-migration.ts'
import { buildQuestions, requireKnownNames } from './questions.ts'
import { writeMigration } from './write-migration.ts'

/** Writes the next migrations from the diff of models and snapshot, for review: the product's, then the site's. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    value: { type: 'string', multiple: true, default: [] },
    replace: { type: 'string', multiple: true, default: [] },
    delete: { type: 'string', multiple: true, default: [] },
  },
})
const [title] = positionals

if (!title || positionals.length > 1 || !/^[a-z0-9-]+$/.test(title)) {
  console.error('Usage: npm run db:migration NAME, for example: npm run db:migration add-invoices')
  process.exit(1)
}

const errors = checkInstallation()
if (errors.length > 0) {
  console.error(`Invalid models; no migration written:\n${errors.join('\n')}`)
  process.exit(1)
}

const terminal = process.stdin.isTTY
  ? createInterface({ input: process.stdin, output: process.stdout })
  : null
const { ask, unused } = buildQuestions(
  values,
  terminal && ((prompt) => terminal.question(`${prompt} `).catch(throwStopped)),
)
const counter = await openCounter()
try {
  await writeAll(title)
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  terminal?.close()
  await counter.close()
}

/** Asks everything before it writes anything. */
async function writeAll(title: string) {
  const planned = []
  const sources = readMigrationSources()
  requireKnownNames(values, (table) => sources.flatMap((source) => columnsIn(source, table)))
  for (const source of sources) {
    const statements = await source.statements()
    const files = await planMigration({ source, statements, ask, count: counter.count })
    planned.push({ source, files })
  }
  if (unused().length > 0) throw new SetupError(`Nothing asks for ${unused().join(', ')}`)
  for (const { source, files } of planned) {
    for (const url of writeMigration(source, title, files))
      console.log(
        `Wrote ${relative(process.cwd(), fileURLToPath(url))}. Review it before you commit it.`,
      )
    // Another release of drizzle-kit may describe the same tables differently.
    source.keep()
  }
  if (planned.every(({ files }) => files.length === 0)) console.log('The models have not changed.')
}

function throwStopped(error: unknown): never {
  // Ctrl-C or Ctrl-D.
  const isAborted = error instanceof Error && error.name === 'AbortError'
  throw isAborted ? new SetupError('\nStopped: nothing was written') : error
}
