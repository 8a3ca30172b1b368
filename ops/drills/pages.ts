import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { declared } from '../../api/src/installation.ts'
import { migrate } from '../../api/src/platform/migrate.ts'
import { readConfig, todayIn } from '../../api/src/platform/site-config.ts'
import { CHECKOUT } from '../../tools/stack/settings.ts'
import { buildWeb } from '../../tools/stack/web.ts'
import { startDrillEnvironment, type DrillEnvironment } from './kit/drill-environment.ts'
import { seeded } from './kit/random.ts'
import { report, seconds } from './kit/results.ts'
import { startReplica, type Published, type Replica } from './pages-replica.ts'

const LIMITS = { seconds: 20, files: 10, queryMs: 5 }
/** A process that renders a change lives a little longer than `killedWithinMs`. */
const FULL = { services: 200, articles: 5_000, kills: 20, killedWithinMs: 800, lagMs: 50 }
/** In CI both replicas render at once beside PostgreSQL, on two cores that may be shared. */
const SHORT = { services: 20, articles: 300, kills: 2, killedWithinMs: 300, lagMs: 100 }
/** Replicas of one machine share a folder of pages, those of two machines don't. */
const OWN_FOLDERS = process.env['OWN_FOLDERS'] === 'yes'
const FILL_TIMEOUT_MS = 900_000
const POLL_MS = 100
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const BEFORE_MIDNIGHT_MS = 2_000
const EXPIRING = 3
/** Those before have changes of their own. */
const FIRST_KILLED = 10
const FIRST_EDITION = 1

type Size = typeof FULL
type Setup = {
  environment: DrillEnvironment
  replicas: Replica[]
  token: string
  clock: string
  next: () => number
}
type Change = { title: string; make: () => Promise<void>; isRight: (replica: Replica) => boolean }
type Outcome = { title: string; took: number; rendered: number }

/**
 * Two replicas and as many pages as a large site, in one folder, or with OWN_FOLDERS=yes in one for each. An article changes, is unpublished, and expires at
 * midnight; the processes that render are killed at random moments. Every page must be right on both within 20 s.
 */
export async function pages({ isShort }: { isShort: boolean }) {
  const size = isShort ? SHORT : FULL
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  const folders = OWN_FOLDERS ? 'a folder for each replica' : 'one folder'
  console.log(`${size.articles} articles, ${size.services} services, ${folders}, seed ${seed}`)
  const environment = await startDrillEnvironment()
  const replicas: Replica[] = []
  try {
    await buildWeb(environment.directory)
    await seedRecords(environment, size)
    const queryMs = await timeQuery(environment)
    const clock = join(environment.directory, 'clock')
    writeFileSync(clock, '0')
    const startedAt = Date.now()
    const { directory, env, keys } = environment
    await Promise.all(
      ['one', 'two'].map(async (name) =>
        replicas.push(
          await startReplica({
            name,
            env,
            directory,
            clock,
            pages: OWN_FOLDERS ? `pages-${name}` : 'pages',
          }),
        ),
      ),
    )
    await Promise.all(replicas.map((replica) => untilFilled(replica)))
    const filled = `${seconds(startedAt)} s with a delay of ${takeLongestLag(replicas).toFixed(0)} ms`
    const token = await keys.tokenOf({ sub: 'sub-editor', name: 'Edith Editor', role: 'admin' })
    const setup = { environment, replicas, token, clock, next: seeded(seed) }
    const kills = await killAll(setup, size)
    const changes = [rename(setup, 1), unpublish(setup, 2), expireAtMidnight(setup)]
    const outcomes = [...kills.outcomes]
    // Together, each takes as long as one.
    if (isShort) outcomes.push(await watch(setup, changes))
    else for (const change of changes) outcomes.push(await watch(setup, [change]))
    const wrong = await countWrong(setup)
    const lagMs = takeLongestLag(replicas)
    return report(
      'pages',
      [
        atMost('both replicas right', Math.max(...outcomes.map(({ took }) => took)), {
          most: LIMITS.seconds,
          unit: 's',
        }),
        atMost(
          'files rendered for a change',
          Math.max(...outcomes.map(({ rendered }) => rendered)),
          {
            most: LIMITS.files,
          },
        ),
        atMost('event loop delay in a change', lagMs, { most: size.lagMs, unit: 'ms' }),
        atMost('query for changes', queryMs, { most: LIMITS.queryMs, unit: 'ms' }),
        {
          title: 'processes killed',
          isRight: kills.count >= size.kills,
          figure: `${kills.count} of ${size.kills}`,
        },
        atMost('wrong pages at the end', wrong, { most: 0 }),
      ],
      `${size.articles} articles, all written in ${filled}, ready after ${Math.max(...replicas.map(({ readyMs }) => readyMs))} ms, seed ${seed}`,
    )
  } finally {
    for (const replica of replicas) await replica.stop()
    await environment.close()
  }
}

