import type { Category, Policy, Purpose, Source } from '#definition/privacy.ts'

/** Not about a person: must be written out for each column, there is no default. */
export const NO_PERSON = 'no person'
type NoPerson = typeof NO_PERSON

/** What one column, or one place that is no table, keeps about a person. The notice prints it. */
export type Held = {
  label: string
  category: Category
  purposes: readonly Purpose[]
  retention: Policy
  source: Source
  /** Stays when the row is reduced at its term, so it is not among what leaves by itself. */
  stays?: true
}

/**
 * How a person is found in it.
 * sub: the account · email: the address · ref: the account's reference · record: with the record it belongs to ·
 * null: not at all.
 */
type FoundBy = 'sub' | 'email' | 'ref' | 'record' | null

/** What erasing a person does. row: the row goes · rewrite: the values go · opaque: nothing left leads to a person. */
type StoreErasure = 'row' | 'rewrite' | 'opaque'

/** How long, as an interval; `says` where that alone would not tell the reader of the notice. */
type Term = { term: string; says?: string }

/** What is said of each column, and of the rows. */
export type Store<Column extends string = string, Expiry extends Term = Term> = {
  holds: NoPerson | Readonly<Record<Column, NoPerson | Held>>
  by: FoundBy
  erase: StoreErasure
  /** When rows leave by themselves; null: with what they belong to, or by hand. */
  expires: Expiry | null
}

/** Something that is no table of ours. */
export type Elsewhere = Omit<Store, 'expires'> & {
  /** The doctor's check that proves it. */
  check: string
  /** Where something deletes it by itself; null: by hand, or with what it belongs to. */
  kept: string | null
  /**
   * Files and folders of an installed server, or tables of another database (`keycloak.user_entity`); `*` for the rest of a
   * name. The doctor reports files and folders that nobody declares.
   */
  places: readonly string[]
}

/** A store as the manifest keeps it: an entry per column, or one where nothing in it is about a person. */
export type ManifestStore = {
  by: string | null
  erase: string
  /** `24 hours`, where something deletes it by itself. */
  kept: string | null
  /** The doctor's, for what is no table. */
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

/** By the names of tables and places: `list_views.sub` and what is said of it. */
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
