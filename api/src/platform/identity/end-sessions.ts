import type { Directory } from './directory.ts'

type Provider = Pick<Directory, 'sessionsBegunBy' | 'log'>

/** Sessions of an account begun by `until`: active ones, and those in the provider's log. */
export async function findSessions(directory: Provider, sub: string, until = Date.now()) {
  const [active, log] = await Promise.all([
    directory.sessionsBegunBy(sub, until),
    directory.log.of(sub),
  ])
  const begun = log.filter(({ type, time }) => type === 'LOGIN' && time <= until)
  return [...new Set([...active, ...begun.flatMap(({ sessionId }) => sessionId ?? [])])]
}
