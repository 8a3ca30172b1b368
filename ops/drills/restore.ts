import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { declared } from '../../api/src/installation.ts'
import { migrate } from '../../api/src/platform/migrate.ts'
import { installMissing } from '../../tools/stack/debian.ts'
import { giveToPostgres, startPostgres } from '../../tools/stack/postgres.ts'
import { freePort } from '../../tools/stack/settings.ts'
import { buildRepository, PROGRAM, type Repository } from './restore-repository.ts'
import { fillForRestore, ROWS } from './restore-rows.ts'

const DATABASE = 'drill'
const RESTORE_MAX_S = 60
const ARCHIVE_TIMEOUT_S = 60
/** The archiver polls, and the machine may be busy. */
const ARCHIVE_SLACK_S = 15
/** OpenSSL's magic bytes; a file without them is not encrypted. */
const ENCRYPTED = 'Salted__'
const MARKER = 'Zebedee-Quillfeather'

/** Backs up, writes more, drops a table, then restores the second before the drop in a fresh cluster. */
export async function restore() {
  installMissing({ pgbackrest: PROGRAM })
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-restore-'))
  giveToPostgres(directory)
  try {
    const { problems, seconds } = await run(directory)
    for (const problem of problems) console.log(problem)
    const all = `${ROWS.toLocaleString('en')} rows, restored to the second before the drop in ${seconds.toFixed(1)} s`
    console.log(
      problems.length === 0
        ? `restore: ok, ${all}: identical, encrypted, not readable with another pass phrase`
        : `restore: FAILED, ${all}: ${problems.length} problems`,
    )
    return problems.length === 0
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function run(directory: string) {
  const repository = buildRepository(directory, await freePort())
  const lost = await loseTable(directory, repository)
  const problems = [...lost.problems, ...checkEncryption(repository, directory)]

  const started = Date.now()
  repository.restore(join(directory, 'fresh/data'), lost.target)
  const fresh = await startPostgres({
    directory: join(directory, 'fresh'),
    // No connections before the recovery target is reached.
    settings: { hot_standby: 'off', archive_mode: 'off' },
  })
  const seconds = (Date.now() - started) / 1000
  try {
    const found = await checksums(fresh.url('postgres', DATABASE))
    for (const [table, sum] of Object.entries(lost.checksums))
      if (found[table] !== sum)
        problems.push(`${table}: ${found[table] ?? 'is missing'} instead of ${sum}`)
    console.log(`${Object.keys(lost.checksums).length} tables compared`)
  } finally {
    await fresh.stop()
  }
  if (seconds > RESTORE_MAX_S) problems.push(`the restore took ${seconds.toFixed(1)} s`)
  return { problems, seconds }
}

/** Everything up to the lost server; only the repository remains. */
async function loseTable(directory: string, repository: Repository) {
  const problems: string[] = []
  const isArchiving = join(directory, 'status/archiving')
  const postgres = await startPostgres({
    directory,
    port: repository.port,
    settings: {
      unix_socket_directories: join(directory, 'socket'),
      archive_mode: 'on',
      archive_timeout: `${ARCHIVE_TIMEOUT_S}s`,
      // What fills the tables is in the first backup: two gigabytes would wait before the first segment that counts.
      archive_command: `test ! -e ${isArchiving} || ${repository.archiveCommand}`,
    },
  })
  const client = new pg.Client({ connectionString: postgres.url('postgres', DATABASE) })
  try {
    await postgres.createDatabase(DATABASE)
    await migrate(postgres.url('gatehouse_migrate', DATABASE), declared().tables)
    await client.connect()
    await fillForRestore(client, MARKER)
    repository.run('stanza-create')
    writeFileSync(isArchiving, '')
    repository.run('check')

    const statusFile = join(directory, 'status/backup.json')
    const begun = Date.now()
    repository.backup(statusFile)
    console.log(`full backup of ${await sizeOf(client)} in ${secondsSince(begun)} s`)
    const { finishedAt } = JSON.parse(readFileSync(statusFile, 'utf8')) as { finishedAt: string }
    if (!(Date.parse(finishedAt) >= begun - 1_000))
      problems.push('the status file lacks the time of the backup')

    await client.query(
      `update tickets set subject = subject || ' (after the backup)' where number % 100 = 0`,
    )
    await client.query(`delete from tickets where number % 1000 = 1`)
    const kept = await checksums(postgres.url('postgres', DATABASE))
    // Waits a second without writes, so that the second before the drop has none.
    await setTimeout(1_100)
    const target = await now(client)
    await setTimeout(1_100)
    await client.query('drop table tickets cascade')
    const dropped = Date.now()
    const waited = await untilArchived(client, dropped)
    console.log(`the drop was archived automatically after ${waited.toFixed(0)} s`)
    if (waited > ARCHIVE_TIMEOUT_S + ARCHIVE_SLACK_S)
      problems.push(`up to ${waited.toFixed(0)} s could have been lost`)
    return { checksums: kept, target, problems }
  } finally {
    await client.end()
    await postgres.stop()
  }
}

/** Only archive_timeout triggers this: at most a minute is lost with the machine. */
async function untilArchived(client: pg.Client, since: number) {
  const { rows } = await client.query<{ name: string }>(
    'select pg_walfile_name(pg_current_wal_insert_lsn()) as name',
  )
  const deadline = since + 2 * ARCHIVE_TIMEOUT_S * 1_000
  while (Date.now() < deadline) {
    const archived = await client.query(
      'select from pg_stat_archiver where last_archived_wal >= $1',
      [rows[0]?.name],
    )
    if (archived.rowCount) break
    await setTimeout(500)
  }
  return (Date.now() - since) / 1000
}

/** A person's name is in the data but nowhere in the repository. */
function checkEncryption(repository: Repository, directory: string) {
  const problems: string[] = []
  const holds = (path: string) => spawnSync('grep', ['-rqF', MARKER, path]).status === 0
  if (!holds(join(directory, 'data'))) problems.push('the name is missing from the data too')
  if (holds(repository.path)) problems.push('the repository contains a name in plain text')
  const files = readdirSync(repository.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const plain = files.filter(
    (file) => readFileSync(file).subarray(0, ENCRYPTED.length).toString() !== ENCRYPTED,
  )
  for (const file of plain) problems.push(`${file} is not encrypted`)
  console.log(`${files.length - plain.length} of ${files.length} files encrypted`)

  const data = join(directory, 'fresh/other')
  const { status } = repository.tryOtherPassPhrase(data)
  if (status === 0 || existsSync(join(data, 'PG_VERSION')))
    problems.push('another pass phrase restores it too')
  console.log(`with another pass phrase pgbackrest exits with status ${status}`)
  return problems
}

/** Checksum of every table, independent of row order. */
async function checksums(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`,
    )
    const sums: Record<string, string> = {}
    for (const { name } of rows) {
      const found = await client.query<{ sum: string }>(
        `select count(*) || ' rows ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as sum from ${name} t`,
      )
      sums[name] = found.rows[0]?.sum ?? ''
    }
    return sums
  } finally {
    await client.end()
  }
}

async function now(client: pg.Client) {
  const { rows } = await client.query<{ now: string }>(
    `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD HH24:MI:SS') || '+00' as now`,
  )
  return rows[0]?.now ?? ''
}

async function sizeOf(client: pg.Client) {
  const { rows } = await client.query<{ size: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  )
  return rows[0]?.size
}

const secondsSince = (started: number) => ((Date.now() - started) / 1000).toFixed(1)
