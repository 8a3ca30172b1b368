import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { copyWorkspace, withoutSite } from '../../tools/build/workspace.ts'
import { startApi, type ApiProcess } from './kit/api-process.ts'
import { startDrillEnvironment, type DrillEnvironment } from './kit/drill-environment.ts'
import { counted } from './kit/load-generator.ts'
import { seeded } from './kit/random.ts'
import { report, seconds, type Result } from './kit/results.ts'
import { checkHistory, checkRows, SEED } from './migrate-oracle.ts'
import { RELEASES, writeRelease } from './migrate-releases.ts'
import { SEEDED_ROWS, startJobWrites, type Acknowledged } from './migrate-writes.ts'

const ADMIN = { sub: 'sub-admin', name: 'Ada Admin', role: 'admin' } as const
const KILLS = 4
const KILL_WITHIN_MS = 700
const CALM_MS = 1_500
const SAMPLE_MS = 20
const LOCK_MAX_MS = 1_000
const TARGETS = 2_000

/**
 * Takes a site through releases that make each kind of change to a table of 100,000 rows: generated, checked and applied with
 * the commands of a provider, while the API of the release before writes; the migration is killed and rolled forward.
 */
export async function migrateKinds() {
  const started = Date.now()
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
  console.log(`SEED=${seed}`)
  const copy = copyWorkspace()
  const environment = await startDrillEnvironment()
  try {
    const results = await run({ copy, environment, random: seeded(seed) })
    return report('migrate kinds', results, `${SEEDED_ROWS} rows, ${seconds(started)} s`)
  } finally {
    await environment.close()
    rmSync(copy, { recursive: true, force: true })
  }
}

type Scene = { copy: string; environment: DrillEnvironment; random: () => number }

async function run(scene: Scene) {
  const { copy, environment } = scene
  const { DATABASE_MIGRATION_URL: url, ...env } = environment.env
  const site = join(copy, 'site')
  mkdirSync(site)
  for (const name of ['site.json', 'notice'])
    cpSync(join(copy, 'sample', name), join(site, name), { recursive: true })
  const known = new Map<string, Acknowledged>()
  const results: Result[] = []
  let api: ApiProcess | null = null
  try {
    for (const [number, release] of RELEASES.entries()) {
      writeRelease(site, release)
      commandIn(copy, 'npx', 'prettier', '--write', 'site')
      commandIn(copy, 'npm', 'run', 'db:migration', `release-${number}`, '--', ...release.answers)
      commandIn(copy, 'npm', 'run', 'notice:write')
      const checked = commandIn(copy, 'npm', 'run', '--silent', 'site:check')
      results.push({
        title: `${release.kinds}: site:check`,
        isRight: checked.includes('no errors'),
        figure: '',
      })
      if (api) results.push(...(await migrateUnderWrites(scene, { number, api, url, known })))
      else {
        commandIn(copy, 'npm', 'run', 'db:migrate', url)
        await environment.ask(SEED)
        await environment.ask('analyze site_jobs')
      }
      const next: ApiProcess = await startApi({
        root: copy,
        env,
        log: join(environment.directory, 'api.log'),
      })
      await api?.stop()
      api = next
    }
    return [
      ...results,
      toResult('rows are as the oracle says', await checkRows(environment.ask, known)),
      toResult('history is as the oracle says', await checkHistory(environment.ask, known)),
      toResult('the last release reads and writes', await useLast(environment, api)),
    ]
  } finally {
    await api?.stop()
  }
}

const toResult = (title: string, problems: string[]): Result => ({
  title,
  isRight: problems.length === 0,
  figure: problems.join('; '),
})

function commandIn(copy: string, ...command: string[]) {
  const url = command.at(-1)?.startsWith('postgres') ? command.pop() : undefined
  const [program = '', ...args] = command
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: copy,
    encoding: 'utf8',
    env: { ...withoutSite(), ...(url ? { DATABASE_MIGRATION_URL: url } : {}) },
  })
  if (status !== 0) throw new Error(`${command.join(' ')} failed:\n${stdout}${stderr}`)
  return stdout
}

type Step = { number: number; api: ApiProcess; url: string; known: Map<string, Acknowledged> }

