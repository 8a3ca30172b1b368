import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { models } from '@gatehouse/model/models'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { buildSchema } from '../../api/src/own-tables.ts'
import { checkDefinitions } from '../../api/src/app.ts'
import { DEFINED, PRODUCT_TABLES } from '../../api/src/product.ts'

/** Writes the next migration from the difference between the models and `snapshot.json`, for review. */
const folder = new URL('../../api/migrations/', import.meta.url)
const snapshotFile = new URL('snapshot.json', folder)
const name = process.argv[2]

if (!name || !/^[a-z0-9-]+$/.test(name)) {
  console.error('Usage: npm run db:migration NAME, for example: npm run db:migration add-invoices')
  process.exit(1)
}

const mistakes = checkDefinitions(models, DEFINED)
if (mistakes.length > 0) {
  console.error(`Invalid models, nothing is written:\n${mistakes.join('\n')}`)
  process.exit(1)
}

const before = existsSync(snapshotFile)
  ? JSON.parse(readFileSync(snapshotFile, 'utf8'))
  : generateDrizzleJson({})
const after = generateDrizzleJson(buildSchema(models, PRODUCT_TABLES))
const statements = await generateMigration(before, after)

if (statements.length === 0) {
  console.log('The models have not changed.')
  process.exit(0)
}

const isIndex = (statement: string) => /^CREATE (UNIQUE )?INDEX/.test(statement)
const trimmed = statements.map((statement) => statement.trim())
const isOnNewTable = (statement: string) =>
  trimmed.some((one) => one.startsWith(`CREATE TABLE ${/ ON ("\w+")/.exec(statement)?.[1]} (`))
// An index on a table that is in use is built beside the work, which no transaction can do.
const later = trimmed.filter((statement) => isIndex(statement) && !isOnNewTable(statement))
const now = trimmed.filter((statement) => !later.includes(statement))
let number = Math.max(0, ...readdirSync(folder).map((file) => Number.parseInt(file, 10) || 0))

if (now.length > 0) write(name, now.join('\n\n'))
if (later.length > 0)
  write(
    now.length > 0 ? `${name}-indexes` : name,
    `-- no transaction\n-- squawk-ignore-file ban-concurrent-index-creation-in-transaction\n${later.map((statement) => statement.replace(' INDEX ', ' INDEX CONCURRENTLY IF NOT EXISTS ')).join('\n\n')}`,
  )
writeFileSync(snapshotFile, `${JSON.stringify(after, null, 1)}\n`)

function write(title: string, text: string) {
  number++
  const file = `${String(number).padStart(4, '0')}-${title}.sql`
  writeFileSync(new URL(file, folder), `${text}\n`)
  console.log(`Wrote api/migrations/${file}. Read it before you commit it.`)
  if (/ADD COLUMN .* NOT NULL(?!.* DEFAULT)|SET NOT NULL/.test(text))
    console.log(
      'It fails on a table that has rows without a value: add the column as it is without NOT NULL, fill it with an UPDATE, then SET NOT NULL.',
    )
}
