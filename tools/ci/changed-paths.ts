import { execFileSync } from 'node:child_process'

/** Paths changed since CI_BASE, otherwise since the branch left main; null if no such commit is known or it is HEAD. */
export function changedPaths() {
  const named = process.env['CI_BASE'] || git('merge-base', 'origin/main', 'HEAD')
  const base = named && git('rev-parse', '--verify', '--quiet', `${named}^{commit}`)
  if (!base || base === git('rev-parse', 'HEAD')) return null
  return git('diff', '--name-only', base, 'HEAD').split('\n')
}

/** A number that increases with every change. A shallow clone has no commit count, so there it is days since 1970. */
export function rotationNumber() {
  const isShallow = git('rev-parse', '--is-shallow-repository') !== 'false'
  return isShallow
    ? Math.floor(Date.now() / 86_400_000)
    : Number(git('rev-list', '--count', 'HEAD'))
}

/** Empty when git fails: an archive has no history. */
function git(...args: string[]) {
  try {
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}
