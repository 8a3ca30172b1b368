import { isDeepStrictEqual } from 'node:util'
import { models as productModels } from '@gatehouse/model/models'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { models } from '../../api/src/installation.ts'
import { buildSchema } from '../../api/src/schema.ts'
import { ROOT, SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { PRODUCT_TABLES } from '../../api/src/product.ts'
import { add, readSnapshot, subtract, tablesOf, withTables, writeSnapshot } from './snapshot.ts'

/** Schema of a folder's migrations compared with that of its models. */
type MigrationSource = {
  folder: URL
  differing: string[]
  /** SQL of the difference; prompts in the terminal if a column may have been renamed. */
  statements: () => Promise<string[]>
  keep: () => void
}

/** Diffs the product against its own snapshot, then the site against the rest. */
export function readMigrationSources(): [product: MigrationSource, site: MigrationSource] {
  const product = generateDrizzleJson(buildSchema(productModels, PRODUCT_TABLES))
  const all = generateDrizzleJson(buildSchema(models, PRODUCT_TABLES))
  return [
    readMigrationSource(new URL('api/migrations/', ROOT), product),
    readMigrationSource(new URL('migrations/', SITE_FOLDER), all, tablesOf(product)),
  ]
}

function readMigrationSource(
  folder: URL,
  after: ReturnType<typeof generateDrizzleJson>,
  base = {},
): MigrationSource {
  const known = readSnapshot(folder)
  const own = subtract(tablesOf(after), base)
  return {
    folder,
    differing: Object.keys({ ...known, ...own })
      .filter((name) => !isDeepStrictEqual(known[name], asJson(own[name])))
      .map((name) => name.replace('public.', '')),
    statements: async () => {
      const statements = await generateMigration(withTables(after, add(base, known)), after)
      return statements.map((statement) => statement.trim())
    },
    keep: () => writeSnapshot(folder, own),
  }
}

/** A JSON round trip drops undefined values, which the stored snapshot lacks. */
const asJson = (table: unknown) => table && JSON.parse(JSON.stringify(table))
