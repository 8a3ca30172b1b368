import type { Access, Action } from '#definition/access.ts'

/**
 * Reads `authorise` of any server's definition: missing is public, true is admin only (owner only, if the list `owner`
 * contains it), anything else (false, null, "true") is any signed-in user. The inverse is in to-wire.ts.
 */
export function readAccess(authorise: unknown, action: Action | 'purge', owner?: unknown): Access {
  if (typeof authorise !== 'object' || authorise === null) return 'public'
  const flag: unknown = Object.hasOwn(authorise, action)
    ? Reflect.get(authorise, action)
    : undefined
  if (flag === undefined) return 'public'
  if (flag !== true) return 'user'
  return Array.isArray(owner) && owner.includes(action) ? 'owner' : 'admin'
}
