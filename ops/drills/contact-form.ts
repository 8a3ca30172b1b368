import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { startApi, type ApiProcess } from './kit/api-process.ts'
import { startRelay, type Relay } from './contact-form-relay.ts'
import { seeded } from './kit/random.ts'
import { startDrillEnvironment, type DrillEnvironment } from './kit/drill-environment.ts'

const ENQUIRIES = Number(process.env['ENQUIRIES'] ?? 1_000)
/** Five per account, the limit per minute, so that the limit can stay on. */
const PEOPLE = ENQUIRIES / 5
const KILLS = Number(process.env['KILLS'] ?? 50)
/** Every nth enquiry is a client report, which also goes to the alert address. */
const REPORT_EVERY = 5
const WRITERS = 20
/** Enquiries are sent during this share of the kills; the remaining kills hit the sending of mail. */
const WRITTEN_BY = 0.8
const PAUSE_MAX_MS = 400
const RETRY_MS = 250
const TRIES = 2_000
const DRAIN_MS = 240_000
const PACE_MS = 10_000
const { owner } = JSON.parse(
  readFileSync(new URL('../../sample/site.json', import.meta.url), 'utf8'),
) as { owner: { email: string; alertEmail: string } }

/** Sends enquiries to two replicas that are killed repeatedly, without a mail server for the first half. */
export async function contactForm() {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`seed ${seed} (the times of the kills also depend on the machine)`)
  const stage = await startDrillEnvironment()
  const relay = await startRelay()
  try {
    const problems = await run(stage, relay, seeded(seed))
    for (const problem of problems) console.log(problem)
    const all = `${ENQUIRIES} enquiries of ${PEOPLE} accounts through ${KILLS} kills`
    console.log(
      problems.length === 0
        ? `enquiry: ok, ${all}: none lost, none duplicated, every mail sent`
        : `enquiry: FAILED, ${all}: ${problems.length} problems, seed ${seed}`,
    )
    return problems.length === 0
  } finally {
    await relay.down()
    await stage.close()
  }
}

type Scene = {
  stage: DrillEnvironment
  relay: Relay
  replicas: ApiProcess[]
  kills: number
  upAt: number
}

async function run(stage: DrillEnvironment, relay: Relay, random: () => number) {
  const env = {
    ...stage.env,
    SMTP_URL: relay.url,
    MAIL_FROM: 'Gatehouse <mail@gatehouse.example>',
    // With the models' limits, as in production.
    CREATIONS_PER_MINUTE: '',
  }
  const first = await startApi({ env })
  const environment: Scene = {
    stage,
    relay,
    replicas: [first, await startApi({ env })],
    kills: 0,
    upAt: 0,
  }
  try {
    const [retries] = await Promise.all([writeAll(environment), killAll(environment, env, random)])
    const written = Date.now()
    const left = await inOutbox(stage)
    await untilEmpty(stage)
    const seconds = (Date.now() - written) / 1000
    console.log(`${retries} requests retried with the same key`)
    console.log(
      `mails received per 10 s since the mail server started: ${paceOf(environment).join(', ')}`,
    )
    console.log(`${left} mails pending after the last kill, sent in ${seconds.toFixed(1)} s`)
    return [...(await checkTickets(stage)), ...checkMails(relay)]
  } finally {
    await Promise.all(environment.replicas.map((replica) => replica.stop()))
  }
}

async function writeAll(environment: Scene) {
  const tokens = await Promise.all(
    Array.from({ length: PEOPLE }, (_, n) =>
      environment.stage.keys.tokenOf({ sub: `sub-${n}`, name: `Person ${n}`, role: 'user' }),
    ),
  )
  let next = 0
  let retries = 0
  const writer = async () => {
    for (let n = next++; n < ENQUIRIES; n = next++) {
      while (environment.kills < Math.floor((n / ENQUIRIES) * KILLS * WRITTEN_BY))
        await setTimeout(20)
      retries += await writeOne(environment, n, tokens[n % PEOPLE] ?? '')
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  return retries
}

async function writeOne({ replicas }: Scene, n: number, token: string) {
  for (let tried = 0; tried < TRIES; tried++) {
    const base = replicas[(n + tried) % replicas.length]?.base
    const answer = await fetch(`${base}/api/tickets`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `enquiry-${n}`,
      },
      body: JSON.stringify({
        fullName: `Person ${n}`,
        email: `sender${n}@example.test`,
        subject: `enquiry ${n}`,
        message: 'Please call me.',
        contactType: isReport(n) ? 'Report' : 'Query',
      }),
    }).then(
      (response) => response.status,
      () => 0,
    )
    if (answer === 201) return tried
    if (answer >= 400 && ![409, 429, 503].includes(answer))
      throw new Error(`enquiry ${n} got ${answer}`)
    await setTimeout(RETRY_MS)
  }
  throw new Error(`enquiry ${n} was never accepted`)
}

