import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkInstallation } from '../../api/src/installation.ts'
import { readMigrationSources } from './migration-sources.ts'

/** Writes the next migrations from the diff of models and snapshot, for review: the product's, then the site's. */
const name = process.argv[2]

if (!name || !/^[a-z0-9-]+$/.test(name)) {
  console.error('Usage: npm run db:migration NAME, for example: npm run db:migration add-invoices')
  process.exit(1)
}

const errors = checkInstallation()
if (errors.length > 0) {
  console.error(`Invalid models; no migration written:\n${errors.join('\n')}`)
  process.exit(1)
}

let isChanged = false
for (const source of readMigrationSources()) {
  const statements = await source.statements().catch(explainRename)
  if (statements.length > 0) writeFiles(source.folder, statements)
  // Another release of drizzle-kit may describe the same tables differently.
  if (source.differing.length > 0) source.keep()
  isChanged ||= statements.length > 0
}
if (!isChanged) console.log('The models have not changed.')

/** drizzle-kit's error says only that it can't prompt. */
function explainRename(error: unknown): never {
  if (!(error instanceof Error) || !error.message.startsWith('Interactive prompts')) throw error
  console.error(
    'A column or table was removed and another added. Run this in a terminal: it asks whether that is a rename.',
  )
  process.exit(1)
}

function writeFiles(folder: URL, statements: string[]) {
  const isOnNewTable = (statement: string) =>
    statements.some((one) => one.startsWith(`CREATE TABLE ${/ ON ("\w+")/.exec(statement)?.[1]} (`))
  // An index on a table in use is built concurrently, which can't run in a transaction.
  const later = statements.filter((statement) => isIndex(statement) && !isOnNewTable(statement))
  const now = statements.filter((statement) => !later.includes(statement))
  if (now.length > 0) write(folder, `${name}`, now.join('\n\n'))
  if (later.length > 0)
    write(
      folder,
      now.length > 0 ? `${name}-indexes` : `${name}`,
      `-- no transaction\n-- squawk-ignore-file ban-concurrent-index-creation-in-transaction\n${later.map((statement) => statement.replace(' INDEX ', ' INDEX CONCURRENTLY IF NOT EXISTS ')).join('\n\n')}`,
    )
}

function write(folder: URL, title: string, text: string) {
  mkdirSync(folder, { recursive: true })
  const number = Math.max(0, ...readdirSync(folder).map((file) => Number.parseInt(file, 10) || 0))
  const file = new URL(`${String(number + 1).padStart(4, '0')}-${title}.sql`, folder)
  writeFileSync(file, `${text}\n`)
  console.log(
    `Wrote ${relative(process.cwd(), fileURLToPath(file))}. Review it before you commit it.`,
  )
  if (/DROP (TABLE|COLUMN)/.test(text))
    console.warn(
      'It permanently DELETES records or values. If unintended: name every model in index.ts, delete this file, and restore the snapshot with git.',
    )
  if (/RENAME COLUMN/.test(text))
    console.log(
      'A renamed field starts a new history: older versions keep the value under the old name and do not show it.',
    )
  if (/ADD COLUMN .* NOT NULL(?!.* DEFAULT)|SET NOT NULL/.test(text))
    console.log(
      'It fails on a table with rows. Add the column without NOT NULL, fill it with an UPDATE, then SET NOT NULL.',
    )
}

function isIndex(statement: string) {
  return /^CREATE (UNIQUE )?INDEX/.test(statement)
}
