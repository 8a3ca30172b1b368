import type { Category, Policy, Purpose, Source } from '#definition/privacy.ts'

/** Not about a person: must be declared for each column, there is no default. */
export const NO_PERSON = 'no person'
type NoPerson = typeof NO_PERSON

/** Personal data in one column, or in one store that is no table. The notice prints it. */
export type Held = {
  label: string
  category: Category
  purposes: readonly Purpose[]
  retention: Policy
  source: Source
  /** Kept when the row is reduced at the end of its retention period, so not listed as expiring. */
  stays?: true
}

/**
 * How a person's data is found.
 * sub: the account · email: the address · ref: the account's reference · record: with the record it belongs to ·
 * null: not at all.
 */
type FoundBy = 'sub' | 'email' | 'ref' | 'record' | null

/**
 * Effect of erasure. row: the row is deleted · file: its bytes are deleted too · rewrite: its values are removed · opaque: nothing
 * left identifies a person.
 */
type StoreErasure = 'row' | 'file' | 'rewrite' | 'opaque'

/** Retention period as an interval; `says` replaces it in the notice if the interval alone is unclear. */
type Term = { term: string; says?: string }

export type Store<Column extends string = string, Expiry extends Term = Term> = {
  holds: NoPerson | Readonly<Record<Column, NoPerson | Held>>
  by: FoundBy
  erase: StoreErasure
  /** When rows expire; null if they are deleted with their record, or by hand. */
  expires: Expiry | null
}

/** A store that is no table of ours. */
export type Elsewhere = Omit<Store, 'expires'> & {
  /** The doctor's check that proves it. */
  check: string
  /** Retention period if deleted automatically; null if deleted by hand, or with its record. */
  kept: string | null
  /**
   * Files and folders of an installed server, or tables of another database (`keycloak.user_entity`); `*` matches the rest of
   * a name. The doctor reports undeclared files and folders.
   */
  places: readonly string[]
}

/** A store in the manifest: one entry per column, or a single one if no column is about a person. */
export type ManifestStore = {
  by: string | null
  erase: string
  /** Such as `24 hours`, if deleted automatically. */
  kept: string | null
  /** Doctor check of a store that is no table. */
  check: string | null
  places: readonly string[]
} & (
  | { personal: false }
  | {
      personal: true
      label: string
      category: string
      purposes: readonly string[]
      retention: string
      source: string
    }
)

type Facts = Pick<ManifestStore, 'by' | 'erase' | 'kept' | 'check' | 'places'>

/** Declarations by table and column, such as `list_views.sub`, or by store. */
export const toManifestStores = (
  tables: Readonly<Record<string, Store>>,
  elsewhere: Readonly<Record<string, Elsewhere>>,
): Record<string, ManifestStore> =>
  Object.fromEntries([
    ...Object.entries(tables).flatMap(([name, { holds, by, erase, expires }]) =>
      entriesOf(name, holds, {
        by,
        erase,
        kept: expires?.says ?? expires?.term ?? null,
        check: null,
        places: [],
      }),
    ),
    ...Object.entries(elsewhere).flatMap(([name, { holds, ...facts }]) =>
      entriesOf(name, holds, facts),
    ),
  ])

const entriesOf = (name: string, holds: Store['holds'], facts: Facts): [string, ManifestStore][] =>
  holds === NO_PERSON
    ? [[name, { personal: false, ...facts }]]
    : Object.entries(holds).map(([column, held]) => [
        `${name}.${column}`,
        held === NO_PERSON ? { personal: false, ...facts } : toEntry(held, facts),
      ])

const toEntry = ({ stays, ...held }: Held, facts: Facts): ManifestStore => ({
  personal: true,
  ...held,
  ...facts,
  kept: stays ? null : facts.kept,
})