const takeLongestLag = (replicas: Replica[]) =>
  Math.max(...replicas.map(({ takeLongestLagMs }) => takeLongestLagMs()))

async function seedRecords({ env, ask }: DrillEnvironment, { services, articles }: Size) {
  await migrate(env.DATABASE_MIGRATION_URL, declared().tables)
  await ask(
    `insert into services (id, name, slug, category, summary, description, published, sort_order)
     select gen_random_uuid(), 'Drill service ' || n, 'drill-service-' || n, 'Managed IT', 'What it is for.',
       repeat('What it includes, and what it does not. ', 20), true, n from generate_series(1, $1::int) n`,
    [services],
  )
  await ask(
    `insert into articles (id, title, slug, kind, summary, body, published, pinned, published_at, service, expires_on)
     select gen_random_uuid(), 'Drill article ' || n || ' edition ' || $2::int, 'drill-article-' || n, 'Guide', 'What it says.',
       repeat('A sentence of a guide, with **words** that matter. ', 60), true, false, now() - n * interval '1 hour',
       (select id from services where slug = 'drill-service-' || 1 + n % $3::int),
       case when n = $4::int then $5::date end
     from generate_series(1, $1::int) n`,
    [articles, FIRST_EDITION, services, EXPIRING, todayIn(site)],
  )
  await ask('vacuum analyze services, articles')
}

const { site } = readConfig(join(process.env['SITE_DIR'] ?? join(CHECKOUT, 'sample'), 'site.json'))
const slugOf = (number: number) => `drill-article-${number}`
const titleOf = (number: number, edition: number) => `Drill article ${number} edition ${edition}`

/** Median of nine runs of the query that replicas repeat every ten seconds (api/src/pages/change-stamp.ts). */
async function timeQuery({ ask }: DrillEnvironment) {
  const times: number[] = []
  for (let turn = 0; turn < 9; turn++) {
    const startedAt = performance.now()
    for (const table of ['services', 'articles'])
      await ask(`select count(*), sum(hashtextextended(id::text, version)) from ${table}`)
    times.push(performance.now() - startedAt)
  }
  return times.toSorted((a, b) => a - b)[4] ?? Infinity
}

async function untilFilled(replica: Replica) {
  const deadline = Date.now() + FILL_TIMEOUT_MS
  while (replica.runs().at(-1)?.waiting !== 0) {
    if (Date.now() > deadline) throw new Error(`${replica.name} has not written all pages`)
    await setTimeout(POLL_MS)
  }
}

function rename(setup: Setup, number: number, edition = FIRST_EDITION + 1): Change {
  const title = titleOf(number, edition)
  return {
    title: `article ${number} changed`,
    make: () => put(setup, number, { title }),
    isRight: (replica) => replica.titleOf(slugOf(number)) === title,
  }
}

const unpublish = (setup: Setup, number: number): Change => ({
  title: `article ${number} unpublished`,
  make: () => put(setup, number, { published: false }),
  isRight: (replica) => replica.titleOf(slugOf(number)) === null,
})

