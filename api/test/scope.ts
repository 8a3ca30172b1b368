import type { Model } from '@gatehouse/model'
import { inject } from 'vitest'
import type { Draw } from './scope-draw.ts'
import type { Person, Row, Sentence } from './scope-oracle.ts'

type RowsOf = (path: string) => Row[]

/** What someone is known to hold beside their account, as a row scope or a stamp goes by it. */
export type Held = {
  org: string[]
  orgManagers: string[]
  contact: string | null
  organisation: string | null
}

/** What the oracle of sight knows of a set of models, said by hand: it shares no rule with the code. */
export type Scope = {
  models: Model[]
  sentences: Record<string, Sentence>
  /** How many rows of a model there are, where it is not the usual number. */
  sizes: Record<string, number>
  /** Made to be asked about, so they are asked about twice as often. */
  favourites: string[]
  /** The model with records that lead to one another by `parent`. */
  circle: string
  /** Drawn once this model has its rows; they get what they hold. */
  peopleAfter: string
  drawPeople: (draw: Draw, rows: Map<string, Row[]>) => Person[]
  held: (person: NonNullable<Person>, rowsOf: RowsOf) => Held
  /** Puts a row of someone's where they belong as well. */
  share: (row: Row, sub: string | null, rowsOf: RowsOf) => void
  /** One person owns more than a total counts, half of it where they belong as well. */
  addBulk: (draw: Draw, rows: Map<string, Row[]>) => void
  /** What no column holds, as it is told today; undefined where there is a column. */
  valueOf: (path: string, row: Row, name: string, now: { rowsOf: RowsOf; today: string }) => unknown
}

export const scope: Scope = (
  inject('world') === 'toys' ? await import('./scope-toys.ts') : await import('./scope-product.ts')
).scope
