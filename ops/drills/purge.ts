import { models } from '@gatehouse/model/models'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { connectDb } from '../../api/src/platform/db.ts'
import { buildTrashPurger } from '../../api/src/engine/operations/purge-expired.ts'
import { buildEngine } from '../../api/src/engine/engine.ts'
import { readConfig } from '../../api/src/platform/site-config.ts'
import { startApi } from './kit/api-process.ts'
import { startKeyServer } from './kit/key-server.ts'
import { openSeededDatabase } from './kit/seeded-database.ts'
import { many, startClients, type LoadClient } from './kit/load-generator.ts'
import { seeded } from './kit/random.ts'
import { report, seconds } from './kit/results.ts'
import { countedLinks, leftOf, linksTo, scansOfTickets, unservedKeys } from './purge-counts.ts'

const DUE = 1_000
/** One contact has this many tickets, so that unlinking takes several transactions. */
const LINKS = 1_000
const WRITERS = 4
const PAUSE_MS = 20
/** Baseline: writes without a purge. */
const CALM_MS = 10_000
const WORST_WRITE_MS = 500
const RUNS_UNTIL_NAMED = 3
const ADMIN = { sub: 'sub-admin', name: 'Ada Admin', role: 'admin' } as const
/** Set PURGE_SEED to repeat a run. */
const SEED = Number(process.env['PURGE_SEED'] ?? Date.now() % 2 ** 31)

/** Purges a thousand contacts in a database of a million tickets, one of them locked, during writes. */
export async function purge() {
  const million = await openSeededDatabase()
  const keys = await startKeyServer()
  const client = new pg.Client({ connectionString: million.url('gatehouse_migrate') })
  await client.connect()
  try {
    const due = await makeDue(client)
    const env = { ...keys.env, DATABASE_URL: million.url('gatehouse_app'), WORKER: 'off' }
    const api = await startApi({ env })
    try {
      const headers = { authorization: `Bearer ${await keys.tokenOf(ADMIN)}` }
      return await run({ url: million.url, base: api.base, headers, client, due })
    } finally {
      await api.stop()
    }
  } finally {
    await client.end()
    keys.stop()
    await million.close()
  }
}

type Scene = {
  url: Awaited<ReturnType<typeof openSeededDatabase>>['url']
  base: string
  headers: Record<string, string>
  client: pg.Client
  due: string[]
}

async function run({ url, base, headers, client, due }: Scene) {
  const locked = due[Math.floor(DUE / 2)] ?? ''
  const release = await hold(url('gatehouse_migrate'), locked)
  const db = connectDb(url('gatehouse_app'), { max: 2 })
  const { site } = readConfig(new URL('../../sample/site.json', import.meta.url).pathname)
  const engine = buildEngine({ db, site, models, desk: { email: '', alertEmail: '' } })
  const trash = buildTrashPurger(engine)
  const warned: unknown[] = []
  const logger = { warn: (facts: unknown) => void warned.push(facts) }

  const links = await linksTo(client, due)
  const scansBefore = await scansOfTickets(client)
  const people = { base, headers, tickets: await someTickets(client, due) }
  const calm = startWriting(people)
  await setTimeout(CALM_MS)
  const { worstMs: calmMs } = await calm.end()
  const writing = startWriting(people)
  const started = Date.now()
  for (let turn = 1; turn <= RUNS_UNTIL_NAMED; turn++) await emptyWhole(trash, logger)
  const took = seconds(started)
  const { writes, worstMs, failures } = await writing.end()
  const scans = (await scansOfTickets(client)) - scansBefore
  const left = await leftOf(client, due)
  const system = await fetch(`${base}/api/system`, { headers })
  const { trash: told } = (await system.json()) as { trash: { refused: { records: Named[] } } }
  const named = told.refused.records.map(({ id }) => id)
  await release()
  await emptyWhole(trash, logger)
  const [rest, slow] = [await leftOf(client, due), await unservedKeys(client)]
  const counted = await countedLinks(client, due)
  await db.close()

  const isOne = (ids: string[]) => ids.length === 1 && ids[0] === locked
  return report(
    'purge',
    [
      {
        title: 'all but the locked one are purged',
        isRight: isOne(left),
        figure: `${DUE - left.length} of ${DUE} in ${took} s`,
      },
      {
        title: 'the locked one is reported',
        isRight: isOne(named) && warned.length === RUNS_UNTIL_NAMED,
        figure: `${named.length} on System, ${warned.length} lines in the log`,
      },
      {
        title: 'it is purged once unlocked',
        isRight: rest.length === 0,
        figure: `${rest.length} left`,
      },
      {
        title: 'unlinked tickets are counted',
        isRight: counted === links,
        figure: `${counted} of ${links} links`,
      },
      {
        title: 'no foreign key scans a full table',
        isRight: scans === 0 && slow.length === 0,
        figure: `${scans} sequential scans of tickets${slow.map((key) => `, ${key}`).join('')}`,
      },
      {
        title: 'writes continue',
        isRight: worstMs <= WORST_WRITE_MS && failures.length === 0,
        figure: `${writes} writes, worst ${worstMs} ms, without a purge ${calmMs} ms${failures.map((one) => `, ${one}`).join('')}`,
      },
    ],
    `seed ${SEED}`,
  )
}

