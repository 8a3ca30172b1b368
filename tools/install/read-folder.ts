import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isExample, type SiteConfig } from '@gatehouse/model'
import { parseEnv, type EnvValues } from './env-file.ts'
import { urlOf, type Answers } from './questions.ts'

/** On a server ops/install.sh takes the answers over into the settings of each program. */
export const SERVER_SETTINGS = 'init.env'
/** Of the API and nginx, by ops/install.sh. */
const SETTINGS_OF_SERVER = ['env', 'proxy.env']

/** What an earlier run wrote to the folder of an installation; empty where there was none. */
export function readFolder(folder: string, { isServer = false } = {}) {
  const settingsFile = isServer ? SERVER_SETTINGS : '.env'
  const envText = readOr(join(folder, settingsFile), '')
  const env = parseEnv(envText)
  // Those that checks need; of a server that is installed.
  const settings = isServer ? readSettings(folder, SETTINGS_OF_SERVER) : env
  const secret = (name: string) => readOr(join(folder, 'secrets', name), '').trim()
  const smtpUrl = secret('smtp_url')
  const earlier: Answers = {
    ...env,
    ...smtpAnswersOf(smtpUrl),
    BACKUP_S3_KEY: secret('backup_s3_key'),
    BACKUP_S3_SECRET: secret('backup_s3_secret'),
  }
  const siteFile = join(folder, 'site/site.json')
  const site = siteStateOf(siteFile)
  return {
    folder,
    isServer,
    settingsFile,
    envText,
    env,
    settings,
    smtpUrl,
    earlier,
    siteFile,
    site,
  }
}

export type InstallationFolder = ReturnType<typeof readFolder>

const readSettings = (folder: string, files: string[]): EnvValues =>
  Object.assign({}, ...files.map((file) => parseEnv(readOr(join(folder, file), ''))))

/** The password apart, so that the address can be shown. */
function smtpAnswersOf(smtpUrl: string): Answers {
  const url = urlOf(smtpUrl)
  if (!url?.password) return { SMTP_URL: smtpUrl }
  const password = decodeOr(url.password)
  url.password = ''
  return { SMTP_URL: url.href, SMTP_PASSWORD: password }
}

function decodeOr(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `sample`: nothing in the file is the deployer's yet. Any other file is theirs, even if it is invalid. */
function siteStateOf(file: string): 'none' | 'sample' | 'own' {
  if (!existsSync(file)) return 'none'
  try {
    const { site, profile } = JSON.parse(readFileSync(file, 'utf8')) as SiteConfig
    return profile.sample && isExample(new URL(site.url).hostname) ? 'sample' : 'own'
  } catch {
    return 'own'
  }
}

const readOr = (file: string, fallback: string) =>
  existsSync(file) ? readFileSync(file, 'utf8') : fallback
