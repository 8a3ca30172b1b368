import { setTimeout } from 'node:timers/promises'
import type { HttpResponse } from '../compare/client.ts'
import { requestOf, type Case, type Side } from '../compare/cases.ts'
import type { BenchEnvironment } from '../compare/bench-environment.ts'
import { spreadOf, type Spread } from '../compare/median-range.ts'

const ROUNDS = 5
const SECONDS = 2
const CASES = ['list, admin', 'ticket, read again']
const PAIR: Side[] = ['ours', 'bare']

/** Ratios to bare Fastify in the same round. */
export type Speed = {
  name: string
  perSecond: Record<'ours' | 'bare', Spread>
  p99: Record<'ours' | 'bare', Spread>
  rate: Spread
  late: Spread
}

/** Requests per second with every caller busy, then the 99th percentile of both at half our rate. */
export async function measureSpeed(scene: BenchEnvironment): Promise<Speed[]> {
  const speeds: Speed[] = []
  for (const one of scene.cases.filter(({ name }) => CASES.includes(name))) {
    const taken: { capacity: Pair; p99: Pair }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const order = round % 2 === 0 ? PAIR : PAIR.toReversed()
      const capacity = await forEach(order, (side) => capacityOf(scene, one, side))
      const p99 = await forEach(order, (side) =>
        p99At(scene, one, { side, rate: capacity.ours / 2 }),
      )
      taken.push({ capacity, p99 })
    }
    const of = (what: 'capacity' | 'p99', side: keyof Pair) =>
      spreadOf(taken.map((round) => round[what][side]))
    const paired = (what: 'capacity' | 'p99') =>
      spreadOf(taken.map((round) => round[what].ours / round[what].bare))
    speeds.push({
      name: one.name,
      perSecond: { ours: of('capacity', 'ours'), bare: of('capacity', 'bare') },
      p99: { ours: of('p99', 'ours'), bare: of('p99', 'bare') },
      rate: paired('capacity'),
      late: paired('p99'),
    })
  }
  return speeds
}

type Pair = { ours: number; bare: number }

async function forEach(sides: Side[], measure: (side: Side) => Promise<number>): Promise<Pair> {
  const found = { ours: 0, bare: 0 }
  for (const side of sides) if (side in found) found[side as keyof Pair] = await measure(side)
  return found
}

async function capacityOf(environment: BenchEnvironment, one: Case, side: Side) {
  const end = performance.now() + SECONDS * 1000
  let done = 0
  await Promise.all(
    linesOf(environment, one, side).map(async (send, caller) => {
      for (let n = 0; performance.now() < end; n++) {
        requireOk(await send(requestOf(one, side)(caller, n)))
        done++
      }
    }),
  )
  return done / SECONDS
}

/** Timed from when a request was due, not from when a connection was free. */
async function p99At(
  scene: BenchEnvironment,
  one: Case,
  { side, rate }: { side: Side; rate: number },
) {
  const free = linesOf(scene, one, side).map((send, caller) => ({ send, caller }))
  const due: number[] = []
  const times: number[] = []
  const underway = new Set<Promise<void>>()
  const serve = async ({ send, caller }: (typeof free)[number]) => {
    for (let at = due.shift(); at !== undefined; at = due.shift()) {
      requireOk(await send(requestOf(one, side)(caller, times.length)))
      times.push(performance.now() - at)
    }
    free.push({ send, caller })
  }
  const started = performance.now()
  for (let sent = 0; sent < rate * SECONDS;) {
    const wanted = ((performance.now() - started) / 1000) * rate
    for (; sent < wanted; sent++) {
      due.push(started + (sent / rate) * 1000)
      const line = free.shift()
      if (!line) continue
      const work = serve(line).finally(() => underway.delete(work))
      underway.add(work)
    }
    await setTimeout(1)
  }
  await Promise.all(underway)
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

/** Rejections are fast and must not be counted as responses. */
function requireOk({ status, body }: HttpResponse) {
  if (status !== 200) throw new Error(`${status} ${body}`)
}

const linesOf = (environment: BenchEnvironment, one: Case, side: Side) =>
  environment.lines[one.role].get(side) ?? []
