import type { Access, Action } from '#definition/access.ts'

/**
 * Reads `authorise` of any server's definition: missing is public, true is admin only, anything else (false, null, "true")
 * is any signed-in user. The other direction is `toAuthorise` in to-wire.ts.
 */
export function readAccess(authorise: unknown, action: Action): Access {
  if (typeof authorise !== 'object' || authorise === null) return 'public'
  const flag: unknown = Object.hasOwn(authorise, action)
    ? Reflect.get(authorise, action)
    : undefined
  if (flag === undefined) return 'public'
  return flag === true ? 'admin' : 'user'
}
