/**
 * A claim's value type, and the column of `revisions` that stores it, so that old versions have an owner. A claim that isn't
 * stored can be stamped, but not used in a row scope.
 */
export type Claim =
  { holds: 'sub'; keptIn: 'owner' } | { holds: { idOf: string }; keptIn: 'org' | null }

/** All claims a caller may have, by name. */
export type Claims = Readonly<Record<string, Claim>>

/** Reserved words of rowScope and stamp. */
export const RESERVED_CLAIMS = ['via', 'name', 'isStaff', 'author']
