import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from '../../api/src/platform/errors.ts'
import { parseEnv, setEnv } from './env-file.ts'
import type { Kit } from './kit-text.ts'

export const DEFAULT_REGION = 'us-east-1'
const AUTHORITY = 'tls/authority.pem'

/** The kit of an installation, with the name of its site. A server has its settings in another file. */
export function kitOf(folder: string, settingsFile = '.env'): { kit: Kit; site: string } {
  const env = parseEnv(readOr(join(folder, settingsFile)))
  const secret = (name: string) => readOr(join(folder, 'secrets', name)).trim()
  const kit = {
    version: env['VERSION'] ?? '',
    bucket: env['BACKUP_BUCKET'] ?? '',
    region: env['BACKUP_REGION'] || DEFAULT_REGION,
    key: secret('backup_s3_key'),
    secret: secret('backup_s3_secret'),
    passPhrase: secret('backup_pass_phrase'),
    authority: readOr(join(folder, AUTHORITY)),
  }
  if (!kit.bucket)
    throw new SetupError('There is no bucket, so there is no kit: name one with gatehouse init')
  return { kit, site: env['SITE_HOST'] ?? '' }
}

/** Writes what the programs of ops/backup read, into an empty folder. */
export function writeKit(folder: string, kit: Kit) {
  const settings = { BACKUP_BUCKET: kit.bucket, BACKUP_REGION: kit.region }
  for (const name of ['secrets', 'tls']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'env'), setEnv('', settings))
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, 'secrets', name), text)
    chmodSync(join(folder, 'secrets', name), 0o444)
  }
  write('backup_s3_key', kit.key)
  write('backup_s3_secret', kit.secret)
  write('backup_pass_phrase', kit.passPhrase)
  if (kit.authority) writeFileSync(join(folder, AUTHORITY), `${kit.authority}\n`)
}

/** Lets the restored settings name this release and the kit's bucket. An older release can't read newer tables. */
export function settleSettings(file: string, { version, kit }: { version: string; kit: string }) {
  const text = readFileSync(file, 'utf8')
  const { VERSION: before = '' } = parseEnv(text)
  if (isOlder(version, before))
    throw new SetupError(
      `The backup is of release ${before}, and this is ${version}: restore with ${before} or a newer one`,
    )
  const { BACKUP_BUCKET = '', BACKUP_REGION = '' } = parseEnv(readFileSync(kit, 'utf8'))
  writeFileSync(file, setEnv(text, { VERSION: version, BACKUP_BUCKET, BACKUP_REGION }))
}

const isOlder = (version: string, other: string) =>
  version.localeCompare(other, 'en', { numeric: true }) < 0

const readOr = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')
