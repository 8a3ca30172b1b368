import { isDeepStrictEqual } from 'node:util'
import type { Json } from './admin-api.ts'

/** Names of what is there otherwise than wanted; only what is wanted is looked at, sets in any order. */
export const differencesOf = (wanted: Json, there: Json) =>
  Object.entries(wanted)
    .filter(([name, value]) => !isDeepStrictEqual(sorted(value), sorted(there[name])))
    .map(([name]) => name)

const sorted = (value: unknown) => (Array.isArray(value) ? value.map(String).toSorted() : value)
