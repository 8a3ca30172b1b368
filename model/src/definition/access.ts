// On the wire: missing / false / true, converted in wire/to-wire.ts only.
/**
 * Access levels; each includes the levels before it. `public`: any caller. `user`: any signed-in caller. `admin`: staff.
 * `owner`: an admin who may also purge, publish, set fees, and manage staff and privacy requests.
 */
export type Access = 'public' | 'user' | 'admin' | 'owner'

export const ACCESS_LEVELS: readonly Access[] = ['public', 'user', 'admin', 'owner']

/** Operations that `access` and `without` of a model name. */
export const ACTIONS = ['list', 'get', 'create', 'update', 'delete'] as const
export type Action = (typeof ACTIONS)[number]

/** Any visitor of the site; null is anonymous. `owner` counts only together with the role admin. */
export type Visitor = {
  sub: string
  name: string | null
  role: 'user' | 'admin'
  owner?: boolean
} | null

type Standing = Pick<NonNullable<Visitor>, 'role' | 'owner'> | null

/** The only permission rule, used by menu, guard, button and API. */
export const canAccess = (needed: Access, visitor: Standing) => reaches(levelOf(visitor), needed)

/** The visitor's level, the only property of a visitor that derived schemas depend on. */
export function levelOf(visitor: Standing): Access {
  if (visitor === null) return 'public'
  if (visitor.role !== 'admin') return 'user'
  return visitor.owner === true ? 'owner' : 'admin'
}

export const reaches = (level: Access, needed: Access) =>
  ACCESS_LEVELS.indexOf(level) >= ACCESS_LEVELS.indexOf(needed)

/** Admins and owners, who see every row. */
export const isStaff = (level: Access) => reaches(level, 'admin')
