import { Session, type Profiler } from 'node:inspector/promises'

const OWN = /\/((?:api|model|web)\/src\/[^?]+\.tsx?)(?:\?.*)?$/

/** Counts calls in this process by V8's coverage, as `npm run bench -- files` does in a process of its own. */
export async function startFileCoverage() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    /**
     * Files loaded or run since the last call. `ran` counts named functions only: vitest reads exports through anonymous ones,
     * and a module's body is anonymous too.
     */
    filesRun: async () => {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      const filesWith = (counts: (called: Profiler.FunctionCoverage) => boolean) =>
        new Set(
          result
            .filter(({ functions }) => functions.some((one) => isCalled(one) && counts(one)))
            .flatMap(({ url }) => OWN.exec(url)?.[1] ?? []),
        )
      return {
        ran: filesWith(({ functionName }) => functionName !== ''),
        loaded: filesWith(() => true),
      }
    },
    stop: () => session.disconnect(),
  }
}

const isCalled = ({ ranges }: Profiler.FunctionCoverage) => ranges.some(({ count }) => count > 0)
