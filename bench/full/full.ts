import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { startDirectus } from '../peers/directus.ts'
import { arePeersInstalled, VERSIONS } from '../peers/install.ts'
import { startPocketBase } from '../peers/pocketbase.ts'
import { TICKETS } from '../../ops/drills/kit/million-seed.ts'
import { measurePgbench } from './pgbench.ts'
import { measureSides, watching } from '../compare/measure.ts'
import { arePeersFilled, dataDirectory } from './prepared-data.ts'
import { measureIdle } from './idle-memory.ts'
import { startBench } from '../compare/bench-environment.ts'
import { measureSpeed } from './throughput.ts'
import { toReport, type Results } from './report.ts'
import packages from '../../package.json' with { type: 'json' }

/**
 * `npm run bench`: compares ours with bare Fastify and the peers on a million tickets, into bench/RESULTS.md and
 * bench/results.json. Run `npm run bench -- prepare` once before.
 */
const ROUNDS = 7
/** Times are measured only if other processes use less of the CPU than this. */
const QUIET = 0.1

const started = Date.now()
const directory = dataDirectory()
const hasPeers = arePeersInstalled() && arePeersFilled(directory)
if (!hasPeers) console.log('Peers are not prepared, so they are skipped: npm run bench -- prepare')
const environment = await startBench({
  directory,
  tickets: TICKETS,
  ...(hasPeers
    ? {
        peers: async (postgres) => [
          await startDirectus(postgres),
          await startPocketBase(directory),
        ],
      }
    : {}),
})
try {
  const rest = await watching(environment, () => measureIdle(environment.env))
  const sides = await watching(environment, () => measureSides(environment, ROUNDS))
  const limit = await measurePgbench(environment)
  const speed = await watching(environment, () => measureSpeed(environment))
  const { rows } = await environment.client.query<{ version: string }>(
    `select current_setting('server_version') as version`,
  )
  const results: Results = {
    at: new Date().toISOString(),
    tickets: TICKETS,
    rounds: ROUNDS,
    machine: `${cpus().length} × ${cpus()[0]?.model}`,
    versions: {
      gatehouse: packages.version,
      node: process.version,
      postgresql: rows[0]?.version ?? '',
      fastify: packages.devDependencies.fastify,
      pg: packages.devDependencies.pg,
      ...(hasPeers ? VERSIONS : {}),
    },
    load: loadavg()[0] ?? 0,
    others: { rest: rest.others, cpu: sides.others, speed: speed.others },
    rows: sides.result,
    limit: Object.fromEntries(limit),
    rest: rest.result,
    speed: speed.others < QUIET ? speed.result : null,
    seconds: Math.round((Date.now() - started) / 1000),
  }
  writeFileSync(
    new URL('../results.json', import.meta.url),
    `${JSON.stringify(results, null, 2)}\n`,
  )
  const report = toReport(results)
  writeFileSync(new URL('../RESULTS.md', import.meta.url), report)
  console.log(report)
} finally {
  await environment.close()
}
