import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { PRODUCTION_LIMITS } from '../../tools/stack/nginx.ts'
import { findMostExpensiveQuery } from './noisy-neighbour-query.ts'
import { report, seconds, type Result } from './kit/results.ts'
import type { Attack, ResponseCounts } from './noisy-neighbour-attack.ts'
import { probeSite, runOffice, type ProbeResult } from './noisy-neighbour-probes.ts'
import {
  startShortEnvironment,
  startFullEnvironment,
  type AttackEnvironment,
} from './noisy-neighbour-setup.ts'

const ATTACKER_IP = '127.0.0.9'
const OFFICE_IP = '127.0.0.8'
const HELD = 1_500
const ASKING = 100
/** Addresses of one host, each a network of its own to the API. */
const NETWORKS = Array.from({ length: 40 }, (_, index) => `127.0.1.${index + 1}`)
/** Number of probes, and minutes of office work; the short form runs in CI on a running stack. */
const FULL = { open: startFullEnvironment, times: 40, minutes: 3, settleMs: 3_000 }
const SHORT = { open: startShortEnvironment, times: 20, minutes: 0.15, settleMs: 1_000 }
/** Ramp-up and minimum duration of an attack: a half-open connection may last five seconds. */
const BEGIN_MS = 1_500
const ATTACK_MS = 7_000
/** Limit for a list under attack: a multiple of the idle p95, plus a constant. */
const P95_FACTOR_MAX = 2
const MORE_MS = 100
const REFUSED = ['0', '429', '503']
const BODIES_MAX = Number(PRODUCTION_LIMITS['API_CONNECTIONS_PER_ADDRESS'])
const PARTIAL_HEADERS = 'GET / HTTP/1.1\r\nhost: localhost\r\n'
const SLOW_BODY =
  'POST /api/privacy/requests HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n{'

/**
 * A noisy neighbour overloads the site in several ways without slowing other users; an office behind one address must not be
 * limited like an attacker.
 */
export async function noisyNeighbour(form?: string) {
  const { open, times, minutes, settleMs } = form === '--short' ? SHORT : FULL
  const started = Date.now()
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
  const environment = await open()
  try {
    const { stranger: token, other, office } = await environment.people()
    const mostExpensive = await search(environment, token)
    const quiet = await probeSite(environment.port, { token: other, times })
    console.log(`idle: p95 of the list ${quiet.p95.toFixed(0)} ms`)
    const { port } = environment
    const held = { port, from: ATTACKER_IP, connections: HELD }
    const asking = { port, from: ATTACKER_IP, connections: ASKING, token }
    const attacks: {
      name: string
      attack: Attack
      isBounded: (told: ResponseCounts) => boolean
    }[] = [
      {
        name: 'half-open connections',
        attack: { ...held, first: PARTIAL_HEADERS, drip: 'x-more: 1\r\n' },
        isBounded: ({ closed = 0 }) => closed >= HELD,
      },
      {
        name: 'slow bodies',
        attack: { ...held, first: SLOW_BODY, drip: ' ' },
        isBounded: (told) => (told['429'] ?? 0) >= HELD - BODIES_MAX,
      },
      {
        name: 'most expensive queries',
        attack: { ...asking, path: mostExpensive },
        isBounded: (told) => (told['429'] ?? 0) > 0,
      },
      {
        name: 'counts',
        attack: { ...asking, path: '/api/models/counts' },
        isBounded: (told) => (told['429'] ?? 0) > 0,
      },
      {
        name: `anonymous lists from ${NETWORKS.length} networks`,
        attack: { port, from: NETWORKS, connections: 10 * NETWORKS.length, path: '/api/services' },
        isBounded: (told) => (told['503'] ?? 0) + (told['429'] ?? 0) > 0,
      },
    ]
    const results = [judge({ title: 'idle', seen: quiet, quiet })]
    for (const { name, attack, isBounded } of attacks) {
      const { seen, told } = await during(attack, () => probeSite(port, { token: other, times }))
      const title = `${attack.connections} ${name}`
      results.push(judge({ title, seen, quiet }))
      results.push({
        title: `${title}: bounded`,
        isRight: isBounded(told),
        figure: `responses ${describe(told)}`,
      })
      await setTimeout(settleMs)
    }
    results.push(await judgeOffice(environment, { tokens: office, from: OFFICE_IP, minutes, seed }))
    return report('stranger', results, `seed ${seed}, ${seconds(started)} s`)
  } finally {
    await environment.close()
  }
}

async function search({ searched }: AttackEnvironment, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const { path, ms, status, tried } = await findMostExpensiveQuery({ base: searched.base, headers })
  await searched.stop()
  console.log(`most expensive of ${tried} queries: ${ms.toFixed(0)} ms, ${status}\n  ${path}`)
  return path
}

async function during(attack: Attack, others: () => Promise<ProbeResult>) {
  const child = fork(join(import.meta.dirname, 'noisy-neighbour-attack.ts'))
  try {
    const enough = setTimeout(ATTACK_MS)
    child.send(attack)
    await once(child, 'message')
    await setTimeout(BEGIN_MS)
    const seen = await others()
    await enough
    child.send('report')
    const [told] = await once(child, 'message')
    return { seen, told: told as ResponseCounts }
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

const describe = (statuses: ResponseCounts) =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ')

function judge({
  title,
  seen,
  quiet,
}: {
  title: string
  seen: ProbeResult
  quiet: ProbeResult
}): Result {
  const { p95, lists, badLists, badPages } = seen
  const most = P95_FACTOR_MAX * quiet.p95 + MORE_MS
  const bad = [...badLists.map((status) => `list ${status}`), ...badPages]
  return {
    title,
    isRight: bad.length === 0 && p95 <= most,
    figure: `list p95 ${p95.toFixed(0)} ms (at most ${most.toFixed(0)}), ${bad.length} of ${2 * lists} failed ${[...new Set(bad)].join(', ')}`,
  }
}

async function judgeOffice(
  scene: AttackEnvironment,
  office: Parameters<typeof runOffice>[1],
): Promise<Result> {
  const { statuses, tabs } = await runOffice(scene.port, office)
  const refused = REFUSED.reduce((sum, status) => sum + (statuses[status] ?? 0), 0)
  const wrong = Object.keys(statuses).filter((status) => status !== '200')
  return {
    title: `office of ${office.tokens.length}, ${tabs} tabs`,
    isRight: wrong.length === 0 && Object.keys(statuses).length > 0,
    figure: `${refused} rejected in ${office.minutes} min: ${describe(statuses)}`,
  }
}
