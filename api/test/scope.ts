import type { Model } from '@gatehouse/model'
import { inject } from 'vitest'
import type { Draw } from './scope-random.ts'
import type { Person, Row, Sentence } from './scope-oracle.ts'

type RowsOf = (path: string) => Row[]

/** A person's claims besides their account, for row scopes and stamps. */
export type PersonClaims = {
  org: string[]
  orgManagers: string[]
  contact: string | null
  organisation: string | null
}

/** The visibility oracle's rules for a set of models, written by hand. */
export type Scope = {
  models: Model[]
  sentences: Record<string, Sentence>
  /** Row counts that differ from the default. */
  sizes: Record<string, number>
  /** Models made for these tests, queried twice as often. */
  favourites: string[]
  /** The model whose records refer to each other by `parent`. */
  circle: string
  /** Persons are drawn once this model has its rows. */
  peopleAfter: string
  drawPeople: (draw: Draw, rows: Map<string, Row[]>) => Person[]
  held: (person: NonNullable<Person>, rowsOf: RowsOf) => PersonClaims
  /** Also puts a person's row into their organisation. */
  share: (row: Row, sub: string | null, rowsOf: RowsOf) => void
  /** One person owns more rows than the cap, half of them also in their organisation. */
  addBulk: (draw: Draw, rows: Map<string, Row[]>) => void
  /** Value of an SQL-computed field; undefined for stored ones. */
  valueOf: (path: string, row: Row, name: string, now: { rowsOf: RowsOf; today: string }) => unknown
}

export const scope: Scope = (
  inject('world') === 'toys' ? await import('./scope-toys.ts') : await import('./scope-product.ts')
).scope
