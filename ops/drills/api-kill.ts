import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { startApi, type ApiProcess } from './kit/api-process.ts'
import { checkTables, storedOf } from './api-kill-checks.ts'
import { creations, updates, type WriteResponse, type Write } from './kit/kill-writes.ts'
import { seeded } from './kit/random.ts'
import { startDrillEnvironment, type DrillEnvironment } from './kit/drill-environment.ts'

const CREATES = 200
const UPDATES = 60
const WRITERS = 20
const KILLS = 5
/** Responses between two kills, and a random delay in ms, so that a kill may hit any point of a write. */
const ANSWERS_BETWEEN = { min: 5, max: 15 }
const DELAY_MAX_MS = 20
const REPLAY_TRIES = 50
const REPLAY_PAUSE_MS = 200

/** Kills the API (SIGKILL) during writes, then replays all writes with the same keys. */
export async function apiKill() {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`seed ${seed} (the times of the kills also depend on the machine)`)
  const environment = await startDrillEnvironment()
  try {
    const problems = await run(environment, seeded(seed))
    for (const problem of problems) console.log(problem)
    const all = `${CREATES} creations and ${UPDATES} updates through ${KILLS} kills`
    console.log(
      problems.length === 0
        ? `api-kill: ok, ${all}: no record duplicated, no acknowledged write lost, one revision and one audit row per change`
        : `api-kill: FAILED, ${all}: ${problems.length} problems, seed ${seed}`,
    )
    return problems.length === 0
  } finally {
    await environment.close()
  }
}

async function run(environment: DrillEnvironment, random: () => number) {
  const server = { api: await startApi({ env: environment.env }), isBack: Promise.resolve() }
  try {
    const created = await creations(environment.keys, CREATES)
    const changed = await updates(environment.keys, UPDATES, (write) => send(server.api, write))
    const writes = shuffle([...created, ...changed], random)
    const responses = await writeAndKill(environment, server, writes, random)

    const silent = writes.filter((write) => !responses.has(write)).map(({ name }) => name)
    const kept = await storedOf(environment, silent)
    console.log(
      `${responses.size} acknowledged, ${silent.length} without a response, of which ${kept} had been stored`,
    )
    const problems = await replay(server.api, writes, responses)
    return [
      ...problems,
      ...(await checkTables(environment, { creates: CREATES, updates: UPDATES })),
    ]
  } finally {
    await server.api.stop()
  }
}

type Server = { api: ApiProcess; isBack: Promise<void> }

/** Sends every write once; those without a response are left for the replay. Returns the responses. */
async function writeAndKill(
  stage: DrillEnvironment,
  server: Server,
  writes: Write[],
  random: () => number,
) {
  const responses = new Map<Write, WriteResponse>()
  const queue = [...writes]
  let kills = 0
  let untilKill = between(ANSWERS_BETWEEN, random)

  const restart = async () => {
    await setTimeout(random() * DELAY_MAX_MS)
    await server.api.kill()
    server.api = await startApi({ env: stage.env, port: server.api.port })
    untilKill = between(ANSWERS_BETWEEN, random)
  }
  const writer = async () => {
    for (let write = queue.pop(); write; write = queue.pop()) {
      const answer = await send(server.api, write).catch(() => null)
      if (answer && answer.status < 300) responses.set(write, answer)
      if (--untilKill === 0 && kills < KILLS) {
        kills++
        server.isBack = restart()
      }
      // Waits for the restart, so that a kill may hit any write.
      if (!answer) await server.isBack
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writer))
  await server.isBack
  if (kills < KILLS) throw new Error(`all writes were done after only ${kills} kills`)
  return responses
}

/** Sends all again: a creation must return its first response; an update succeeds now or has already been applied. */
async function replay(api: ApiProcess, writes: Write[], responses: Map<Write, WriteResponse>) {
  const problems: string[] = []
  for (const write of writes) {
    const again = await sendUntilSettled(api, write)
    const first = responses.get(write)
    const isCreate = write.method === 'POST'
    const expected = isCreate ? [201] : first ? [412] : [200, 412]
    if (!expected.includes(again.status))
      problems.push(`${write.name}: replayed as ${again.status}`)
    if (isCreate && first && !isDeepStrictEqual(first.json, again.json))
      problems.push(`${write.name}: the replay returned a different response`)
    const record = again.status === 412 ? again.json['current'] : again.json
    if ((record as WriteResponse['json'])['subject'] !== write.name)
      problems.push(`${write.name}: differs from the stored record`)
  }
  return problems
}

/** A killed server's transaction may hold its lock for a short time. */
async function sendUntilSettled(api: ApiProcess, write: Write) {
  for (let attempt = 1; ; attempt++) {
    const answer = await send(api, write)
    const isUnsettled = answer.status === 503 || answer.json['code'] === 'in-flight'
    if (!isUnsettled || attempt === REPLAY_TRIES) return answer
    await setTimeout(REPLAY_PAUSE_MS)
  }
}

async function send(
  { base }: ApiProcess,
  { method, path, headers, body }: Write,
): Promise<WriteResponse> {
  const response = await fetch(`${base}${path}`, { method, headers, body: JSON.stringify(body) })
  return { status: response.status, json: (await response.json()) as WriteResponse['json'] }
}

const between = ({ min, max }: { min: number; max: number }, random: () => number) =>
  min + Math.floor(random() * (max - min + 1))

function shuffle<T>(items: T[], random: () => number) {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