/** The API of the release before writes until the migration has ended. */
async function migrateUnderWrites(
  { copy, environment, random }: Scene,
  { number, api, url, known }: Step,
): Promise<Result[]> {
  const before = RELEASES[number - 1]
  const { kinds = '' } = RELEASES[number] ?? {}
  const load = startJobWrites({
    base: api.base,
    token: await environment.keys.tokenOf(ADMIN),
    release: number - 1,
    minutes: before?.minutes ?? null,
    targets: await findTargets(environment),
    known,
  })
  const locks = await watchLocks(url)
  await setTimeout(CALM_MS)
  const started = Date.now()
  const kills = await killMigrations({ copy, url, random, environment })
  const last = await runMigration(copy, url)
  const took = seconds(started)
  await setTimeout(CALM_MS)
  const { failures, count } = await load.end()
  const longest = await locks.end()
  const writes = `${count} records written, ${kills} kills, ${took} s`
  return [
    toResult(`${kinds}: applied`, last === 0 ? [] : [`db:migrate ended with ${last}`]),
    toResult(`${kinds}: no write failed`, counted(failures)),
    {
      title: `${kinds}: locks`,
      isRight: longest <= LOCK_MAX_MS,
      figure: `longest wait ${longest} ms; ${writes}`,
    },
  ]
}

const findTargets = async ({ ask }: DrillEnvironment) =>
  (
    await ask(`select id, substr(code, 3)::int as n from site_jobs
      where code like 'C-%' order by code limit ${TARGETS}`)
  ).map(({ id, n }) => ({ id: String(id), n: Number(n) }))

type Killing = Scene & { url: string }

/** Kills it while a statement runs, so that a file is left unfinished. Returns how often. */
async function killMigrations({ copy, url, random, environment }: Killing) {
  for (let kills = 0; kills < KILLS; kills++) {
    const child = startMigration(copy, url)
    const ended = once(child, 'exit')
    const isWorking = await waitUntilWorking(environment, () => child.exitCode !== null)
    if (!isWorking) return kills
    await setTimeout(random() * KILL_WITHIN_MS)
    if (child.exitCode !== null) return kills
    child.kill('SIGKILL')
    await ended
  }
  return KILLS
}

const WORKING = `select from pg_stat_activity where usename = 'gatehouse_migrate' and pid <> pg_backend_pid()
  and state = 'active' and query ~* 'site_jobs' and query !~* 'pg_locks'`

async function waitUntilWorking({ ask }: DrillEnvironment, hasEnded: () => boolean) {
  while (!hasEnded()) {
    if ((await ask(WORKING)).length > 0) return true
    await setTimeout(SAMPLE_MS / 4)
  }
  return false
}

const startMigration = (copy: string, url: string) =>
  spawn(process.execPath, ['tools/db/migrate.ts'], {
    cwd: copy,
    env: { ...withoutSite(), DATABASE_MIGRATION_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  })

async function runMigration(copy: string, url: string) {
  const [status] = (await once(startMigration(copy, url), 'exit')) as [number | null]
  return status
}

/** Longest time that a statement of the API has waited for a lock, in milliseconds. */
async function watchLocks(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  let [longest, isEnding] = [0, false]
  const watching = (async () => {
    while (!isEnding) {
      const { rows } = await client.query<{ ms: number | null }>(
        `select (extract(epoch from max(clock_timestamp() - waitstart)) * 1000)::int as ms
          from pg_locks join pg_stat_activity using (pid) where not granted and usename = 'gatehouse_app'`,
      )
      longest = Math.max(longest, rows[0]?.ms ?? 0)
      await setTimeout(SAMPLE_MS)
    }
  })()
  return {
    end: async () => {
      isEnding = true
      await watching
      await client.end()
      return longest
    },
  }
}

/** Lists, searches and changes a seeded record, and reads its history. */
async function useLast({ keys }: DrillEnvironment, api: ApiProcess | null) {
  const headers = {
    authorization: `Bearer ${await keys.tokenOf(ADMIN)}`,
    'content-type': 'application/json',
  }
  const ask = async (path: string, method = 'GET', body?: object) => {
    const response = await fetch(`${api?.base}/api/${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  }
  const found = await ask('jobs?q=Job%2077777&sort=colour')
  const [job] = found.json['items'] as Record<string, unknown>[]
  if (job?.['hours'] !== 77_777) return [`searching found ${JSON.stringify(found)}`]
  const changed = await ask(`jobs/${String(job['id'])}`, 'PUT', { hours: 1.5, colour: 'red' })
  const taken = await ask('jobs', 'POST', { title: 'T', code: 'C-1', place: 'P', note: 'N' })
  const history = await ask(`jobs/${String(job['id'])}/history`)
  return [
    ...(changed.json['hours'] === 1.5 ? [] : [`changing got ${JSON.stringify(changed)}`]),
    ...(taken.status === 409 || taken.status === 422 ? [] : [`a taken code got ${taken.status}`]),
    ...(history.status === 200 ? [] : [`history got ${history.status}`]),
  ]
}
