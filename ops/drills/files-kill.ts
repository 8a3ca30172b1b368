import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { connectDb } from '../../api/src/platform/db.ts'
import { readEnv } from '../../api/src/platform/env.ts'
import { openStore } from '../../api/src/platform/files/open-files.ts'
import { keyOf, type FileStore } from '../../api/src/platform/files/store.ts'
import { buildFileSweep } from '../../api/src/platform/files/sweep-files.ts'
import { compare } from '../doctor/files.ts'
import { startFilesFront } from './files-front.ts'
import { checkRecords, openLedger, workOnRecords, type Ledger } from './files-records.ts'
import type { FilesOptions } from './files-transfers.ts'
import type { FilePlace } from './files.ts'
import { startApi, type ApiProcess } from './kit/api-process.ts'
import type { Upload } from './kit/file-client.ts'
import type { Result } from './kit/results.ts'

const PEOPLE = 8
const KILLS = { long: 30, short: 4 }
const KILL_PAUSE_MS = { min: 200, max: 900 }

/** Eight people attach, remove, undo and purge through two replicas, one of which is killed again and again. */
export async function checkKills(place: FilePlace, options: FilesOptions): Promise<Result[]> {
  const { environment, isShort } = options
  const kills = isShort ? KILLS.short : KILLS.long
  const replicas = [await startApi({ env: place.env }), await startApi({ env: place.env })]
  const front = await startFilesFront(
    place,
    replicas.map(({ port }) => port),
  )
  const ledger = openLedger()
  const since = await clock(environment)
  let isOver = false
  const people = Promise.all(
    Array.from({ length: PEOPLE }, (_, index) =>
      workOnRecords(
        { environment, base: front.base, index, kind: place.kind, isOver: () => isOver },
        ledger,
      ),
    ),
  )
  try {
    for (let kill = 0; kill < kills; kill++) {
      const { min, max } = KILL_PAUSE_MS
      await setTimeout(min + Math.random() * (max - min))
      await replaceKilled(replicas, kill % replicas.length, place)
    }
  } finally {
    isOver = true
    await people
    await front.stop()
    for (const replica of replicas) await replica.stop()
  }
  return judge(place, options, { ledger, kills, since })
}

async function replaceKilled(replicas: ApiProcess[], index: number, { env }: FilePlace) {
  const replica = replicas[index]
  if (!replica) return
  await replica.kill()
  replicas[index] = await startApi({ env, port: replica.port })
}

async function judge(
  place: FilePlace,
  { environment }: FilesOptions,
  { ledger, kills, since }: { ledger: Ledger; kills: number; since: unknown },
): Promise<Result[]> {
  const { files, databaseUrl } = readEnv(place.env)
  const store = await openStore(place.folder, files.bucket)
  const { sent, done, unanswered, problems } = ledger
  for (const problem of new Set(problems)) console.error(problem)
  const wrong = await differing(store, sent)
  const records = await checkRecords(environment, ledger)
  const due = await environment.ask(
    `update files set changed_at = now() - interval '40 days'
      where stage <> 'attached' and changed_at >= $1 returning id`,
    [since],
  )
  await sweep(place, store)
  const attached = await idsAttached(environment)
  const left = sent.filter(({ id }) => attached.has(id))
  const without = await differing(store, left)
  const { lost, cut, stray } = await differences(databaseUrl, store, sent)
  const counts = Object.entries(done).map(([name, count]) => `${name} ${count}`)
  return [
    {
      title: `acknowledged files, ${place.kind}`,
      isRight: sent.length > 0 && wrong === 0,
      figure: `${sent.length} through ${kills} kills, ${wrong} with another checksum or none`,
    },
    {
      title: `acknowledged changes, ${place.kind}`,
      isRight: records.lost + problems.length === 0 && Object.values(done).every((n) => n > 0),
      figure: `${counts.join(', ')}, ${unanswered} without an answer; ${records.lost} records lost one, ${problems.length} problems`,
    },
    {
      title: `records and files, ${place.kind}`,
      isRight: records.named + records.attached === 0,
      figure: `${records.named} named but not attached, ${records.attached} attached but not named`,
    },
    {
      title: `rows and bytes, ${place.kind}`,
      isRight: lost.length + cut.length + stray.length + without === 0 && left.length > 0,
      figure: `after a sweep of ${due.length}: ${left.length} attached, ${without} of them without their bytes; ${lost.length} rows without bytes, ${cut.length} cut, ${stray.length} bytes without a row`,
    },
  ]
}

async function sweep(place: FilePlace, store: FileStore) {
  const db = connectDb(readEnv(place.env).databaseUrl, { max: 1 })
  const incoming = join(place.folder, 'incoming')
  await buildFileSweep({ db, store, incoming, removedDays: 30 })()
  await db.close()
}

/** Of the database: files of the other place, which are in the same table, are left alone. */
const clock = async ({ ask }: FilesOptions['environment']) =>
  (await ask('select now()'))[0]?.['now']

async function idsAttached({ ask }: FilesOptions['environment']) {
  const rows = await ask(`select id from files where stage = 'attached'`)
  return new Set(rows.map(({ id }) => String(id)))
}

async function differing(store: FileStore, sent: Upload[]) {
  const directory = await mkdtemp(join(tmpdir(), 'files-drill-'))
  let wrong = 0
  for (const { id, sha256 } of sent) {
    const path = join(directory, id)
    const hash = createHash('sha256')
    const isThere = await store.copyTo(keyOf(id), path).then(
      () => true,
      () => false,
    )
    if (isThere) await pipeline(createReadStream(path), hash)
    if (!isThere || hash.digest('hex') !== sha256) wrong++
    await rm(path, { force: true })
  }
  await rm(directory, { recursive: true })
  return wrong
}

/** Rows of the other place have their bytes there. */
async function differences(databaseUrl: string, store: FileStore, sent: Upload[]) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const found = await compare(client, store)
    const here = new Set(sent.map(({ id }) => id))
    return { ...found, lost: found.lost.filter((id) => here.has(id)) }
  } finally {
    await client.end()
  }
}
