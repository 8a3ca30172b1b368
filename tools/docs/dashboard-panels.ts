/** What a panel draws: a query of Prometheus and the legend of its series. */
type Query = { query: string; legend: string }

export type Panel = {
  title: string
  /** Under the title, for whoever sees the panel for the first time. */
  meaning: string
  /** One of Grafana's names: reqps, percentunit, s, bytes, short. */
  unit: string
  queries: Query[]
}

/** Of every replica; the job's name is that of ops/prometheus.yml and ops/alerts.yml. */
const JOB = 'job="gatehouse"'
/** Visitors' requests, without those of operators. */
const REQUESTS = `${JOB},route!~"/healthz|/readyz"`
const TOP = 8

const series = (name: string, labels = JOB) => `${name}{${labels}}`
/** Per second; Grafana fills in the interval. */
const rate = (name: string, labels = JOB) => `rate(${series(name, labels)}[$__rate_interval])`
const quantile = (part: number, by: string) =>
  `histogram_quantile(${part}, sum by (${by}) (${rate('gatehouse_http_request_duration_seconds_bucket', REQUESTS)}))`

/** In two columns, from the top. */
export const PANELS: Panel[] = [
  {
    title: 'Replicas',
    meaning: '1: responds, is ready, reaches the database.',
    unit: 'short',
    queries: [
      { query: series('up'), legend: 'responds {{instance}}' },
      { query: series('gatehouse_ready'), legend: 'ready {{instance}}' },
      { query: series('gatehouse_database_up'), legend: 'database {{instance}}' },
    ],
  },
  {
    title: 'Requests a second',
    meaning: 'By status, without health checks.',
    unit: 'reqps',
    queries: [
      {
        query: `sum by (status) (${rate('gatehouse_http_requests_total', REQUESTS)})`,
        legend: '{{status}}',
      },
    ],
  },
  {
    title: 'Failed requests',
    meaning: 'Share of responses with a status of 500 or above.',
    unit: 'percentunit',
    queries: [
      {
        query: `(sum(${rate('gatehouse_http_requests_total', `${REQUESTS},status=~"5.."`)}) or vector(0)) / sum(${rate('gatehouse_http_requests_total', REQUESTS)})`,
        legend: 'failed',
      },
    ],
  },
  {
    title: 'Rejected before processing',
    meaning: 'A second, by reason: limit of a caller, load, no database.',
    unit: 'reqps',
    queries: [
      {
        query: `sum by (code) (${rate('gatehouse_requests_refused_total')})`,
        legend: '{{code}}',
      },
    ],
  },
  {
    title: 'Duration',
    meaning: 'Half, 95 % and 99 % of the requests are faster.',
    unit: 's',
    queries: [0.5, 0.95, 0.99].map((part) => ({
      query: quantile(part, 'le'),
      legend: `${part * 100} %`,
    })),
  },
  {
    title: 'Slowest routes',
    meaning: `The ${TOP} routes with the highest 95th percentile.`,
    unit: 's',
    queries: [
      {
        query: `topk(${TOP}, ${quantile(0.95, 'le, method, route')})`,
        legend: '{{method}} {{route}}',
      },
    ],
  },
  {
    title: 'Busiest routes',
    meaning: `The ${TOP} routes with the most requests a second.`,
    unit: 'reqps',
    queries: [
      {
        query: `topk(${TOP}, sum by (method, route) (${rate('gatehouse_http_requests_total', REQUESTS)}))`,
        legend: '{{method}} {{route}}',
      },
    ],
  },
  {
    title: 'Requests in flight',
    meaning:
      'Over all replicas. Taken at the maximum for long: statements are slow, or DATABASE_POOL is small.',
    unit: 'short',
    queries: [
      { query: `sum(${series('gatehouse_http_requests_in_flight')})`, legend: 'in flight' },
      {
        query: `sum by (state) (${series('gatehouse_request_places')})`,
        legend: 'slots {{state}}',
      },
    ],
  },
  {
    title: 'Database connections',
    meaning: 'Of the pools that serve requests.',
    unit: 'short',
    queries: [
      {
        query: `sum by (state) (${series('gatehouse_database_connections')})`,
        legend: '{{state}}',
      },
    ],
  },
  {
    title: 'Event loop',
    meaning: '99 % of its turns are delayed by less. Above 0.1 s a replica has too much to do.',
    unit: 's',
    queries: [{ query: series('nodejs_eventloop_lag_p99_seconds'), legend: '{{instance}}' }],
  },
  {
    title: 'CPU',
    meaning: 'Cores used; one replica uses little more than one.',
    unit: 'short',
    queries: [{ query: rate('process_cpu_seconds_total'), legend: '{{instance}}' }],
  },
  {
    title: 'Memory',
    meaning: 'Resident, and of it the heap in use.',
    unit: 'bytes',
    queries: [
      { query: series('process_resident_memory_bytes'), legend: 'resident {{instance}}' },
      { query: series('nodejs_heap_size_used_bytes'), legend: 'heap {{instance}}' },
    ],
  },
  {
    title: 'Mails',
    meaning: 'Queued, and undelivered ones that wait for a person on the System page.',
    unit: 'short',
    queries: [
      { query: `max(${series('gatehouse_mails_waiting')})`, legend: 'waiting' },
      { query: `max(${series('gatehouse_mails_dead')})`, legend: 'undelivered' },
    ],
  },
  {
    title: 'Oldest queued mail',
    meaning: 'After seven days it is no longer tried.',
    unit: 's',
    queries: [{ query: `max(${series('gatehouse_mails_oldest_age_seconds')})`, legend: 'age' }],
  },
  {
    title: 'Jobs waiting',
    meaning: 'By queue; the same on every replica.',
    unit: 'short',
    queries: [{ query: `max by (name) (${series('gatehouse_jobs_waiting')})`, legend: '{{name}}' }],
  },
  {
    title: 'Jobs failed',
    meaning: 'By queue, within the last hour.',
    unit: 'short',
    queries: [{ query: `max by (name) (${series('gatehouse_jobs_failed')})`, legend: '{{name}}' }],
  },
  {
    title: 'Since the last backup',
    meaning: 'Empty if BACKUP_STATUS_FILE is not set.',
    unit: 's',
    queries: [
      {
        query: `time() - max(${series('gatehouse_backup_finished_timestamp_seconds')})`,
        legend: 'age',
      },
    ],
  },
  {
    title: 'Files without a verdict',
    meaning:
      'Waiting for the virus scanner, and those in which it found something later. Empty if FILES_DIR is not set.',
    unit: 'short',
    queries: [
      { query: `max(${series('gatehouse_files_unchecked')})`, legend: 'waiting' },
      { query: `max(${series('gatehouse_files_infected')})`, legend: 'infected' },
    ],
  },
  {
    title: 'Free disk of files',
    meaning: 'Below 5% uploads are refused. Empty if FILES_DIR is not set.',
    unit: 'percentunit',
    queries: [{ query: series('gatehouse_files_free_ratio'), legend: '{{instance}}' }],
  },
  {
    title: 'Since the last fetch of keys',
    meaning: 'The identity provider’s, every ten minutes; after 24 hours no sign-in works.',
    unit: 's',
    queries: [
      {
        query: `time() - min(${series('gatehouse_identity_keys_confirmed_timestamp_seconds')})`,
        legend: 'age',
      },
    ],
  },
]
