import { stat } from 'node:fs/promises'
import pg from 'pg'
import type { Env } from '../../api/src/platform/env.ts'
import { checkBucketRecipient } from '../../api/src/platform/files/bucket-recipient.ts'
import { FREE_SHARE_MIN, freeShareOf } from '../../api/src/platform/files/free-space.ts'
import { openStore } from '../../api/src/platform/files/open-files.ts'
import { isScannerUp } from '../../api/src/platform/files/scanner.ts'
import { idOf, keyOf, type FileStore } from '../../api/src/platform/files/store.ts'
import {
  failure,
  errorMessage,
  notInProduction,
  ok,
  warning,
  type Finding,
  type Installation,
} from './finding.ts'

type FileSettings = Env['files']

const FREE_WARNING = 0.1
const SCANNER_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 5_000
const ROWS_AT_ONCE = 1_000
/** Of each kind; more are not looked at, and the first are named. */
const DIFFERENCES_MAX = 1_000
const NAMED_MAX = 5
const OTHERS = 0o007

/** Where files are stored, and whether every row has its bytes and the other way round. */
export async function checkFiles(installation: Installation): Promise<Finding[]> {
  const { settings } = installation
  if (!settings) return []
  const { files, databaseUrl } = settings
  const undeclared = installation.config && checkBucketRecipient(files, installation.config)
  if (files.folder === null) return [ok('Files are refused: FILES_DIR is not set')]
  const place = await checkFolder(files.folder)
  if (place.some(({ level }) => level === 'failure')) return place
  const store = await openStore(files.folder, files.bucket)
  return [
    ...(undeclared
      ? [failure(undeclared, 'add it, then release a new version of the privacy notice')]
      : []),
    ...place,
    ...(await checkScanner(files, installation)),
    ...(await checkVersions(store)),
    ...(await checkRows(databaseUrl, store)),
  ]
}

async function checkFolder(folder: string): Promise<Finding[]> {
  try {
    const { mode } = await stat(folder)
    return [
      (mode & OTHERS) === 0
        ? ok(`Only the API and nginx can read ${folder}`)
        : failure(
            `Every user of this machine can read the files in ${folder}`,
            `chmod o= ${folder}`,
          ),
      freeFinding(folder, await freeShareOf(folder)),
    ]
  } catch (error) {
    return [
      failure(
        `${folder} of FILES_DIR can't be read (${errorMessage(error)}): uploads fail`,
        'create it for the user of the API, with the group of nginx: gatehouse up',
      ),
    ]
  }
}

export function freeFinding(folder: string, free: number) {
  const what = `${Math.round(free * 100)}% of the disk of ${folder} is free`
  const todo = 'free some space, or use a larger disk'
  if (free < FREE_SHARE_MIN) return failure(`${what}: uploads are refused`, todo)
  return free < FREE_WARNING ? warning(what, todo) : ok(what)
}

async function checkScanner(
  { scanner }: FileSettings,
  installation: Installation,
): Promise<Finding[]> {
  if (!scanner)
    return [
      warning(
        'There is no virus scanner: files are handed out unchecked',
        'start ClamAV and set CLAMD_URL, or accept it',
      ),
    ]
  const address = `${scanner.host}:${scanner.port}`
  return (await isScannerUp({ ...scanner, timeoutMs: SCANNER_TIMEOUT_MS }))
    ? [ok(`The virus scanner at ${address} responds`)]
    : [
        notInProduction(installation)(
          `The virus scanner at ${address} does not respond: new files can't be opened`,
          'start it, or correct CLAMD_URL',
        ),
      ]
}

async function checkVersions(store: FileStore): Promise<Finding[]> {
  try {
    const hasVersions = await store.hasVersions()
    if (hasVersions === null) return []
    return [
      hasVersions
        ? ok('The bucket of files keeps versions')
        : failure(
            'The bucket of files keeps no versions: what is deleted there is lost, and our backups don’t include it',
            'turn on versioning at its host, for as many days as backups.retentionDays',
          ),
    ]
  } catch (error) {
    return [
      failure(
        `The bucket of files can't be read: ${errorMessage(error)}`,
        'correct FILES_BUCKET, FILES_REGION, FILES_S3_KEY or FILES_S3_SECRET; the key needs to list, read, write, delete, and see versioning',
      ),
    ]
  }
}

async function checkRows(databaseUrl: string, store: FileStore): Promise<Finding[]> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  try {
    await client.connect()
    return [...(await checkVerdicts(client)), ...differenceFindings(await compare(client, store))]
  } catch (error) {
    return [
      warning(
        `Cannot compare the files with their rows: ${errorMessage(error)}`,
        'start PostgreSQL, or correct DATABASE_URL',
      ),
    ]
  } finally {
    await client.end()
  }
}

async function checkVerdicts(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ verdict: string; count: number }>(
    `select verdict, count(*)::int as count from files
     where verdict in ('unchecked', 'infected') and stage = 'attached' group by verdict`,
  )
  const count = (verdict: string) => rows.find((row) => row.verdict === verdict)?.count ?? 0
  const [unchecked, infected] = [count('unchecked'), count('infected')]
  return [
    ...(unchecked > 0
      ? [
          warning(
            `${unchecked} files wait for the virus scanner and can't be opened`,
            'see that the scanner responds: each is asked about again every minute',
          ),
        ]
      : []),
    ...(infected > 0
      ? [
          warning(
            `The virus scanner found something in ${infected} attached files; nobody can open them`,
            'take them out of their records',
          ),
        ]
      : []),
  ]
}

