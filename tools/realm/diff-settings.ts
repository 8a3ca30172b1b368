import { isDeepStrictEqual } from 'node:util'
import type { Json } from './admin-api.ts'

/** Names of declared settings that differ; others are ignored. Arrays are compared as sets. */
export const differencesOf = (wanted: Json, there: Json) =>
  Object.entries(wanted)
    .filter(([name, value]) => !isDeepStrictEqual(sorted(value), sorted(there[name])))
    .map(([name]) => name)

const sorted = (value: unknown) => (Array.isArray(value) ? value.map(String).toSorted() : value)
