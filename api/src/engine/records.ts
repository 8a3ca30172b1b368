import type { ConditionOf, Defined, ModelInput, PatchOf, RecordOf } from '@gatehouse/model'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'

/** A model with its literal types. */
export type Typed = Defined<ModelInput>

/** A record as stored: fields computed in SQL have no column. */
export type StoredOf<M extends Typed> = Omit<RecordOf<M>, ComputedName<M, 'sql'>>

export type Records<M extends Typed> = {
  /** Null if it doesn't exist; includes the trash only with `trash`. */
  get: (id: string | null, options?: { trash?: boolean }) => Promise<StoredOf<M> | null>
  /** SELECT FOR NO KEY UPDATE; with `visible`, only if the caller may see the record. */
  lock: (id: string | null, options?: { visible?: boolean }) => Promise<StoredOf<M> | null>
  /** Ordered by id. */
  find: (filter: FilterOf<M>, options?: Finding) => Promise<StoredOf<M>[]>
  /** The first record with this value; email addresses are compared case-insensitively. */
  findBy: <K extends keyof M['fields'] & keyof StoredOf<M> & string>(
    field: K,
    value: StoredOf<M>[K] | null,
    options?: Omit<Finding, 'limit'>,
  ) => Promise<StoredOf<M> | null>
  create: (values: PatchOf<M>) => Promise<StoredOf<M>>
  /** Null if a unique value is already in use. */
  createIfAbsent: (values: PatchOf<M>) => Promise<StoredOf<M> | null>
  /** The updated record; null if it doesn't exist. */
  update: (
    id: string,
    values: PatchOf<M>,
    options?: { trash?: boolean },
  ) => Promise<StoredOf<M> | null>
  /** Counts against `createPerMinute`, like a creation. */
  count: () => Promise<void>
}

type Finding = { lock?: boolean; limit?: number; trash?: boolean }
type FilterOf<M extends Typed> =
  | { all: readonly (ConditionOf<M> | FilterOf<M>)[] }
  | { any: readonly (ConditionOf<M> | FilterOf<M>)[] }

/** What the server may read outside a change. */
export type RecordReader = {
  records: <M extends Typed>(model: M) => Pick<Records<M>, 'get' | 'find' | 'findBy'>
  /** For raw SQL: the table, and its columns by field. */
  table: <M extends Typed>(model: M) => TableOf<M>
}

export type TableOf<M extends Typed> = PgTable & Columns<M>

export type Columns<M extends Typed> = Record<keyof StoredOf<M> | 'deletedAt', PgColumn>

export type ComputedName<M extends Typed, Kind extends 'column' | 'sql'> = {
  [K in keyof M['fields']]: M['fields'][K] extends { computed: Kind } ? K : never
}[keyof M['fields']]
