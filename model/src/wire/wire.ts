import type { Access, Action } from '#definition/access.ts'

/**
 * What a definition's `authorise` asks for an action, whoever wrote it: missing is public, true is admin only, anything
 * else that is there (false, null, "true") is any signed-in user. The other direction is `toAuthorise` in to-wire.ts.
 */
export function readAccess(authorise: unknown, action: Action): Access {
  if (typeof authorise !== 'object' || authorise === null) return 'public'
  const flag: unknown = Object.hasOwn(authorise, action)
    ? Reflect.get(authorise, action)
    : undefined
  if (flag === undefined) return 'public'
  return flag === true ? 'admin' : 'user'
}
