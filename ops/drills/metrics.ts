import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { DEMO_SECRETS } from '../../api/src/platform/secrets.ts'
import { installMissing } from '../../tools/stack/debian.ts'
import { startApi, type ApiProcess } from './kit/api-process.ts'
import { startDrillEnvironment } from './kit/drill-environment.ts'
import { report, seconds, type Result } from './kit/results.ts'
import { checkDashboard } from './metrics-dashboard.ts'
import { startPrometheus, type Prometheus } from './metrics-prometheus.ts'
import { checkRules, PROMTOOL } from './metrics-rules.ts'

const REQUEST_PAUSE_MS = 100
/** The last leads nowhere. */
const PATHS = ['/api/services', '/api/tickets', '/nowhere']
const SCRAPED_TIMEOUT_MS = 20_000

/** Two replicas under requests and a Prometheus that scrapes them: the alert rules, the dashboard, the former address. */
export async function metrics() {
  installMissing({ prometheus: PROMTOOL })
  const started = Date.now()
  const environment = await startDrillEnvironment()
  const replicas: ApiProcess[] = []
  try {
    const env = {
      ...environment.env,
      BACKUP_STATUS_FILE: '/nowhere',
      FILES_DIR: join(environment.directory, 'files'),
      SIGNING_SECRET: DEMO_SECRETS.signing,
      // Nothing responds there.
      CLAMD_URL: 'tcp://127.0.0.1:1',
    }
    replicas.push(await startApi({ env }), await startApi({ env }))
    const requests = sendRequests(replicas)
    try {
      const results = await checkReplicas(replicas, environment.directory)
      return report('metrics', results, `${seconds(started)} s`)
    } finally {
      await requests.stop()
    }
  } finally {
    for (const replica of replicas) await replica.stop()
    await environment.close()
  }
}

async function checkReplicas(replicas: ApiProcess[], directory: string): Promise<Result[]> {
  const prometheus = await startPrometheus(
    directory,
    replicas.map(({ metricsPort }) => metricsPort),
  )
  try {
    return [
      await checkTargets(prometheus, replicas),
      ...(await checkDashboard(prometheus)),
      ...checkRules(await textOf(replicas[0])),
      ...(await Promise.all(replicas.map(checkFormerAddress))),
    ]
  } finally {
    await prometheus.stop()
  }
}

async function checkTargets({ query }: Prometheus, replicas: ApiProcess[]): Promise<Result> {
  const deadline = Date.now() + SCRAPED_TIMEOUT_MS
  const count = async () => (await query('up{job="gatehouse"} == 1')).length
  let scraped = await count()
  while (scraped < replicas.length && Date.now() < deadline) {
    await setTimeout(200)
    scraped = await count()
  }
  return {
    title: 'replicas scraped',
    isRight: scraped === replicas.length,
    figure: `${scraped} of ${replicas.length}`,
  }
}

async function checkFormerAddress({ base, metricsPort }: ApiProcess): Promise<Result> {
  const response = await fetch(`${base}/metrics`)
  const text = await response.text()
  return {
    title: 'the former address',
    isRight: response.status === 410 && text.includes(`port ${metricsPort}`),
    figure: `${response.status} ${text}`,
  }
}

const textOf = async (replica: ApiProcess | undefined) =>
  (await fetch(`http://127.0.0.1:${replica?.metricsPort}/metrics`)).text()

/** Until stopped. The replicas' own jobs run beside them. */
function sendRequests(replicas: ApiProcess[]) {
  let isOver = false
  const sending = (async () => {
    while (!isOver) {
      for (const { base } of replicas)
        for (const path of PATHS) await (await fetch(`${base}${path}`)).text()
      await setTimeout(REQUEST_PAUSE_MS)
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await sending
    },
  }
}
