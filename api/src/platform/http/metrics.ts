import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { gauge, toExposition, type Metric } from './metrics-format.ts'
import { describeState, type Watched } from './collectors.ts'
import { routeOf } from './resource.ts'

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
/** In seconds; a person notices a tenth, a list may take two, and after five nobody waits any longer. */
const BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 5, 10]
const LAG_RESOLUTION_MS = 20
const NANO = 1e9

/** GET /metrics for Prometheus, on the API's own port; the front proxy passes it to nobody. */
export function metricsRoutes(app: FastifyInstance, watched: Watched) {
  const requests = countRequests(app)
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS })
  lag.enable()
  app.addHook('onClose', async () => void lag.disable())

  app.get('/metrics', { config: { isVital: true } }, async (_request, reply) => {
    const metrics = [...requests(), ...describeProcess(lag), ...(await describeState(watched))]
    return reply.type(CONTENT_TYPE).send(toExposition(metrics))
  })
}

type Timed = { labels: Record<string, string>; buckets: number[]; sum: number; count: number }

/** Counts every answer by the pattern of its route, not by its address. */
function countRequests(app: FastifyInstance) {
  const answers = new Map<string, { labels: Record<string, string>; value: number }>()
  const times = new Map<string, Timed>()
  let inFlight = 0

  app.addHook('onRequest', async (_request, reply) => {
    inFlight++
    // Comes for whoever hangs up as well, which onResponse does not.
    reply.raw.once('close', () => void inFlight--)
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = { route: routeOf(request), method: request.method }
    const answer = entryOf(answers, { ...route, status: String(reply.statusCode) }, (labels) => ({
      labels,
      value: 0,
    }))
    answer.value++
    const time = entryOf(times, route, (labels) => ({
      labels,
      buckets: BUCKETS.map(() => 0),
      sum: 0,
      count: 0,
    }))
    const seconds = reply.elapsedTime / 1000
    time.sum += seconds
    time.count++
    BUCKETS.forEach((limit, place) => {
      if (seconds <= limit) time.buckets[place] = (time.buckets[place] ?? 0) + 1
    })
  })

  return (): Metric[] => [
    {
      name: 'gatehouse_http_requests_total',
      help: 'Requests answered.',
      type: 'counter',
      values: [...answers.values()],
    },
    {
      name: 'gatehouse_http_request_duration_seconds',
      help: 'From the head of a request to the end of its answer.',
      type: 'histogram',
      values: [...times.values()].flatMap(toHistogram),
    },
    gauge('gatehouse_http_requests_in_flight', 'Requests being worked on.', inFlight),
  ]
}

function entryOf<T>(
  all: Map<string, T>,
  labels: Record<string, string>,
  build: (labels: Record<string, string>) => T,
) {
  const key = Object.values(labels).join(' ')
  const entry = all.get(key) ?? build(labels)
  all.set(key, entry)
  return entry
}

const toHistogram = ({ labels, buckets, sum, count }: Timed): Metric['values'] => [
  ...BUCKETS.map((limit, place) => ({
    suffix: '_bucket',
    labels: { ...labels, le: String(limit) },
    value: buckets[place] ?? 0,
  })),
  { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
  { suffix: '_sum', labels, value: sum },
  { suffix: '_count', labels, value: count },
]

/** Under the names that everybody's dashboards know. */
function describeProcess(lag: ReturnType<typeof monitorEventLoopDelay>): Metric[] {
  const { rss, heapUsed, heapTotal } = process.memoryUsage()
  const started = Date.now() / 1000 - process.uptime()
  const metrics = [
    gauge('process_start_time_seconds', 'When this process began, since 1970.', started),
    gauge('process_resident_memory_bytes', 'Memory of this process.', rss),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    gauge('nodejs_heap_size_total_bytes', 'Heap reserved.', heapTotal),
    gauge(
      'nodejs_eventloop_lag_p99_seconds',
      'How late the event loop was at worst, but for one time in a hundred, since it was last asked.',
      lag.percentile(99) / NANO,
    ),
    gauge(
      'nodejs_eventloop_lag_max_seconds',
      'How late the event loop was at worst since it was last asked.',
      lag.max / NANO,
    ),
  ]
  lag.reset()
  return metrics
}
