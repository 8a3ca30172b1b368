import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Deployment } from './kit/containers/deployment.ts'
import type { Result } from './kit/results.ts'

const EXAMPLE = new URL('../../.env.example', import.meta.url)
/** Decided by compose.yaml or the image, not by .env. */
const FIXED = [
  'DATABASE_URL',
  'DATABASE_PASSWORD_FILE',
  'OIDC_ISSUER',
  'OIDC_JWKS_URI',
  'OIDC_OWNER_PATH',
  'IDENTITY_ADMIN_URL',
  'IDENTITY_SERVICE_SECRET_FILE',
  'SMTP_URL_FILE',
  'FILES_DIR',
  'FILES_S3_SECRET_FILE',
  'SIGNING_SECRET_FILE',
  'TRUSTED_PROXIES',
  'BACKUP_STATUS_FILE',
]
/** Each with the service that needs it. */
const READERS: Record<string, string> = {
  postgres_password: 'postgres',
  keycloak_database_password: 'keycloak',
  realm_secret: 'realm',
  identity_service_secret: 'api',
  database_password: 'api',
  database_migration_password: 'migrate',
  smtp_url: 'api',
  signing_secret: 'api',
}
const BAD: Record<string, string[]> = {
  realm_secret: ['', 'a-short-secret', 'realm-apply-demo-secret'],
  identity_service_secret: ['a-short-secret', 'gatehouse-service-demo-secret'],
  signing_secret: ['a-short-secret', 'gatehouse-signing-demo-secret'],
  smtp_url: ['relay.mine.example', 'https://relay.mine.example'],
}
const BAD_PASSWORDS = ['', 'fifteen-letters', 'changeme', 'admin', 'demo']

/** Every setting that .env.example lists, with a value of its own, as the API's container gets it. */
export function settingsArrive(deployment: Deployment): Result {
  const [api = ''] = readFileSync(EXAMPLE, 'utf8').split('# Settings of other programs')
  const names = [...api.matchAll(/^#([A-Z][A-Z_]+)=/gm)].map(([, name = '']) => name)
  const before = deployment.read('.env')
  const lines = names.map((name, index) => `${name}='drill $${index}'\n`).join('')
  deployment.rewrite('.env', (text) => `${text}\n${lines}`)
  const { stdout } = deployment.gatehouse([
    'compose',
    'run',
    '--rm',
    '--no-deps',
    '-T',
    'api',
    'env',
  ])
  deployment.rewrite('.env', () => before)
  const arrived = new Map(
    stdout.split('\n').map((line) => [line.split('=')[0], line.split('=').slice(1).join('=')]),
  )
  const missing = names.filter((name, index) => arrived.get(name) !== `drill $${index}`)
  const unexpected = missing.filter((name) => !FIXED.includes(name))
  return {
    title: 'every setting of the API arrives',
    isRight: unexpected.length === 0 && names.length > 40,
    figure:
      unexpected.join(', ') ||
      `${names.length - missing.length} of ${names.length}, ${missing.length} are fixed`,
  }
}

/** A secret that is missing, too short or known to everybody, by the program that reads it. */
export function refusesSecrets(deployment: Deployment): Result[] {
  return Object.entries(READERS).map(([name, service]) => {
    const path = join('secrets', name)
    const before = deployment.read(path)
    const accepted = (BAD[name] ?? BAD_PASSWORDS).filter((value) => {
      deployment.rewrite(path, () => value)
      const { status, output } = deployment.gatehouse([
        'compose',
        'run',
        '--rm',
        '--no-deps',
        '-T',
        service,
      ])
      return status === 0 || !output.toLowerCase().includes(name)
    })
    deployment.rewrite(path, () => before)
    return {
      title: `${name} refused by name`,
      isRight: accepted.length === 0,
      figure:
        accepted.map((value) => `not "${value}"`).join(', ') ||
        `${(BAD[name] ?? BAD_PASSWORDS).length} by ${service}`,
    }
  })
}
