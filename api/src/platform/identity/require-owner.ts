import { identityUnavailable, ownersOnly } from '#platform/errors.ts'
import type { Directory } from './directory.ts'

/** Checks at the provider: a demoted owner's token is valid for minutes, enough to promote themselves again. */
export async function requireStillOwner(
  directory: Pick<Directory, 'find' | 'levelOf'>,
  visitor: { sub: string } | null,
) {
  const account = visitor && (await directory.find(visitor.sub))
  if (!account?.enabled || (await directory.levelOf(account.id)) !== 'owner') throw ownersOnly()
  return account
}

export function requireDirectory(directory: Directory | null) {
  if (!directory) throw identityUnavailable()
  return directory
}