type Named = { id: string }
type Logger = { warn: (facts: unknown) => void }

/** Resumes a run that is out of time, like the job. */
async function emptyWhole(trash: ReturnType<typeof buildTrashPurger>, logger: Logger) {
  await trash.due()
  do await trash.empty('contacts', logger)
  while ((await trash.due()).includes('contacts'))
}

/** The benchmark has no contact in the trash, so nothing else is purged. */
async function makeDue(client: pg.Client) {
  const random = seeded(SEED)
  const { rows } = await client.query<{ id: string }>(
    `select id from contacts where deleted_at is null
      and (select count(*) from (select from tickets where contact = contacts.id limit 101) linked) <= 100
      order by id limit $1`,
    [DUE * 5],
  )
  const due = rows
    .map(({ id }) => ({ id, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .slice(0, DUE)
    .map(({ id }) => id)
    .toSorted()
  await client.query(
    `update contacts set deleted_at = now() - interval '31 days' where id = any($1)`,
    [due],
  )
  await client.query(
    `update tickets set contact = $1 where id in (select id from tickets where contact <> all($2) order by id limit $3)`,
    [due[0], due, LINKS],
  )
  await client.query('analyze')
  return due
}

async function hold(url: string, id: string) {
  const holder = new pg.Client({ connectionString: url })
  // On another failure the database stops first; its error must not hide the cause.
  holder.on('error', () => {})
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from contacts where id = $1 for update', [id])
  return () => holder.end()
}

/** Tickets about to lose their contact, and others. */
async function someTickets(client: pg.Client, due: string[]) {
  const { rows } = await client.query<{ id: string }>(
    `(select id from tickets where contact = any($1) and deleted_at is null limit 400)
      union all (select id from tickets where deleted_at is null limit 400)`,
    [due],
  )
  return rows.map(({ id }) => id)
}

/** Updates and creations, sequential per writer; none may fail or take long. */
function startWriting({
  base,
  headers,
  tickets,
}: Pick<Scene, 'base' | 'headers'> & { tickets: string[] }) {
  const random = seeded(SEED)
  const done = { writes: 0, worstMs: 0, failures: [] as string[] }
  const writer: LoadClient = async (isEnding) => {
    while (!isEnding()) {
      const isCreation = random() < 0.5
      const id = tickets[Math.floor(random() * tickets.length)]
      const started = Date.now()
      const response = await fetch(`${base}/api/tickets${isCreation ? '' : `/${id}`}`, {
        method: isCreation ? 'POST' : 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(isCreation ? NEW : { minutesSpent: Math.floor(random() * 1_000) }),
      })
      await response.arrayBuffer()
      done.writes++
      done.worstMs = Math.max(done.worstMs, Date.now() - started)
      if (!response.ok) done.failures.push(`a write got ${response.status}`)
      await setTimeout(PAUSE_MS)
    }
  }
  return startClients(many(WRITERS, writer), () => done)
}

const NEW = { subject: 'New', fullName: 'Drill', email: 'drill@example.test', message: 'Hello' }
