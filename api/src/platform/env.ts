import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SetupError } from './errors.ts'
import { fromRoot, SAMPLE_FOLDER, siteFolderOf } from './paths.ts'

/** Every setting of the API with its default. `.env.example` lists them all. */
export function readEnv(source: NodeJS.ProcessEnv) {
  const problems: string[] = []
  const text = (name: string, fallback?: string) => {
    const value = source[name] ?? fallback
    if (value === undefined || value === '') problems.push(`${name} is missing`)
    return value ?? ''
  }
  const number = (name: string, fallback: number) => {
    const value = Number(source[name] ?? fallback)
    if (!Number.isFinite(value)) problems.push(`${name} must be a number, not "${source[name]}"`)
    return value
  }
  const list = (name: string, fallback: string) =>
    (source[name] ?? fallback)
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean)

  const issuer = text('OIDC_ISSUER')
  const siteFolder = siteFolderOf(source)
  // Otherwise the sample would be served instead of the site, unnoticed.
  if (source.SITE_FILE && siteFolder.href === SAMPLE_FOLDER.href)
    problems.push('SITE_FILE is not supported; set SITE_DIR to its folder')
  const env = {
    host: source.HOST ?? '127.0.0.1',
    port: number('PORT', 8081),
    /** Proxies trusted for the client address: networks, `loopback`, `uniquelocal`; comma-separated. */
    trustedProxies: source.TRUSTED_PROXIES || 'loopback',
    databaseUrl: text('DATABASE_URL'),
    /** Direct connection of the migration role; if set, the process migrates at start-up. */
    migrationUrl: source.DATABASE_MIGRATION_URL ?? null,
    poolSize: number('DATABASE_POOL', 10),
    siteFile: fileURLToPath(new URL('site.json', siteFolder)),
    isProduction: source.NODE_ENV === 'production',
    /** `warn`: start even if the notice doesn't match the program. For emergencies. */
    noticeDrift: source.NOTICE_DRIFT === 'warn' ? ('warn' as const) : ('refuse' as const),
    /** `warn`: stay ready even if the database holds something undeclared. For emergencies. */
    undeclared: source.UNDECLARED === 'warn' ? ('warn' as const) : ('refuse' as const),
    /** False if another process runs the background jobs. */
    isWorker: source.WORKER !== 'off',
    mail: {
      /** The SMTP relay; without it mails are queued, and fail after seven days. */
      url: source.SMTP_URL || null,
      from: source.MAIL_FROM || null,
    },
    /** SSR bundle of the built site, and the output directory of pages rendered from records; null writes none. */
    pages: {
      bundle: source.WEB_SERVER_BUNDLE ?? fromRoot('web/dist-server/server.js'),
      directory: source.PAGES_DIR || null,
    },
    /** Status file of the backups; without it /metrics doesn't report them. */
    backupStatusFile: source.BACKUP_STATUS_FILE || null,
    logLevel: source.LOG_LEVEL ?? 'info',
    /** How long a stopping replica keeps serving after it reports not ready. */
    drainMs: number('DRAIN_MS', 4_000),
    token: {
      issuer,
      jwksUri: text(
        'OIDC_JWKS_URI',
        issuer ? `${issuer}/protocol/openid-connect/certs` : undefined,
      ),
      audience: text('OIDC_AUDIENCE', 'gatehouse-api'),
      algorithms: list('OIDC_ALGORITHMS', 'RS256'),
      /** Header `typ` an access token must carry; empty accepts any. */
      type: source.OIDC_TOKEN_TYPE ?? 'at+jwt',
      /** Clients a token may have been issued to; empty accepts any. */
      authorisedParties: list('OIDC_AUTHORISED_PARTIES', 'gatehouse-web'),
      /** Path to the role claim, space-separated: `role`, `realm_access roles`. */
      rolePath: text('OIDC_ROLE_PATH', 'role').split(' ').filter(Boolean),
      adminValues: list('OIDC_ADMIN_VALUES', 'admin'),
      /** Path to the claim that is true for owners; empty: every admin is one. */
      ownerPath: (source.OIDC_OWNER_PATH ?? '').split(' ').filter(Boolean),
      /** False: the role admin counts without a second factor. */
      isMfaRequired: source.ADMIN_MFA !== 'off',
      /** Values of `acr`: signed in with a second factor, and confirmed just now. */
      acr: { mfa: text('OIDC_ACR_MFA', 'mfa'), fresh: text('OIDC_ACR_FRESH', 'fresh') },
    },
    /** Service account that manages accounts at the identity provider; null without a secret. */
    directory: directoryOf(source, issuer),
    limits: {
      readsPerMinute: number('READS_PER_MINUTE', 3_000),
      writesPerMinute: number('WRITES_PER_MINUTE', 120),
      /** Overrides the models' `createPerMinute`; for drills. */
      creationsPerMinute: source.CREATIONS_PER_MINUTE ? number('CREATIONS_PER_MINUTE', 0) : null,
      /** Concurrent requests per caller; default: a quarter of the pool. */
      placesPerCaller: source.PLACES_PER_CALLER ? number('PLACES_PER_CALLER', 0) : null,
      databaseSecondsPerMinute: number('DATABASE_SECONDS_PER_MINUTE', 30),
      inquiriesPerHour: number('INQUIRIES_PER_HOUR', 5),
      choicesPerHour: number('CHOICES_PER_HOUR', 60),
    },
  }
  if (!['on', 'off', undefined].includes(source.ADMIN_MFA))
    problems.push(`ADMIN_MFA must be on or off, not "${source.ADMIN_MFA}"`)
  if (problems.length > 0) throw new SetupError(`Settings: ${problems.join('; ')}`)
  return env
}

function directoryOf(source: NodeJS.ProcessEnv, issuer: string) {
  const file = source.IDENTITY_SERVICE_SECRET_FILE
  const secret = source.IDENTITY_SERVICE_SECRET || (file ? readFileSync(file, 'utf8').trim() : '')
  if (!secret) return null
  const [base = '', realm = ''] = issuer.split('/realms/')
  return {
    url: (source.IDENTITY_ADMIN_URL || base).replace(/\/$/, ''),
    realm,
    client: 'gatehouse-service',
    secret,
    siteClient: 'gatehouse-web',
  }
}

export type Env = ReturnType<typeof readEnv>
export type Limits = Env['limits']
export type TokenSettings = Env['token']
