import { setTimeout } from 'node:timers/promises'
import { launchApi, type ApiProcess } from './kit/api-process.ts'
import { startRelay, type Relay } from './contact-form-relay.ts'
import { checkTables } from './api-kill-checks.ts'
import { startWriters } from './database-down-writers.ts'
import { startOutageEnvironment, type Outage } from './kit/drill-environment.ts'

const UP_MAX_S = 2
/** Scaled by the duration of a normal start on this machine. */
const BUSY_FACTOR = 1.5
const READY_MAX_S = 2
const ANSWER_MAX_S = 5
const DOWN_S = Number(process.env['DOWN_S'] ?? 60)
const SILENT_S = Number(process.env['SILENT_S'] ?? 30)
const CALM_S = 8
const MAILS_MAX_S = 60
const POLL_MS = 20

/** Runs the API without its database at start, and with a crashed and an unresponsive one during writes. */
export async function databaseDown() {
  const outage = await startOutageEnvironment()
  const relay = await startRelay()
  await relay.up()
  try {
    const problems = await run(outage, relay)
    for (const problem of problems) console.log(problem)
    const all = `database down at the start, ${DOWN_S} s down and ${SILENT_S} s unresponsive during writes`
    console.log(
      problems.length === 0
        ? `database-down: ok, ${all}: none lost, none duplicated, every response within ${ANSWER_MAX_S} s`
        : `database-down: FAILED, ${all}: ${problems.length} problems`,
    )
    return problems.length === 0
  } finally {
    await relay.down()
    await outage.close()
  }
}

type Scene = { outage: Outage; api: ApiProcess; problems: string[] }

async function run(outage: Outage, relay: Relay) {
  const problems: string[] = []
  const env = {
    ...outage.env,
    SMTP_URL: relay.url,
    MAIL_FROM: 'Gatehouse <mail@gatehouse.example>',
  }
  const usual = await startUsually(outage, env)
  const environment = { outage, problems, api: await startWithout({ env, usual, problems }) }
  try {
    await becomesReady(environment, 'PostgreSQL started after the API', () => outage.start())
    const writers = await startWriters(outage.keys, environment.api.base)
    await setTimeout(CALM_S * 1_000)
    await outage.crash()
    await setTimeout(DOWN_S * 1_000)
    await becomesReady(environment, `PostgreSQL started after ${DOWN_S} s`, () => outage.start())
    await setTimeout(CALM_S * 1_000)
    outage.silence()
    await setTimeout(SILENT_S * 1_000)
    await becomesReady(environment, `the network recovered after ${SILENT_S} s`, async () =>
      outage.speak(),
    )
    await setTimeout(CALM_S * 1_000)

    const done = await writers.end()
    console.log(
      `${done.created} creations, ${done.refused} rejected and retried, slowest response ${done.slowestS.toFixed(2)} s`,
    )
    problems.push(...done.problems)
    if (done.slowestS > ANSWER_MAX_S) problems.push('a response took too long')
    if (done.refused === 0) problems.push('nothing was rejected: the database was not unavailable')
    if (environment.api.hasEnded()) problems.push('the API process exited')
    problems.push(...(await checkTables(outage, { creates: done.created, updates: 0 })))
    problems.push(...(await checkMails(outage, relay)))
  } finally {
    await environment.api.stop()
  }
  return problems
}

/** Time of a normal start on this machine right now. */
async function startUsually(outage: Outage, env: Record<string, string>) {
  await outage.start()
  const api = await launchApi({ env })
  const seconds = await until(async () => (await statusOf(api, '/healthz')) === 200)
  await until(async () => (await statusOf(api, '/readyz')) === 200)
  await api.stop()
  await outage.crash()
  return seconds
}

async function startWithout({
  env,
  usual,
  problems,
}: {
  env: Record<string, string>
  usual: number
  problems: string[]
}) {
  const api = await launchApi({ env })
  const seconds = await until(async () => (await statusOf(api, '/healthz')) === 200)
  const ready = await statusOf(api, '/readyz')
  console.log(
    `without a database: up after ${seconds.toFixed(2)} s (${usual.toFixed(2)} s with one), /readyz ${ready}`,
  )
  if (seconds > Math.max(UP_MAX_S, usual * BUSY_FACTOR)) problems.push('the start took too long')
  if (ready !== 503) problems.push(`/readyz returns ${ready} without a database`)
  return api
}

async function becomesReady(
  { api, problems }: Scene,
  what: string,
  bringBack: () => Promise<unknown>,
) {
  if ((await statusOf(api, '/healthz')) !== 200) problems.push('/healthz fails without a database')
  if ((await statusOf(api, '/readyz')) !== 503) problems.push('/readyz does not return 503')
  await bringBack()
  const seconds = await until(async () => (await statusOf(api, '/readyz')) === 200)
  console.log(`${what}: ready after ${seconds.toFixed(2)} s`)
  if (seconds > READY_MAX_S) problems.push(`${what}: ready only after ${seconds.toFixed(2)} s`)
}

/** Mail is sent only if the worker has recovered too. */
async function checkMails({ ask }: Outage, { deliveries }: Relay) {
  const left = async () => Number((await ask('select count(*) from outbox'))[0]?.['count'])
  const seconds = await until(async () => (await left()) === 0, MAILS_MAX_S)
  console.log(`${deliveries.length} mails sent, the last ${seconds.toFixed(1)} s after the writes`)
  const remaining = await left()
  return remaining > 0 ? [`${remaining} mails still pending after ${MAILS_MAX_S} s`] : []
}

/** At the deadline it returns as well; the seconds show it. */
async function until(isTrue: () => Promise<boolean>, maxSeconds = 60) {
  const started = Date.now()
  while (!(await isTrue()) && Date.now() - started < maxSeconds * 1_000) await setTimeout(POLL_MS)
  return (Date.now() - started) / 1000
}

const statusOf = ({ base }: ApiProcess, path: string) =>
  fetch(`${base}${path}`).then(
    (response) => response.status,
    () => 0,
  )
