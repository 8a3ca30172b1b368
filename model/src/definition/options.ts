import type { Tone } from './fields.ts'

/** Options whose label is their value. */
export const choices = <const V extends string>(...values: V[]) =>
  values.map((value) => ({ value }))

/** Options labelled by their value as words: `in_progress` becomes "In progress". */
export const capitalised = <const V extends string>(...values: V[]) =>
  values.map((value) => ({
    value,
    label: value.charAt(0).toUpperCase() + value.slice(1).replaceAll('_', ' '),
  }))

/** Options with tones, shown to staff as icon and colour. */
export const toned = <const V extends string>(tones: Record<V, Tone>) =>
  Object.entries<Tone>(tones).map(([value, tone]) => ({ value: value as V, tone }))
