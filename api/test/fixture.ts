import type { Model } from '@gatehouse/model'
import type { PgTable } from 'drizzle-orm/pg-core'
import { inject } from 'vitest'
import type { Product } from '../src/app.ts'
import type { ProductOptions } from '../src/product.ts'
import type { Database } from './kit.ts'

declare module 'vitest' {
  interface ProvidedContext {
    world?: 'product' | 'toys'
    postgresPort: number
  }
}

/** A set of models for the engine's test suites, and the role each model plays. */
export type TestModelSet = {
  name: 'product' | 'toys'
  models: Model[]
  /** Models whose tables the migrations create. */
  migrated: Model[]
  /** Tables other than the engine's. */
  tables: Record<string, PgTable>
  buildProduct: (options: Omit<ProductOptions, 'versions'>) => Product
  /** Creates the tables in an empty database; `ddl` is the DDL the migrations lack. */
  prepare: ((database: Database, ddl: string) => Promise<void>) | null
  /** Has a field of every type, an `owner`, a `parent` that deletes by cascade, and a `secret` for admins. */
  sink: Model
  /** Members of a `group` record see the sink records whose `inGroup` refers to it. */
  group: Model
  inGroup: string
  /** Values a `group` record needs besides its name. */
  groupValues: Record<string, string>
  join: (database: Database, sub: string, id: string) => Promise<unknown>
  leave: (database: Database, sub: string) => Promise<unknown>
  /** A number field of `group` that nothing else writes. */
  counted: string
  /** A relation to `group` that prevents its deletion. */
  needing: { model: Model; field: string }
  /** A relation that is set to null when its target is purged. */
  linking: { model: Model; field: string; to: Model }
  unique: { model: Model; field: string }
  /** A record created by a user and changed by an admin, with a field hidden from the user. */
  story: {
    path: string
    body: object
    change: object
    shown: { field: string; before: unknown; after: unknown }
    hidden: string
  }
}

/** Imported dynamically: the toy models must not load any file of the product. */
export const fixture: TestModelSet = (
  inject('world') === 'toys'
    ? await import('./toy-models.ts')
    : await import('./product-fixture.ts')
).fixture
