import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { startApi, type ApiProcess } from './kit/api-process.ts'
import { seeded } from './kit/random.ts'
import { openStage, type Stage } from './kit/stage.ts'

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const TIMES_CAPACITY = 3
const PEOPLE = 60
const TICKETS = 500
/** Requests in flight while the capacity is looked for: as many as the API has places, and some that wait. */
const CALLERS = 24
const UNLOADED_SHARE = 0.2
const HEALTH_EVERY_MS = 100
const LIMITS = { acceptedShare: 0.75, p99ExtraMs: 250, fullP95Ms: 50, otherMs: 300 }
/** Refused sooner than anyone can have waited: the queue was full. */
const AT_ONCE_MS = 150
/** Fewer than connections may wait to be accepted: more would measure the kernel. */
const SOCKETS = 400

type Answer = { status: number; ms: number; hasRetryAfter: boolean }

/** Three times as many requests as the API can answer, from many people: most are refused soon, the rest answered soon. */
export async function overload({ isShort }: { isShort: boolean }) {
  const seconds = isShort ? { measure: 4, load: 8 } : { measure: 10, load: 30 }
  const stage = await openStage()
  const api = await startApi({ env: { ...stage.env, WORKER: 'off', PLACES_PER_CALLER: '2' } })
  try {
    const ask = await askerOf(stage, api)
    await closed(ask, seconds.measure / 2)
    const capacity = (await closed(ask, seconds.measure)) / seconds.measure
    const unloaded = await open(ask, { rate: capacity * UNLOADED_SHARE, seconds: seconds.measure })
    const health = watchHealth(api)
    const answers = await open(ask, { rate: capacity * TIMES_CAPACITY, seconds: seconds.load })
    return report({
      capacity,
      unloaded,
      answers,
      health: await health.end(),
      seconds: seconds.load,
    })
  } finally {
    await api.stop()
    await stage.close()
  }
}

type Ask = () => Promise<Answer>

/** A request of somebody's from somewhere, in an order that the seed decides. */
async function askerOf({ keys, ask: sql }: Stage, { port }: ApiProcess): Promise<Ask> {
  await sql(
    `insert into tickets (id, full_name, email, subject, contact_type, message, client_id)
     select gen_random_uuid(), 'Drill', 'drill@example.test', 'Subject ' || i, 'Query', 'Message', 'sub-overload-' || i % $1
     from generate_series(1, $2) i`,
    [PEOPLE, TICKETS],
  )
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS })
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, async (_, place) => ({
      authorization: `Bearer ${await keys.tokenOf({ sub: `sub-overload-${place}`, name: `Person ${place}`, role: 'admin' })}`,
      'x-forwarded-for': `10.0.${place}.1`,
    })),
  )
  const random = seeded(SEED)
  return () => {
    const headers = people[Math.floor(random() * PEOPLE)]
    const started = performance.now()
    return new Promise((resolve) => {
      const done = (status: number, hasRetryAfter: boolean) =>
        resolve({ status, hasRetryAfter, ms: performance.now() - started })
      request({ port, path: '/api/tickets', agent, ...(headers ? { headers } : {}) }, (response) =>
        response
          .resume()
          .on('end', () => done(response.statusCode ?? 0, 'retry-after' in response.headers)),
      )
        .on('error', () => done(0, false))
        .end()
    })
  }
}

/** As fast as the answers come; returns how many did. */
async function closed(ask: Ask, seconds: number) {
  const end = performance.now() + seconds * 1_000
  let answered = 0
  const caller = async () => {
    while (performance.now() < end) if ((await ask()).status === 200) answered++
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return answered
}

/** So many a second, whatever the answers do. */
async function open(ask: Ask, { rate, seconds }: { rate: number; seconds: number }) {
  const started = performance.now()
  const asked: Promise<Answer>[] = []
  while (performance.now() - started < seconds * 1_000) {
    const due = ((performance.now() - started) / 1_000) * rate
    while (asked.length < due) asked.push(ask())
    await setTimeout(2)
  }
  return Promise.all(asked)
}

function watchHealth({ base }: ApiProcess) {
  const statuses: number[] = []
  let isEnding = false
  const watching = (async () => {
    while (!isEnding) {
      for (const path of ['/healthz', '/readyz'])
        statuses.push(
          await fetch(base + path).then(
            ({ status }) => status,
            () => 0,
          ),
        )
      await setTimeout(HEALTH_EVERY_MS)
    }
  })()
  return {
    end: async () => {
      isEnding = true
      await watching
      return statuses
    },
  }
}

type Seen = {
  capacity: number
  unloaded: Answer[]
  answers: Answer[]
  health: number[]
  seconds: number
}

function report({ capacity, unloaded, answers, health, seconds }: Seen) {
  const accepted = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 503 || status === 429)
  const others = answers.length - accepted.length - refused.length
  const atOnce = refused.filter(({ ms }) => ms < AT_ONCE_MS)
  const later = refused.filter(({ ms }) => ms >= AT_ONCE_MS)
  const share = accepted.length / seconds / capacity
  const p99Max = 2 * quantile(unloaded, 0.99) + LIMITS.p99ExtraMs
  const found: [what: string, isOk: boolean][] = [
    [`capacity ${capacity.toFixed(0)} a second`, capacity > 0],
    [`accepted ${(share * 100).toFixed(0)} % of it`, share >= LIMITS.acceptedShare],
    [
      `p99 of accepted ${ms(accepted, 0.99)} (unloaded ${ms(unloaded, 0.99)}, at most ${p99Max.toFixed(0)} ms)`,
      quantile(accepted, 0.99) <= p99Max,
    ],
    [
      `${atOnce.length} refused at once, p95 ${ms(atOnce, 0.95)}`,
      atOnce.length > 0 && quantile(atOnce, 0.95) <= LIMITS.fullP95Ms,
    ],
    [
      `${later.length} after waiting, p95 ${ms(later, 0.95)}`,
      later.length === 0 || quantile(later, 0.95) <= LIMITS.otherMs,
    ],
    ['every refusal with Retry-After', refused.every(({ hasRetryAfter }) => hasRetryAfter)],
    [`${others} other answers`, others === 0],
    [
      `health ${health.filter((status) => status === 200).length} of ${health.length}`,
      health.every((status) => status === 200),
    ],
  ]
  for (const [what, isOk] of found) console.log(`${isOk ? 'ok    ' : 'FAILED'} ${what}`)
  const isOk = found.every(([, one]) => one)
  console.log(
    `overload: ${isOk ? 'ok' : 'FAILED'}, seed ${SEED}, ${TIMES_CAPACITY} × capacity for ${seconds} s: ${found
      .slice(0, 3)
      .map(([what]) => what)
      .join(', ')}`,
  )
  return isOk
}

const ms = (answers: Answer[], share: number) => `${quantile(answers, share).toFixed(0)} ms`

function quantile(answers: Answer[], share: number) {
  const sorted = answers.map((answer) => answer.ms).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