/** Kills the replicas in turn, each restarted before the next kill; halfway through, the mail server starts. */
async function killAll(environment: Scene, env: Record<string, string>, random: () => number) {
  for (let kill = 0; kill < KILLS; kill++) {
    if (kill === Math.floor(KILLS / 2)) {
      console.log(`${await inOutbox(environment.stage)} mails pending when the mail server starts`)
      await environment.relay.up()
      environment.upAt = Date.now()
    }
    await setTimeout(random() * PAUSE_MAX_MS)
    const index = kill % environment.replicas.length
    const replica = environment.replicas[index]
    if (!replica) throw new Error('no replica')
    await replica.kill()
    environment.kills++
    environment.replicas[index] = await startApi({ env, port: replica.port })
  }
}

/** Mails accepted per 10 s since the mail server started. */
function paceOf({ relay, upAt }: Scene) {
  const pace: number[] = []
  for (const { at } of relay.deliveries) {
    const index = Math.floor((at - upAt) / PACE_MS)
    pace[index] = (pace[index] ?? 0) + 1
  }
  return Array.from(pace, (count) => count ?? 0)
}

async function inOutbox({ ask }: DrillEnvironment) {
  return Number((await ask('select count(*) from outbox'))[0]?.['count'])
}

async function untilEmpty(stage: DrillEnvironment) {
  const deadline = Date.now() + DRAIN_MS
  while ((await inOutbox(stage)) > 0 && Date.now() < deadline) await setTimeout(250)
}

async function checkTickets({ ask }: DrillEnvironment) {
  const counts: [string, number][] = [
    ['select count(*) from tickets', ENQUIRIES],
    ['select count(distinct subject) from tickets', ENQUIRIES],
    ['select count(*) from tickets where version = 1 and contact is not null', ENQUIRIES],
    ['select count(*) from contacts', ENQUIRIES],
    ['select count(*) from accounts', PEOPLE],
    [`select count(*) from revisions where model = 'tickets'`, ENQUIRIES],
    [`select count(*) from audit_events where entity = 'tickets'`, ENQUIRIES],
    ['select count(*) from outbox', 0],
  ]
  const problems: string[] = []
  for (const [sql, wanted] of counts) {
    const found = Number((await ask(sql))[0]?.['count'])
    if (found !== wanted) problems.push(`${sql}: ${found} instead of ${wanted}`)
  }
  return problems
}

/** One mail to the desk and one to the sender per enquiry, one more per report; a kill may duplicate one in flight. */
function checkMails({ deliveries }: Relay) {
  const problems: string[] = []
  const numbers = Array.from({ length: ENQUIRIES }, (_, n) => n)
  const idsTo = (to: string) =>
    new Set(deliveries.filter((one) => one.to === to).map(({ messageId }) => messageId)).size
  const expected: [string, number][] = [
    [owner.email, ENQUIRIES],
    [owner.alertEmail, numbers.filter(isReport).length],
    ...numbers.map((n): [string, number] => [`sender${n}@example.test`, 1]),
  ]
  for (const [to, wanted] of expected)
    if (idsTo(to) !== wanted) problems.push(`${to} got ${idsTo(to)} mails instead of ${wanted}`)
  const distinct = new Set(deliveries.map(({ messageId }) => messageId)).size
  const again = deliveries.length - distinct
  console.log(`${distinct} mails, ${again} of them duplicated, through ${KILLS} kills`)
  if (again > KILLS) problems.push(`${again} mails duplicated, more than the number of kills`)
  return problems
}

const isReport = (n: number) => n % REPORT_EVERY === 0
