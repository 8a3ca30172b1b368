import { subscribe } from 'node:diagnostics_channel'
import { Session } from 'node:inspector/promises'

/**
 * Preloaded (`--import`) into a measured API: counts its routes, and reports over IPC which files run between `start` and
 * `take`.
 */
type Instance = { addHook: (name: 'onRoute', seen: (route: Route) => void) => void }
type Route = { url: string; method: string | string[] }

const routes = new Set<string>()
const urls = new Set<string>()
subscribe('fastify.initialization', (message) => {
  ;(message as { fastify: Instance }).fastify.addHook('onRoute', ({ url, method }) => {
    urls.add(url)
    for (const one of [method].flat()) routes.add(`${one} ${url}`)
  })
})

const session = new Session()
session.connect()
process.on('message', (question) => {
  void respond(question).then((output) => process.send?.(output))
})

async function respond(question: unknown) {
  if (question === 'routes') return { addresses: urls.size, routes: routes.size }
  if (question === 'take') {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    await session.post('Profiler.stopPreciseCoverage')
    return result
      .filter(({ functions }) => functions.some(({ ranges: [range] }) => range && range.count > 0))
      .map(({ url }) => url)
  }
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return null
}
