import { timestamp } from 'drizzle-orm/pg-core'

/** Milliseconds, as JavaScript has them: a cursor must compare equal to the value it was made from. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: 'string' })
