import type { FormField } from './values.ts'

/** What a file input takes, by its field. */
export const fileLimits = ({ max = 1, accept = [], maxBytes }: FormField) => ({
  max,
  accept,
  maxBytes,
})
