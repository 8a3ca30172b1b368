import type { Directory } from './directory.ts'

type Provider = Pick<Directory, 'sessionsBegunBy' | 'log'>

/** Every session of this person that the provider knows to have begun by then: those under way, and those in its log. */
export async function findSessions(directory: Provider, sub: string, until = Date.now()) {
  const [underWay, log] = await Promise.all([
    directory.sessionsBegunBy(sub, until),
    directory.log.of(sub),
  ])
  const begun = log.filter(({ type, time }) => type === 'LOGIN' && time <= until)
  return [...new Set([...underWay, ...begun.flatMap(({ sessionId }) => sessionId ?? [])])]
}
