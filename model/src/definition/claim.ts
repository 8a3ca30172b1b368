/**
 * What a claim's values are, and the column of `revisions` that keeps them, so that old versions have an owner. A claim
 * that isn't kept can be stamped, but not used in a row scope.
 */
export type Claim =
  { holds: 'sub'; keptIn: 'owner' } | { holds: { idOf: string }; keptIn: 'org' | null }

/** All that callers may hold, by name. */
export type Claims = Readonly<Record<string, Claim>>

/** Reserved words of rowScope and stamp. */
export const RESERVED_CLAIMS = ['via', 'name', 'isStaff', 'author']
