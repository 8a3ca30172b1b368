import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setEnv } from './env-file.ts'
import { urlOf, type Answers } from './questions.ts'
import type { InstallationFolder } from './read-folder.ts'
import { siteConfigOf } from './site-template.ts'

const SECRET_BYTES = 24
const GENERATED = [
  'database_password',
  'database_migration_password',
  'postgres_password',
  'keycloak_database_password',
  'identity_service_secret',
  'realm_secret',
  'signing_secret',
  'backup_pass_phrase',
]
const SERVER_HEADER = `# Answers of gatehouse init, which gatehouse up stores in the other files of this folder. Passwords are in secrets/.
`
const HEADER = `# Settings of this installation. \`./gatehouse init\` changes the lines it knows and keeps all others.
# Add any setting of docs/reference/settings.md. Passwords are not here but in secrets/, one file each.
`

type Release = {
  version: string
  /** Where its images come from, if that isn't this machine. */
  registry?: string | undefined
}

/** Returns what was written, for the deployer. */
export function writeFiles(
  installation: InstallationFolder,
  answers: Answers,
  { version, registry }: Release,
) {
  const { folder, envText, site, isServer, settingsFile } = installation
  const settings = {
    VERSION: version,
    SITE_HOST: answers['SITE_HOST'] ?? '',
    ...(isServer ? { OIDC_ISSUER: answers['OIDC_ISSUER'] ?? '' } : {}),
    IDENTITY_HOST: answers['IDENTITY_HOST'] ?? '',
    OWNER_EMAIL: answers['OWNER_EMAIL'] ?? '',
    TLS: answers['TLS'] ?? '',
    BACKUP_BUCKET: answers['BACKUP_BUCKET'] ?? '',
    ...(registry ? { IMAGE_REGISTRY: registry } : {}),
  }
  const header = isServer ? SERVER_HEADER : HEADER
  replaceFile(join(folder, settingsFile), setEnv(envText || header, settings), 0o644)
  writeSecrets(join(folder, 'secrets'), answers, isServer ? [] : GENERATED)
  // Compose would create a missing folder as root.
  for (const name of ['site', 'tls'])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o755 })
  if (site !== 'own') writeSite(installation, answers)
  return [settingsFile, 'secrets/', ...(site === 'own' ? [] : ['site/site.json'])]
}

function writeSecrets(folder: string, answers: Answers, generated: string[]) {
  mkdirSync(folder, { recursive: true })
  // Only its owner may enter, and Compose mounts each file into containers with users of their own.
  chmodSync(folder, 0o700)
  const write = (name: string, text: string) => replaceFile(join(folder, name), text, 0o444)
  for (const name of generated)
    if (!hasContent(join(folder, name))) write(name, randomBytes(SECRET_BYTES).toString('hex'))
  write('smtp_url', smtpUrlOf(answers))
  // The deployer's own, if files are in a bucket.
  if (generated.length > 0 && !existsSync(join(folder, 'files_s3_secret')))
    write('files_s3_secret', '')
  // Empty without a bucket: Compose binds the files all the same.
  for (const name of ['BACKUP_S3_KEY', 'BACKUP_S3_SECRET'])
    write(name.toLowerCase(), answers[name] ?? '')
}

/** Any password is encoded: `#` or `/` would end the host. */
export function smtpUrlOf({ SMTP_URL = '', SMTP_PASSWORD = '' }: Answers) {
  const url = urlOf(SMTP_URL)
  if (!url || !SMTP_PASSWORD) return SMTP_URL
  return `${url.protocol}//${url.username}:${encodeURIComponent(SMTP_PASSWORD)}@${url.host}${url.pathname}${url.search}`
}

/** The sample is kept beside, because a file of the deployer's folder is never deleted. */
function writeSite({ siteFile, site }: InstallationFolder, answers: Answers) {
  if (site === 'sample') renameSync(siteFile, siteFile.replace(/json$/, 'sample.json'))
  replaceFile(siteFile, `${JSON.stringify(siteConfigOf(answers), null, 2)}\n`, 0o644)
}

const hasContent = (file: string) => existsSync(file) && readFileSync(file, 'utf8').trim() !== ''

/** By rename: an interrupted run leaves the old file whole. The mode doesn't depend on the umask. */
function replaceFile(file: string, text: string, mode: number) {
  const unfinished = `${file}.new`
  writeFileSync(unfinished, text)
  chmodSync(unfinished, mode)
  renameSync(unfinished, file)
}
