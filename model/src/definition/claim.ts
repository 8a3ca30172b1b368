/**
 * What a claim's values are, and the column of `revisions` that keeps them, so that a version can be asked whose it was.
 * A claim that is kept nowhere may be stamped, but no row scope can go by it.
 */
export type Claim =
  { holds: 'sub'; keptIn: 'owner' } | { holds: { idOf: string }; keptIn: 'org' | null }

/** All that callers may hold, by name. */
export type Claims = Readonly<Record<string, Claim>>

/** What stands where a claim's name would, so no claim may be called so. */
export const RESERVED_CLAIMS = ['via', 'name', 'isStaff', 'author']
