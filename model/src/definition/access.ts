/** Access level. On the wire: missing / false / true, converted in wire/to-wire.ts only. */
export type Access = 'public' | 'user' | 'admin'

export const ACCESS_LEVELS: readonly Access[] = ['public', 'user', 'admin']

export const ACTIONS = ['list', 'get', 'create', 'update', 'delete'] as const
export type Action = (typeof ACTIONS)[number]

/** Any visitor of the site; null is anonymous. */
export type Visitor = { sub: string; name: string | null; role: 'user' | 'admin' } | null

/** The one permission rule: menu, guard, button and API all ask it. */
export function canAccess(needed: Access, visitor: Pick<NonNullable<Visitor>, 'role'> | null) {
  if (needed === 'public') return true
  if (needed === 'user') return visitor !== null
  return visitor?.role === 'admin'
}

/** The level a visitor stands on: what differs between two visitors in any derived schema is only this. */
export function levelOf(visitor: Visitor): Access {
  if (visitor === null) return 'public'
  return visitor.role === 'admin' ? 'admin' : 'user'
}

/** True if `level` satisfies `needed`. */
export const reaches = (level: Access, needed: Access) =>
  ACCESS_LEVELS.indexOf(level) >= ACCESS_LEVELS.indexOf(needed)
