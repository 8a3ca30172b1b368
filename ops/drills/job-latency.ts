import { setTimeout } from 'node:timers/promises'
import { startApi } from './kit/api-process.ts'
import { startRelay, type Relay } from './contact-form-relay.ts'
import { startDrillEnvironment, type DrillEnvironment } from './kit/drill-environment.ts'

const IDLE_S = Number(process.env['IDLE_S'] ?? 60)
/** A new worker first takes over jobs of a killed one. */
const SETTLE_S = 15
const IDLE_MAX_PER_S = 1
const MAILS = 50
const MAIL_MAX_MS = 1_000
const MAIL_PATIENCE_MS = 30_000
const POLL_MS = 2

/** Measures transactions of an idle worker, and the delay until a mail is sent. */
export async function jobs() {
  const environment = await startDrillEnvironment()
  const relay = await startRelay()
  await relay.up()
  const api = await startApi({
    env: {
      ...environment.env,
      SMTP_URL: relay.url,
      MAIL_FROM: 'Gatehouse <mail@gatehouse.example>',
    },
  })
  try {
    const perSecond = await idle(environment)
    const waits = await sendMails({ stage: environment, relay, base: api.base })
    const median = waits[Math.floor(waits.length / 2)] ?? Number.NaN
    const slowest = waits.at(-1) ?? Number.NaN
    const figures = `${perSecond.toFixed(2)} transactions a second over ${IDLE_S} s without requests, request to relay p50 ${median} ms, slowest of ${waits.length} ${slowest} ms`
    const isOk = perSecond <= IDLE_MAX_PER_S && slowest <= MAIL_MAX_MS && waits.length === MAILS
    console.log(`jobs: ${isOk ? 'ok' : 'FAILED'}, ${figures}`)
    return isOk
  } finally {
    await api.stop()
    await relay.down()
    await environment.close()
  }
}

async function idle(environment: DrillEnvironment) {
  await setTimeout(SETTLE_S * 1_000)
  const before = await transactions(environment)
  await setTimeout(IDLE_S * 1_000)
  return ((await transactions(environment)) - before) / IDLE_S
}

async function transactions({ ask }: DrillEnvironment) {
  const [row] = await ask(
    'select xact_commit from pg_stat_database where datname = current_database()',
  )
  return Number(row?.['xact_commit'])
}

type Scene = { stage: DrillEnvironment; relay: Relay; base: string }

/** One by one, timed from the start of the request, slightly longer than from its commit. */
async function sendMails({ stage, relay, base }: Scene) {
  const token = await stage.keys.tokenOf({ sub: 'sub-1', name: 'Una', role: 'user' })
  const waits: number[] = []
  for (let n = 0; n < MAILS; n++) {
    const started = Date.now()
    const email = `sender${n}@example.test`
    await writeTicket(`${base}/api/tickets`, { token, email })
    const at = await arrival(relay, email)
    if (at !== null) waits.push(at - started)
  }
  return waits.toSorted((a, b) => a - b)
}

async function writeTicket(url: string, { token, email }: { token: string; email: string }) {
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      fullName: 'Una',
      email,
      subject: 'Slow',
      message: 'Very',
      contactType: 'Query',
    }),
  })
  if (status !== 201) throw new Error(`creating a ticket got ${status}`)
}

async function arrival({ deliveries }: Relay, email: string) {
  const deadline = Date.now() + MAIL_PATIENCE_MS
  while (Date.now() < deadline) {
    const found = deliveries.find(({ to }) => to === email)
    if (found) return found.at
    await setTimeout(POLL_MS)
  }
  return null
}