/** The replicas' clocks are put forward to shortly before midnight of the site. */
const expireAtMidnight = ({ clock }: Setup): Change => ({
  title: `article ${EXPIRING} expired at midnight`,
  make: async () => {
    writeFileSync(clock, String(nextMidnight() - BEFORE_MIDNIGHT_MS - Date.now()))
    await setTimeout(BEFORE_MIDNIGHT_MS)
  },
  isRight: (replica) => replica.titleOf(slugOf(EXPIRING)) === null,
})

/** The first minute of tomorrow; no zone's day ends within a minute. */
function nextMidnight() {
  const today = todayIn(site)
  const first = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS
  const minutes = Array.from({ length: DAY_MS / MINUTE_MS + 1 }, (_, n) => first + n * MINUTE_MS)
  return minutes.find((at) => todayIn(site, new Date(at)) !== today) ?? 0
}

/** Kills the process that renders a change, on both replicas, at random moments of its life. */
async function killAll(setup: Setup, { kills, articles, killedWithinMs }: Size) {
  const outcomes: Outcome[] = []
  let count = 0
  for (let turn = 0; count < kills; turn++) {
    const number = FIRST_KILLED + Math.floor(setup.next() * (articles - FIRST_KILLED))
    let isOver = false
    const killing = setup.replicas.map(async (replica) => {
      const child = await replica.nextChild(() => isOver)
      await setTimeout(setup.next() * killedWithinMs)
      if (child !== undefined && kill(child)) count++
    })
    outcomes.push(await watch(setup, [rename(setup, number, FIRST_EDITION + 2 + turn)]))
    isOver = true
    await Promise.all(killing)
  }
  return { outcomes, count }
}

function kill(pid: number) {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
    return false
  }
}

/** Until both replicas are right and have completed a run. */
async function watch({ replicas }: Setup, changes: Change[]): Promise<Outcome> {
  const title = changes.map((change) => change.title).join(', ')
  const before = replicas.map((replica) => replica.runs().length)
  for (const { make } of changes) await make()
  const startedAt = Date.now()
  while (!replicas.every((replica) => changes.every(({ isRight }) => isRight(replica)))) {
    if (Date.now() - startedAt > 5 * LIMITS.seconds * 1000) break
    await setTimeout(POLL_MS)
  }
  const took = (Date.now() - startedAt) / 1000
  while (!replicas.every((replica, index) => replica.runs().length > (before[index] ?? 0)))
    await setTimeout(POLL_MS)
  const most = Math.max(
    ...replicas.flatMap((replica, index) =>
      replica
        .runs()
        .slice(before[index])
        .map((run) => run.rendered),
    ),
  )
  const rendered = Math.ceil(most / changes.length)
  console.log(`${took.toFixed(1).padStart(6)} s  ${String(rendered).padStart(3)} files  ${title}`)
  return { title, took, rendered }
}

async function put({ replicas, token, environment }: Setup, number: number, body: object) {
  const [row] = await environment.ask('select id from articles where slug = $1', [slugOf(number)])
  const { status } = await fetch(`${replicas[0]?.base}/api/articles/${String(row?.['id'])}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'if-match': '*',
    },
    body: JSON.stringify(body),
  })
  if (status !== 200) throw new Error(`the change was answered with ${status}`)
}

async function countWrong({ replicas, environment }: Setup) {
  const rows = await environment.ask(
    'select slug, title from articles where published and expires_on is null and deleted_at is null',
  )
  const published: Published = new Map(rows.map(({ slug, title }) => [String(slug), String(title)]))
  const wrong = replicas.map((replica) => replica.wrongArticles(published))
  for (const slug of new Set(wrong.flat())) console.log(`wrong: ${slug}`)
  return wrong.flat().length
}

const atMost = (
  title: string,
  figure: number,
  { most, unit = '' }: { most: number; unit?: string },
) => ({
  title,
  isRight: figure <= most,
  figure: `${Number.isInteger(figure) ? figure : figure.toFixed(1)} ${unit}, at most ${most}`,
})
