import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { buildWeb } from '../../tools/stack/web.ts'
import { deployPages } from './deploy-pages.ts'
import { startApi } from './kit/api-process.ts'
import { checkTables } from './api-kill-checks.ts'
import { creations, updates, type Write } from './kit/kill-writes.ts'
import { counted, send, startLoad, type Read } from './kit/load-generator.ts'
import { retryRefused } from './kit/load-generator.ts'
import { startSite } from './kit/site-process.ts'
import { startDrillEnvironment, type DrillEnvironment } from './kit/drill-environment.ts'

const LEAST = { reads: 3_750, creates: 1_000 }
const UPDATES = 60
const ROUNDS = 2
/** Pause between replicas, longer than nginx's fail_timeout, as in a deployment. */
const SETTLE_MS = 1_500
/** A replica that doesn't drain loses requests, which nginx then repeats: none fails, but some take several seconds. */
const SLOWEST_MAX_MS = 4_000
const REPLICA = { DRAIN_MS: '1500' }
const READ_PATHS = ['/api/services', '/api/tickets', '/api/models']

/**
 * Replaces both replicas behind the shipped nginx twice during reads and writes. No request may fail; rejections with
 * Retry-After are retried and counted. Then two builds write their pages into one folder (deploy-pages.ts).
 */
export async function deploy() {
  const environment = await startDrillEnvironment()
  try {
    await buildWeb(environment.directory)
    const { problems: failed, facts } = await run(environment)
    const problems = [...failed, ...(await deployPages(environment))]
    for (const problem of problems) console.log(problem)
    console.log(
      problems.length === 0
        ? `deploy: ok, ${facts}: none failed, no write duplicated, no page missing`
        : `deploy: FAILED, ${facts}: ${problems.length} problems`,
    )
    return problems.length === 0
  } finally {
    await environment.close()
  }
}

async function run(environment: DrillEnvironment) {
  const env = { ...environment.env, ...REPLICA }
  const replicas = [await startApi({ env }), await startApi({ env })]
  const site = await startSite({
    directory: join(environment.directory, 'nginx'),
    replicas: replicas.map(({ port }) => port),
  })
  try {
    let refused = 0
    const changed = await updates(environment.keys, UPDATES, (write) =>
      retryRefused(
        () => send(site.base, write),
        () => refused++,
      ),
    )
    const load = startLoad(site.base, {
      reads: await readsOf(environment),
      writes: shuffleIn(changed, await creations(environment.keys, LEAST.creates * 20)),
      least: LEAST,
    })
    const started = Date.now()
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, replica] of replicas.entries()) {
        await replica.stop()
        replicas[index] = await startApi({ env, port: replica.port })
        await setTimeout(SETTLE_MS)
      }
    const done = await load.end()
    const seconds = (Date.now() - started) / 1000
    const facts =
      `${done.reads} reads, ${done.creates} keyed creations and ${done.updates} updates ` +
      `in ${seconds.toFixed(1)} s through ${ROUNDS * replicas.length} replacements, ${refused + done.refused} rejected with Retry-After and retried`
    const slowest = `slowest response ${(done.slowestMs / 1000).toFixed(2)} s`
    console.log(slowest)
    const late = done.slowestMs > SLOWEST_MAX_MS ? [`${slowest}, without draining?`] : []
    const traces = await checkTables(environment, { creates: done.creates, updates: UPDATES })
    return { problems: [...counted(done.failures), ...late, ...traces], facts }
  } finally {
    await site.stop()
    await Promise.all(replicas.map((replica) => replica.stop()))
  }
}

async function readsOf({ keys }: DrillEnvironment): Promise<Read[]> {
  const token = await keys.tokenOf({ sub: 'sub-reader', name: 'Rita Reader', role: 'admin' })
  return READ_PATHS.map((path) => ({ path, headers: { authorization: `Bearer ${token}` } }))
}

/** One of `few` for every three of `many`. */
const shuffleIn = (few: Write[], many: Write[]) =>
  many.flatMap((write, index) => {
    const other = index % 3 === 0 ? few[index / 3] : undefined
    return other ? [write, other] : [write]
  })