type Differences = {
  count: number
  /** Rows whose bytes are missing. */
  lost: string[]
  /** Rows whose bytes have another length. */
  cut: string[]
  /** Keys of bytes without a row. */
  stray: string[]
}

type FileRow = { id: string; size: number }

/** Both in the order of the keys, side by side, so that ten million need no memory. */
export async function compare(client: pg.Client, store: FileStore): Promise<Differences> {
  const found: Differences = { count: 0, lost: [], cut: [], stray: [] }
  const rows = rowsInOrder(client)
  let row = await nextOf(rows)
  let last: string | null = null
  const isFull = () => [found.lost, found.stray].some((kind) => kind.length >= DIFFERENCES_MAX)
  for await (const { key, size } of store.list()) {
    while (row && keyOf(row.id) < key && idOf(key) !== row.id && !isFull()) {
      found.lost.push(row.id)
      row = await nextOf(rows)
    }
    if (isFull()) break
    // Previews follow their file. A missing one is no failure: the original is shown.
    if (last !== null && idOf(key) === last) continue
    if (!row || idOf(key) !== row.id) found.stray.push(key)
    else if (key === keyOf(row.id)) {
      found.count++
      if (size !== row.size) found.cut.push(row.id)
      last = row.id
      row = await nextOf(rows)
    }
  }
  for (; row && !isFull(); row = await nextOf(rows)) found.lost.push(row.id)
  await rows.return(undefined)
  return confirm(client, store, found)
}

const nextOf = async (rows: AsyncGenerator<FileRow>) => (await rows.next()).value as FileRow | null

async function* rowsInOrder(client: pg.Client): AsyncGenerator<FileRow> {
  // The role's limits are those of requests.
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
  await client.query('begin read only')
  try {
    await client.query(
      `declare stored no scroll cursor for select id, size from files
       where stage in ('staged', 'attached', 'removed') order by right(id::text, 4) collate "C", id`,
    )
    for (;;) {
      const { rows } = await client.query<{ id: string; size: string }>(
        `fetch ${ROWS_AT_ONCE} from stored`,
      )
      if (rows.length === 0) return
      for (const { id, size } of rows) yield { id, size: Number(size) }
    }
  } finally {
    await client.query('rollback')
  }
}

/** People go on working: each difference is looked at again by itself. */
async function confirm(client: pg.Client, store: FileStore, found: Differences) {
  const ids = [...found.lost, ...found.cut, ...found.stray.flatMap((key) => idOf(key) ?? [])]
  const { rows } = await client.query<{ id: string; size: string; stage: string }>(
    'select id, size, stage from files where id = any($1::uuid[])',
    [ids],
  )
  const known = new Map(rows.map((row) => [row.id, row]))
  const lost: string[] = []
  const cut: string[] = []
  for (const id of [...found.lost, ...found.cut]) {
    const row = known.get(id)
    if (!row || !['staged', 'attached', 'removed'].includes(row.stage)) continue
    const stored = await sizeOf(store, keyOf(id))
    if (stored === null) lost.push(id)
    else if (stored !== Number(row.size)) cut.push(id)
  }
  const stray: string[] = []
  for (const key of found.stray) {
    const id = idOf(key)
    if ((id === null || !known.has(id)) && (await sizeOf(store, key)) !== null) stray.push(key)
  }
  return { count: found.count, lost, cut, stray }
}

async function sizeOf(store: FileStore, key: string) {
  for await (const stored of store.list(key)) if (stored.key === key) return stored.size
  return null
}

export function differenceFindings({ count, lost, cut, stray }: Differences): Finding[] {
  const restore =
    'bring their bytes back from a backup into FILES_DIR, or from a version of the bucket: a file with the ID …ab3f is ab/3f/ID'
  const findings = [
    ...(lost.length > 0
      ? [failure(`The bytes of ${countOf(lost)} are missing: ${named(lost)}`, restore)]
      : []),
    ...(cut.length > 0
      ? [failure(`The bytes of ${countOf(cut)} have another length: ${named(cut)}`, restore)]
      : []),
    ...(stray.length > 0
      ? [
          warning(
            `The bytes of ${countOf(stray)} have no row: ${named(stray)}`,
            'nothing to do if the database was restored: they are deleted after backups.retentionDays; remove what is none of ours',
          ),
        ]
      : []),
  ]
  return findings.length > 0 ? findings : [ok(`${count} files have their rows and their bytes`)]
}

const countOf = ({ length }: string[]) =>
  length >= DIFFERENCES_MAX
    ? `${DIFFERENCES_MAX} files or more`
    : `${length} ${length === 1 ? 'file' : 'files'}`

const named = (names: string[]) =>
  names.length > NAMED_MAX ? `${names.slice(0, NAMED_MAX).join(', ')} …` : names.join(', ')
