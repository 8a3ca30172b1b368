import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asPostgres, giveToPostgres } from '../../tools/stack/postgres.ts'

export const PROGRAM = '/usr/bin/pgbackrest'
const BACKUP = join(import.meta.dirname, '../backup')
const SITE = new URL('../../sample/site.json', import.meta.url)
/** A week between full backups, plus a day until expiry runs: see pgbackrest.conf. */
const RETENTION_SLACK_DAYS = 8

export function buildRepository(directory: string, port: number) {
  const site = JSON.parse(readFileSync(SITE, 'utf8')) as { backups: { retentionDays: number } }
  const places = ['repository', 'log', 'lock', 'spool', 'socket', 'fresh']
  for (const name of places) {
    mkdirSync(join(directory, name))
    giveToPostgres(join(directory, name))
  }
  const write = (name: string, passPhrase: string) => {
    const values: Record<string, string | number> = {
      REPOSITORY: join(directory, 'repository'),
      LOG_DIRECTORY: join(directory, 'log'),
      LOCK_DIRECTORY: join(directory, 'lock'),
      SPOOL_DIRECTORY: join(directory, 'spool'),
      SOCKET_DIRECTORY: join(directory, 'socket'),
      DATA_DIRECTORY: join(directory, 'data'),
      PORT: port,
      RETENTION_DAYS: site.backups.retentionDays - RETENTION_SLACK_DAYS,
      PASS_PHRASE: passPhrase,
    }
    const template = readFileSync(join(BACKUP, 'pgbackrest.conf'), 'utf8')
    const file = join(directory, name)
    writeFileSync(
      file,
      template.replaceAll(/\$\{([A-Z_]+)\}/g, (_all, key: string) => String(values[key])),
      { mode: 0o600 },
    )
    giveToPostgres(file)
    return file
  }
  const config = write('pgbackrest.conf', randomBytes(32).toString('base64'))
  const other = write('other-pass-phrase.conf', randomBytes(32).toString('base64'))
  const options = { cwd: directory, encoding: 'utf8' } as const
  const argsOf = (args: string[], file = config) =>
    asPostgres(PROGRAM, [`--config=${file}`, '--stanza=gatehouse', ...args])
  const restoreArgs = (data: string, target: string) => [
    `--pg1-path=${data}`,
    '--no-delta',
    '--type=time',
    `--target=${target}`,
    '--target-action=promote',
    'restore',
  ]
  return {
    port,
    path: join(directory, 'repository'),
    archiveCommand: `${PROGRAM} --config=${config} --stanza=gatehouse archive-push %p`,
    run: (...args: string[]) => execFileSync(...argsOf(args), options),
    /** Same as the timer. */
    backup: (statusFile: string) =>
      execFileSync(...asPostgres(join(BACKUP, 'backup.sh'), []), {
        ...options,
        env: { ...process.env, PGBACKREST_CONFIG: config, BACKUP_STATUS_FILE: statusFile },
      }),
    restore: (data: string, target: string) =>
      execFileSync(...argsOf(restoreArgs(data, target)), options),
    tryOtherPassPhrase: (data: string) =>
      spawnSync(...argsOf(restoreArgs(data, new Date().toISOString()), other), options),
  }
}

export type Repository = ReturnType<typeof buildRepository>
