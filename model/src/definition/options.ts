import type { Tone } from './fields.ts'

/** Options whose label is their value. */
export const choices = <const V extends string>(...values: V[]) =>
  values.map((value) => ({ value }))

/** Options that mean something to whoever looks after them. */
export const toned = <const V extends string>(tones: Record<V, Tone>) =>
  Object.entries<Tone>(tones).map(([value, tone]) => ({ value: value as V, tone }))
