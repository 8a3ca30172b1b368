import { models as productModels } from '@gatehouse/model/models'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { models } from '../../api/src/installation.ts'
import { buildSchema } from '../../api/src/own-tables.ts'
import { ROOT, SITE_FOLDER } from '../../api/src/platform/root.ts'
import { PRODUCT_TABLES } from '../../api/src/product.ts'
import { add, readSnapshot, subtract, tablesOf, withTables, writeSnapshot } from './snapshot.ts'

/** The statements that lead from what a folder's migrations have made to what its models ask for. */
type Half = { folder: URL; statements: string[]; keep: () => void }

/** The product against its own snapshot, then the site against what is left once the product is taken away. */
export async function readHalves(): Promise<Half[]> {
  const product = generateDrizzleJson(buildSchema(productModels, PRODUCT_TABLES))
  const all = generateDrizzleJson(buildSchema(models, PRODUCT_TABLES))
  return [
    await readHalf(new URL('api/migrations/', ROOT), product),
    await readHalf(new URL('migrations/', SITE_FOLDER), all, tablesOf(product)),
  ]
}

async function readHalf(
  folder: URL,
  after: ReturnType<typeof generateDrizzleJson>,
  base = {},
): Promise<Half> {
  const before = withTables(after, add(base, readSnapshot(folder)))
  const statements = await generateMigration(before, after)
  return {
    folder,
    statements: statements.map((statement) => statement.trim()),
    keep: () => writeSnapshot(folder, subtract(tablesOf(after), base)),
  }
}
