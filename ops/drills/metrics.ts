import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { installMissing } from '../../tools/stack/debian.ts'
import { startApi } from './kit/api-process.ts'
import { startDrillEnvironment } from './kit/drill-environment.ts'

const PROMTOOL = '/usr/bin/promtool'
const QUEUE_TRIES = 100
const QUEUE_PAUSE_MS = 200
const OPS = join(import.meta.dirname, '..')

/** Runs promtool on /metrics and on the alert rules. */
export async function metrics() {
  installMissing({ prometheus: PROMTOOL })
  const text = await readMetrics()
  const told = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? ''))
  const missing = watchedNames().filter((name) => !told.has(name))
  const problems = [
    ...missing.map((name) => `an alert uses ${name}, which /metrics lacks`),
    ...check('metrics', ['check', 'metrics'], text),
    ...check('rules', ['check', 'rules', join(OPS, 'alerts.yml')]),
    ...check('tests', ['test', 'rules', join(OPS, 'alerts.test.yml')]),
    ...untested().map((name) => `alert ${name} has no test`),
  ]
  for (const problem of problems) console.log(problem)
  const all = `${told.size} metrics, ${alertNames().length} alerts`
  console.log(
    problems.length === 0
      ? `metrics: ok, ${all}, each fired in a test`
      : `metrics: FAILED, ${all}: ${problems.length} problems`,
  )
  return problems.length === 0
}

/** /metrics after a few requests, so that it isn't empty, with a worker, which creates the queues. */
async function readMetrics() {
  const environment = await startDrillEnvironment()
  try {
    const api = await startApi({ env: { ...environment.env, BACKUP_STATUS_FILE: '/nowhere' } })
    try {
      for (const path of ['/api/services', '/api/tickets', '/nowhere'])
        await fetch(`${api.base}${path}`)
      return await untilQueued(`${api.base}/metrics`)
    } finally {
      await api.stop()
    }
  } finally {
    await environment.close()
  }
}

/** Queues are created in the background, after the first response. */
async function untilQueued(url: string) {
  for (let tries = 1; ; tries++) {
    const text = await (await fetch(url)).text()
    if (text.includes('gatehouse_jobs_failed{') || tries === QUEUE_TRIES) return text
    await setTimeout(QUEUE_PAUSE_MS)
  }
}

function check(what: string, args: string[], input = '') {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { input, encoding: 'utf8' })
  console.log(`promtool ${args.slice(0, 2).join(' ')}: ${status === 0 ? 'ok' : 'failed'}`)
  return status === 0 ? [] : [`${what}: ${stdout}${stderr}`]
}

/** Maps histogram series to their metric. */
const watchedNames = () => [
  ...new Set(
    [...read('alerts.yml').matchAll(/\b(?:gatehouse|nodejs)_\w+/g)].map(([name]) =>
      name.replace(/_bucket$/, ''),
    ),
  ),
]

const alertNames = () =>
  [...read('alerts.yml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '')

function untested() {
  const tests = read('alerts.test.yml')
  return alertNames().filter((name) => !new RegExp(`alertname: ${name}\\s+exp_alerts:`).test(tests))
}

const read = (name: string) => readFileSync(join(OPS, name), 'utf8')
