import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startApi, type ApiProcess } from './kit/api-process.ts'
import { startDrillEnvironment, type DrillEnvironment } from './kit/drill-environment.ts'
import type { LoadResponse, Plan } from './overload-client.ts'

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const TIMES_CAPACITY = 3
const PEOPLE = 60
/** Number of requests with a forged token: 401 if it is verified, 503 if the request was shed before. */
const FORGED = 6
const TICKETS = 500
/** Requests in flight while measuring the capacity: all slots of the API, and some queued. */
const CALLERS = 24
const UNLOADED_SHARE = 0.2
/** Below the listen backlog: more would measure the kernel. */
const SOCKETS = 400
const HEALTH_EVERY_MS = 100
const LIMITS = { sentShare: 0.9, acceptedShare: 0.75, p99ExtraMs: 250, refusalP95Ms: 50 }

/**
 * Sends three times the API's capacity from many accounts: most requests must be shed quickly, the rest served quickly. Times
 * are checked only in the full form, on an otherwise idle machine.
 */
export async function overload({ isShort }: { isShort: boolean }) {
  const seconds = isShort ? { measure: 4, load: 8 } : { measure: 10, load: 30 }
  const environment = await startDrillEnvironment()
  const api = await startApi({
    env: {
      ...environment.env,
      WORKER: 'off',

      PLACES_PER_CALLER: '2',
    },
  })
  const crowd = startLoadProcess(api, await requestsOf(environment))
  try {
    const closed = { rate: null, sockets: CALLERS }
    await crowd.ask({ ...closed, seconds: seconds.measure / 2 })
    const most = await crowd.ask({ ...closed, seconds: seconds.measure })
    const capacity = accepted(most).length / seconds.measure
    const unloaded = await crowd.ask({
      rate: capacity * UNLOADED_SHARE,
      sockets: SOCKETS,
      seconds: seconds.measure,
    })
    const health = watchHealth(api)
    const answers = await crowd.ask({
      rate: capacity * TIMES_CAPACITY,
      sockets: SOCKETS,
      seconds: seconds.load,
    })
    const seen = { capacity, unloaded, answers, health: await health.end(), seconds: seconds.load }
    return report([...factsIn(seen), ...speedOf(seen, isShort)])
  } finally {
    crowd.close()
    await api.stop()
    await environment.close()
  }
}

/** Requests for a list of tickets, one per account and network; forged ones last. */
async function requestsOf({ keys, ask: sql }: DrillEnvironment) {
  await sql(
    `insert into tickets (id, full_name, email, subject, contact_type, message, client_id)
     select gen_random_uuid(), 'Drill', 'drill@example.test', 'Subject ' || i, 'Query', 'Message', 'sub-overload-' || i % $1
     from generate_series(1, $2) i`,
    [PEOPLE, TICKETS],
  )
  const tokenOf = async (index: number) => {
    const person = { sub: `sub-overload-${index}`, name: `Person ${index}`, role: 'admin' } as const
    const token = await keys.tokenOf(person)
    return index < PEOPLE ? token : forged(token)
  }
  return Promise.all(
    Array.from({ length: PEOPLE + FORGED }, async (_, index) =>
      [
        'GET /api/tickets HTTP/1.1',
        'host: 127.0.0.1',
        `authorization: Bearer ${await tokenOf(index)}`,
        `x-forwarded-for: 10.0.${index}.1`,
        '\r\n',
      ].join('\r\n'),
    ),
  )
}

/** Well-formed, with an invalid signature. */
const forged = (token: string) => {
  const [head = '', body = '', signature = ''] = token.split('.')
  return [head, body, signature.split('').toReversed().join('')].join('.')
}

function startLoadProcess({ port }: ApiProcess, requests: string[]) {
  const child = fork(join(import.meta.dirname, 'overload-client.ts'))
  return {
    ask: async (how: Pick<Plan, 'rate' | 'sockets' | 'seconds'>) => {
      child.send({ port, requests, seed: SEED, ...how } satisfies Plan)
      const [answers] = (await once(child, 'message')) as [LoadResponse[]]
      return answers
    },
    close: () => child.kill(),
  }
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
  unloaded: LoadResponse[]
  answers: LoadResponse[]
  health: number[]
  seconds: number
}
/** `isOk` is null if it is only printed. */
type Finding = [what: string, isOk: boolean | null]

const isForged = ({ request }: LoadResponse) => request >= PEOPLE
const isRefusal = ({ status }: LoadResponse) => status === 503 || status === 429
const accepted = (answers: LoadResponse[]) => answers.filter(({ status }) => status === 200)
const shedBeforeAuth = (answers: LoadResponse[]) =>
  answers.filter((response) => isForged(response) && response.status === 503)

function factsIn({ capacity, answers, health }: Seen): Finding[] {
  const refused = answers.filter(isRefusal)
  const judged = answers.filter((response) => isForged(response) && response.status === 401)
  const others = answers.length - accepted(answers).length - refused.length - judged.length
  const healthy = health.filter((status) => status === 200).length
  const early = shedBeforeAuth(answers).length
  return [
    [`capacity ${capacity.toFixed(0)} a second`, capacity > 0],
    [`${refused.length} of ${answers.length} rejected`, refused.length > 0],
    ['every rejection has Retry-After', refused.every(({ hasRetryAfter }) => hasRetryAfter)],
    [`${early} forged tokens shed before verification, ${judged.length} verified`, early > 0],
    [`${others} other responses`, others === 0],
    [`health ${healthy} of ${health.length}`, healthy === health.length && healthy > 0],
  ]
}

function speedOf({ capacity, unloaded, answers, seconds }: Seen, isShort: boolean): Finding[] {
  const sent = answers.length / seconds / capacity
  const share = accepted(answers).length / seconds / capacity
  const p99 = quantile(accepted(answers), 0.99)
  const calm = quantile(accepted(unloaded), 0.99)
  const p99Max = 2 * calm + LIMITS.p99ExtraMs
  const refusal = quantile(answers.filter(isRefusal), 0.95)
  const found: [what: string, isOk: boolean][] = [
    [`sent ${sent.toFixed(1)} × capacity`, sent >= TIMES_CAPACITY * LIMITS.sentShare],
    [`accepted ${(share * 100).toFixed(0)} % of it`, share >= LIMITS.acceptedShare],
    [`p99 of accepted ${ms(p99)} (unloaded ${ms(calm)}, at most ${ms(p99Max)})`, p99 <= p99Max],
    [`rejections p95 ${ms(refusal)}`, refusal <= LIMITS.refusalP95Ms],
  ]
  return found.map(([what, isOk]) => [what, isShort ? null : isOk])
}

function report(found: Finding[]) {
  for (const [what, isOk] of found)
    console.log(`${isOk === null ? 'info  ' : isOk ? 'ok    ' : 'FAILED'} ${what}`)
  const isOk = found.every(([, one]) => one !== false)
  const failed = found.flatMap(([what, one]) => (one === false ? [what] : []))
  console.log(
    `overload: ${isOk ? 'ok' : 'FAILED'}, seed ${SEED}, ${TIMES_CAPACITY} × capacity: ${(isOk ? found.map(([what]) => what) : failed).join(', ')}`,
  )
  return isOk
}

const ms = (value: number) => `${value.toFixed(0)} ms`

function quantile(answers: LoadResponse[], share: number) {
  const sorted = answers.map((response) => response.ms).toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
