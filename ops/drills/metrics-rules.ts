import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Result } from './kit/results.ts'

export const PROMTOOL = '/usr/bin/promtool'
const OPS = join(import.meta.dirname, '..')

/** Runs promtool on the text of /metrics and on the alert rules, each of which must have a test and metrics that exist. */
export function checkRules(metrics: string): Result[] {
  const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? ''))
  const unknown = watchedNames().filter((name) => !known.has(name))
  const untested = alertNames().filter((name) => !hasTest(name))
  return [
    promtool(['check', 'metrics'], metrics),
    promtool(['check', 'rules', join(OPS, 'alerts.yml')]),
    promtool(['test', 'rules', join(OPS, 'alerts.test.yml')]),
    {
      title: 'metrics that alerts use',
      isRight: unknown.length === 0,
      figure: unknown.join(', ') || `all of ${known.size} exist`,
    },
    {
      title: 'alerts with a test',
      isRight: untested.length === 0,
      figure: untested.length > 0 ? `none of ${untested.join(', ')}` : `${alertNames().length}`,
    },
  ]
}

function promtool(args: string[], input = ''): Result {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { input, encoding: 'utf8' })
  const isRight = status === 0
  return {
    title: `promtool ${args.slice(0, 2).join(' ')}`,
    isRight,
    figure: isRight ? 'ok' : `${stdout}${stderr}`,
  }
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

const hasTest = (name: string) =>
  new RegExp(`alertname: ${name}\\s+exp_alerts:`).test(read('alerts.test.yml'))

const read = (name: string) => readFileSync(join(OPS, name), 'utf8')
