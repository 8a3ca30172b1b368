import { isDeepStrictEqual } from 'node:util'
import type { Model } from '@gatehouse/model'
import { models as productModels } from '@gatehouse/model/models'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { models } from '../../api/src/installation.ts'
import { buildSchema } from '../../api/src/schema.ts'
import { ROOT, SITE_FOLDER } from '../../api/src/platform/paths.ts'
import { PRODUCT_TABLES } from '../../api/src/product.ts'
import { withFacts } from './field-facts.ts'
import {
  add,
  readSnapshot,
  subtract,
  tablesOf,
  unite,
  withTables,
  writeSnapshot,
  type Tables,
} from './snapshot.ts'

/** Schema of a folder's migrations compared with that of its models. */
export type MigrationSource = {
  folder: URL
  /** Before the names of its files in the ledger. */
  prefix: string
  models: Model[]
  differing: string[]
  before: Tables
  after: Tables
  /** SQL of the difference as drizzle-kit writes it: additions and changes, then removals. */
  statements: () => Promise<string[]>
  keep: () => void
}

/** Diffs the product against its own snapshot, then the site against the rest. */
export function readMigrationSources(): [product: MigrationSource, site: MigrationSource] {
  const product = generateDrizzleJson(buildSchema(productModels, PRODUCT_TABLES))
  const all = generateDrizzleJson(buildSchema(models, PRODUCT_TABLES))
  return [
    readMigrationSource({
      folder: new URL('api/migrations/', ROOT),
      prefix: '',
      models: productModels,
      schema: product,
      base: {},
    }),
    readMigrationSource({
      folder: new URL('migrations/', SITE_FOLDER),
      prefix: 'site/',
      models,
      schema: all,
      base: withFacts(tablesOf(product), productModels),
    }),
  ]
}

type Source = Pick<MigrationSource, 'folder' | 'prefix' | 'models'> & {
  schema: ReturnType<typeof generateDrizzleJson>
  base: Tables
}

function readMigrationSource({ schema, base, ...source }: Source): MigrationSource {
  const known = readSnapshot(source.folder)
  const [before, after] = [add(base, known), withFacts(tablesOf(schema), source.models)]
  const own = subtract(after, base)
  return {
    ...source,
    before,
    after,
    differing: Object.keys({ ...known, ...own })
      .filter((name) => !isSame(known[name], asJson(own[name])))
      .map((name) => name.replace('public.', '')),
    statements: () => statementsBetween(schema, before, after),
    keep: () => {
      if (Object.keys({ ...known, ...own }).length > 0) writeSnapshot(source.folder, own)
    },
  }
}

/** Additions and changes, then removals: with both at once drizzle-kit would ask about renames. */
export async function statementsBetween(
  schema: ReturnType<typeof generateDrizzleJson>,
  before: Tables,
  after: Tables,
) {
  const diff = (from: Tables, to: Tables) =>
    generateMigration(withTables(schema, from), withTables(schema, to))
  const both = unite(before, after)
  const statements = [...(await diff(before, both)), ...(await diff(both, after))]
  return statements.map((statement) => statement.trim())
}

/** Snapshots of older releases have no facts. */
function isSame(known: Tables[string] | undefined, own: Tables[string] | undefined) {
  if (!known || !own || 'facts' in known) return isDeepStrictEqual(known, own)
  const { facts: _, ...table } = own
  return isDeepStrictEqual(known, table)
}

/** A JSON round trip drops undefined values, which the stored snapshot lacks. */
const asJson = (table: unknown) => table && JSON.parse(JSON.stringify(table))
