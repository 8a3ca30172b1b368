import { identityUnavailable, ownersOnly } from '#platform/errors.ts'
import type { Directory } from './directory.ts'

/** A token outlives its role by minutes, in which a demoted owner could promote themselves again: the provider knows. */
export async function requireStillOwner(
  known: Pick<Directory, 'find' | 'levelOf'>,
  visitor: { sub: string } | null,
) {
  const account = visitor && (await known.find(visitor.sub))
  if (!account?.enabled || (await known.levelOf(account.id)) !== 'owner') throw ownersOnly()
  return account
}

export function requireDirectory(directory: Directory | null) {
  if (!directory) throw identityUnavailable()
  return directory
}
