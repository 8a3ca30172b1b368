import Fastify, { type FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { describeState, type MetricSources } from './metric-collectors.ts'
import { metricsMoved } from '#platform/errors.ts'
import { routeOf } from './resource.ts'
import { PUBLIC } from './access-level.ts'

/** In seconds: 0.1 is noticeable, a list may take 2, and requests queue for at most 5. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 5, 10]
const LAG_RESOLUTION_MS = 20

/** GET /metrics for Prometheus, as a server of its own: the caller gives it a port that no proxy forwards to. */
export function buildMetrics(app: FastifyInstance, watched: MetricSources) {
  const requests = countRequests(app)
  const process = processMetrics()
  const metrics = Fastify()
  metrics.get('/metrics', async (_request, reply) => {
    const registries = [requests, process, await describeState(watched)]
    const texts = await Promise.all(registries.map((registry) => registry.metrics()))
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(texts.join('\n'))
  })
  return metrics
}

/** Until 0.2.0, for a Prometheus that still scrapes the API's port. */
export function movedMetricsRoute(app: FastifyInstance, port: number) {
  app.get('/metrics', { config: { isVital: true, needs: PUBLIC } }, () => {
    throw metricsMoved(port)
  })
}

/** Counts responses by route pattern, never by URL. */
function countRequests(app: FastifyInstance) {
  const registry = new Registry()
  const registers = [registry]
  const responses = new Counter({
    name: 'gatehouse_http_requests_total',
    help: 'Responses sent.',
    labelNames: ['route', 'method', 'status'],
    registers,
  })
  const times = new Histogram({
    name: 'gatehouse_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['route', 'method'],
    buckets: BUCKETS,
    registers,
  })
  const inFlight = new Gauge({
    name: 'gatehouse_http_requests_in_flight',
    help: 'Requests in flight.',
    registers,
  })

  const onClose = () => inFlight.dec()
  app.addHook('onRequest', (_request, reply, done) => {
    inFlight.inc()
    // `close` also fires for aborted connections; onResponse doesn't.
    reply.raw.once('close', onClose)
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = { route: routeOf(request), method: request.method }
    responses.inc({ ...route, status: reply.statusCode })
    times.observe(route, reply.elapsedTime / 1000)
    done()
  })
  return registry
}

/** promtool objects to gauges named like counters. */
const MISNAMED = /^nodejs_active_\w+_total$/
let processRegistry: Registry | null = null

/** Memory, event loop and garbage collection under prom-client's default names, which dashboards expect. */
function processMetrics() {
  if (processRegistry) return processRegistry
  const register = new Registry()
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LAG_RESOLUTION_MS })
  for (const { name } of register.getMetricsAsArray())
    if (MISNAMED.test(name)) register.removeSingleMetric(name)
  return (processRegistry = register)
}
