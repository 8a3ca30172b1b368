import type { Model } from '@gatehouse/model'
import type { PgTable } from 'drizzle-orm/pg-core'
import { inject } from 'vitest'
import type { Product } from '../src/app.ts'
import type { ProductOptions } from '../src/product.ts'
import type { Database } from './kit.ts'

declare module 'vitest' {
  interface ProvidedContext {
    world?: 'product' | 'toys'
  }
}

/** A set of models that the suites of the engine run on, and what stands for what in it. */
export type TestModelSet = {
  name: 'product' | 'toys'
  models: Model[]
  /** The models that the migrations know. */
  migrated: Model[]
  /** Own tables beside those of the engine. */
  tables: Record<string, PgTable>
  buildProduct: (options: Omit<ProductOptions, 'versions'>) => Product
  /** Makes the tables in an empty database; `ddl` is what the models need beyond the migrations. */
  prepare: ((database: Database, ddl: string) => Promise<void>) | null
  /** Has a field of every type, an owner `owner`, a `parent` that takes its children along and a `secret` for admins. */
  sink: Model
  /** Anyone who belongs to a record of `group` sees what is in it, by the field `inGroup` of the sink. */
  group: Model
  inGroup: string
  /** What a row of `group` needs beside its name. */
  groupValues: Record<string, string>
  join: (database: Database, sub: string, id: string) => Promise<unknown>
  leave: (database: Database, sub: string) => Promise<unknown>
  /** A number of `group` that nothing else fills. */
  counted: string
  /** A relation to `group` that keeps it from being deleted. */
  needing: { model: Model; field: string }
  /** A relation that is emptied when its target is purged. */
  linking: { model: Model; field: string; to: Model }
  unique: { model: Model; field: string }
  /** A record someone makes and an admin changes, with something in it that is hidden from them. */
  story: {
    path: string
    body: object
    change: object
    shown: { field: string; before: unknown; after: unknown }
    hidden: string
  }
}

/** Loaded by name: the toys must not need a single file of the product. */
export const fixture: TestModelSet = (
  inject('world') === 'toys'
    ? await import('./toy-models.ts')
    : await import('./product-fixture.ts')
).fixture
