import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { connectDb } from '../../api/src/platform/db.ts'
import { claimDue } from '../../api/src/platform/files/file-rows.ts'
import { startKeyServer } from '../../ops/drills/kit/key-server.ts'
import { cacheDirectory } from '../../ops/drills/kit/million-cache.ts'
import { startPostgres } from '../../tools/stack/postgres.ts'
import { fillDatabase } from '../fill-database.ts'
import { isBeside, planSettings, plansOf, showPlans, startMeasured } from '../plans.ts'
import { BUSY, FILES, seedFiles } from './seed.ts'

/** Buffers that files add to an upload, a change, a reading and the sweep, with ten million rows in their table. */
const BUFFERS_MAX = 50
/** PostgreSQL may switch to a generic plan at the sixth execution; the worst run counts. */
const REPEATS = 8
const DATABASE = 'attachments'
const ADMIN = { sub: 'sub-1', name: 'Person sub-1', role: 'admin' } as const

const directory = cacheDirectory('bench/attachments')
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-attachments-'))
const postgres = await startPostgres({
  directory,
  settings: { shared_buffers: '512MB', autovacuum: 'off', ...planSettings(directory) },
})
const client = new pg.Client({ connectionString: postgres.url('postgres', DATABASE) })
const keys = await startKeyServer()
const results: { what: string; figure: number }[] = []
try {
  await fillDatabase({ postgres, directory, database: DATABASE }, seed)
  await client.connect()
  await client.query('vacuum')
  await showPlans(client)
  const env = { FILES_DIR: folder, SIGNING_SECRET: 'only-for-this-measurement-0123456789abcdef' }
  const api = await startMeasured({ postgres, keys, database: DATABASE, env })
  try {
    await measureRequests(api.base)
  } finally {
    await api.stop()
  }
  await measureSweep()
} finally {
  await client.end()
  keys.stop()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
report()

async function seed(filling: pg.Client) {
  console.log(`Creating ${FILES.toLocaleString('en')} rows (cached for later runs)…`)
  await seedFiles(filling)
  await filling.query('insert into subject_refs (sub, ref) values ($1, $2)', [ADMIN.sub, BUSY])
}

/** The person has a thousand staged files, which the quota adds up. */
async function measureRequests(base: string) {
  const token = await keys.tokenOf(ADMIN)
  const send = async (method: string, path: string, body?: BodyInit, headers = {}) => {
    const response = await fetch(`${base}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { id: string }
  }
  const json = { 'content-type': 'application/json' }
  const upload = (name: string) =>
    send('POST', 'files', `bytes of ${name}`, {
      'content-type': 'application/octet-stream',
      'x-file-name': name,
    })
  const ticket = await send(
    'POST',
    'tickets',
    JSON.stringify({
      fullName: 'Olive Owner',
      email: 'olive@example.test',
      subject: 'The telephone is silent',
      contactType: 'Query',
      message: 'It does not ring.',
    }),
    { ...json, 'idempotency-key': crypto.randomUUID() },
  )
  const put = (change: object) => send('PUT', `tickets/${ticket.id}`, JSON.stringify(change), json)
  let [uploading, attaching, linking] = [0, 0, 0]
  const attached: string[] = []
  for (let time = 0; time < REPEATS; time++) {
    const add = async () => void attached.push((await upload(`${time}.txt`)).id)
    uploading = Math.max(uploading, await buffersOf(add))
    const plain = await buffersOf(() => put({ subject: `Changed ${time}` }))
    const change = { subject: `Attached ${time}`, attachments: attached }
    attaching = Math.max(attaching, (await buffersOf(() => put(change))) - plain)
    if (time > 0) continue
    const link = () => send('POST', `tickets/${ticket.id}/file-links`, '{}', json)
    for (let again = 0; again < REPEATS; again++) linking = Math.max(linking, await buffersOf(link))
  }
  results.push(
    { what: 'upload, with the quota of a person with 1,000 staged files', figure: uploading },
    { what: 'attach, beyond the same change without a file', figure: attaching },
    { what: 'links of a record with one file', figure: linking },
  )
}

async function measureSweep() {
  const db = connectDb(postgres.url('gatehouse_app', DATABASE), { max: 1 })
  let worst = 0
  try {
    for (let time = 0; time < REPEATS; time++)
      worst = Math.max(worst, await buffersOf(() => claimDue(db, 1, 30)))
  } finally {
    await db.close()
  }
  results.push({ what: 'the sweep claims a file', figure: worst })
}

async function buffersOf(run: () => Promise<unknown>) {
  const plans = await plansOf({ directory, client }, run)
  if (plans.length === 0) throw new Error('no plan was logged')
  return plans.filter((plan) => !isBeside(plan)).reduce((all, { buffers }) => all + buffers, 0)
}

function report() {
  const width = Math.max(...results.map(({ what }) => what.length))
  for (const { what, figure } of results)
    console.log(
      `${what.padEnd(width)} ${String(figure).padStart(6)} ${BUFFERS_MAX}  ${figure > BUFFERS_MAX ? 'OVER' : 'ok'}`,
    )
  const over = results.filter(({ figure }) => figure > BUFFERS_MAX)
  console.log(
    over.length === 0 ? 'attachments: ok' : `attachments: FAILED, ${over.length} over their limit`,
  )
  if (over.length > 0) process.exitCode = 1
}
