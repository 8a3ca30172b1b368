import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../tools/stack/settings.ts'

const PROMETHEUS = '/usr/bin/prometheus'
const OPS = join(import.meta.dirname, '..')
const START_TIMEOUT_MS = 20_000
const SCRAPE_INTERVAL = '1s'
/** In place of Grafana's variable: long enough for several scrapes. */
const RATE_INTERVAL = '15s'

export type Sample = { metric: Record<string, string>; value: [number, string] }

/** Debian's Prometheus with ops/prometheus.yml, for replicas on these ports. */
export async function startPrometheus(directory: string, ports: number[]) {
  const base = `http://127.0.0.1:${await freePort()}`
  writeConfig(directory, ports)
  const output = openSync(join(directory, 'prometheus.log'), 'w')
  const child = spawn(
    PROMETHEUS,
    [
      `--config.file=${directory}/prometheus.yml`,
      `--storage.tsdb.path=${directory}/series`,
      `--web.listen-address=${new URL(base).host}`,
    ],
    { stdio: ['ignore', output, output] },
  )
  const ended = once(child, 'exit')
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!(await isReady(base))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(
        `Prometheus did not start: ${readFileSync(join(directory, 'prometheus.log'), 'utf8')}`,
      )
    await setTimeout(100)
  }
  return {
    query: async (query: string) => {
      const text = query.replaceAll('$__rate_interval', RATE_INTERVAL)
      const response = await fetch(`${base}/api/v1/query?query=${encodeURIComponent(text)}`)
      const { status, error, data } = (await response.json()) as Response
      if (status !== 'success') throw new Error(`${text}: ${error}`)
      return data.result
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>
type Response = { status: string; error?: string; data: { result: Sample[] } }

/** As committed, but for the addresses and the time between two scrapes. */
function writeConfig(directory: string, ports: number[]) {
  const targets = `[${ports.map((port) => `'127.0.0.1:${port}'`).join(', ')}]`
  const text = readFileSync(join(OPS, 'prometheus.yml'), 'utf8')
    .replace(/targets: .*/, `targets: ${targets}`)
    .replace(/scrape_interval: .*/, `scrape_interval: ${SCRAPE_INTERVAL}`)
  writeFileSync(join(directory, 'prometheus.yml'), text)
  copyFileSync(join(OPS, 'alerts.yml'), join(directory, 'alerts.yml'))
}

const isReady = (base: string) =>
  fetch(`${base}/-/ready`).then(
    (response) => response.ok,
    () => false,
  )
