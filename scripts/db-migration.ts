import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { models } from '@gatehouse/model/models'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { buildSchema } from '../api/src/table.ts'

/** Writes the next migration from the difference between the models and `snapshot.json`, for review. */
const folder = new URL('../api/migrations/', import.meta.url)
const snapshotFile = new URL('snapshot.json', folder)
const name = process.argv[2]

if (!name || !/^[a-z0-9-]+$/.test(name)) {
  console.error('Usage: npm run db:migration NAME, for example: npm run db:migration add-invoices')
  process.exit(1)
}

const before = existsSync(snapshotFile)
  ? JSON.parse(readFileSync(snapshotFile, 'utf8'))
  : generateDrizzleJson({})
const after = generateDrizzleJson(buildSchema(models))
const statements = await generateMigration(before, after)

if (statements.length === 0) {
  console.log('The models have not changed.')
  process.exit(0)
}

const numbers = readdirSync(folder).map((file) => Number.parseInt(file, 10) || 0)
const file = `${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}-${name}.sql`
writeFileSync(
  new URL(file, folder),
  `${statements.map((statement) => statement.trim()).join('\n\n')}\n`,
)
writeFileSync(snapshotFile, `${JSON.stringify(after, null, 1)}\n`)
console.log(`Wrote api/migrations/${file}. Read it before you commit it.`)
