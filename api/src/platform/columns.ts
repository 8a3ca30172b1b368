import { timestamp } from 'drizzle-orm/pg-core'

/** Millisecond precision like JavaScript's, so that a cursor compares equal to the stored value. */
export const instant = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: 'string' })
