import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asPostgres, giveToPostgres } from '../../tools/stack/postgres.ts'

export const PROGRAM = '/usr/bin/pgbackrest'
const BACKUP = join(import.meta.dirname, '../backup')
const SITE_FILE = new URL('../../sample/site.json', import.meta.url).pathname

export function buildRepository(directory: string, port: number) {
  const places = [
    'repository',
    'lock',
    'socket',
    'fresh',
    'config',
    'status',
    'secrets',
    'other-secrets',
  ]
  for (const name of places) {
    mkdirSync(join(directory, name))
    giveToPostgres(join(directory, name))
  }
  const env = {
    ...process.env,
    PGDATA: join(directory, 'data'),
    PGPORT: String(port),
    BACKUP_FOLDER: join(directory, 'repository'),
    SOCKET_DIRECTORY: join(directory, 'socket'),
    LOCK_DIRECTORY: join(directory, 'lock'),
    SITE_FILE,
  }
  const write = (name: string, secrets: string) => {
    const [file, folder] = [join(directory, 'config', name), join(directory, secrets)]
    writeFileSync(join(folder, 'backup_pass_phrase'), randomBytes(32).toString('hex'))
    execFileSync(...asPostgres(join(BACKUP, 'write-config.sh'), []), {
      cwd: directory,
      env: { ...env, PGBACKREST_CONFIG: file, SECRETS_DIR: folder },
    })
    return file
  }
  const config = write('pgbackrest.conf', 'secrets')
  const other = write('other-pass-phrase.conf', 'other-secrets')
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
        env: { ...env, PGBACKREST_CONFIG: config, BACKUP_STATUS_FILE: statusFile },
      }),
    restore: (data: string, target: string) =>
      execFileSync(...argsOf(restoreArgs(data, target)), options),
    tryOtherPassPhrase: (data: string) =>
      spawnSync(...argsOf(restoreArgs(data, new Date().toISOString()), other), options),
  }
}

export type Repository = ReturnType<typeof buildRepository>
