import { fileURLToPath } from 'node:url'
import { SetupError } from './errors.ts'
import { readHsts } from './hsts.ts'
import { fromRoot, noticeFolderOf, SAMPLE_FOLDER, siteFolderOf } from './paths.ts'
import { addPassword, readSecret, requireStrong, SECRET_MIN_LENGTH, toRelayUrl } from './secrets.ts'

const FILE_MB_MAX = 1_024

/** As OpenTelemetry's exporter for Prometheus has it. */
const METRICS_PORT = 9464

/**
 * Every setting of the API. `npm run docs` writes the comments and defaults below into docs/reference/settings.md and
 * `.env.example`.
 */
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
  /** Also reads `NAME_FILE`, the file that holds the value. */
  const secret = (name: string, options?: { canBeEmpty: boolean }) =>
    readSecret({ source, problems }, name, options)

  /**
   * Address of the identity provider’s realm, as in the claim `iss` of its tokens.
   * @example http://localhost:8280/realms/gatehouse
   */
  const issuer = text('OIDC_ISSUER')
  /**
   * Connection of the role that serves requests; without a password if `DATABASE_PASSWORD` is set.
   * @example postgres://gatehouse_app@127.0.0.1:5432/gatehouse
   */
  const databaseUrl = text('DATABASE_URL')
  /** Password of that role, at least 16 characters. */
  const databasePassword = secret('DATABASE_PASSWORD')
  /** Direct connection (no pooler) of the migration role; if set, the process migrates before it serves. */
  const migrationUrl = source.DATABASE_MIGRATION_URL || null
  /** Password of that role, at least 16 characters; read only if `DATABASE_MIGRATION_URL` is set. */
  const migrationPassword = migrationUrl ? secret('DATABASE_MIGRATION_PASSWORD') : ''
  /**
   * Seconds for which browsers reach the site and the identity provider over https only (Strict-Transport-Security), in API,
   * nginx and realm; 0: no header. Default: 31536000, a year.
   */
  const hsts = readHsts(source.HSTS_SECONDS, problems)
  /** In production the process doesn’t start with a weak secret, or if the privacy notice doesn’t match the program. */
  const isProduction = source.NODE_ENV === 'production'
  /** Folder of the site: configuration, texts, models, privacy notice. Default: `site` if it exists, otherwise `sample`. */
  const siteFolder = siteFolderOf({ SITE_DIR: source.SITE_DIR })
  /** Writable folder of the privacy notice’s versions, filled once from `notice` in the site’s folder. Default: that folder. */
  const noticeFolder = noticeFolderOf({ ...source, NOTICE_DIR: source.NOTICE_DIR })
  // Otherwise the sample would be served instead of the site, unnoticed.
  if (source.SITE_FILE && siteFolder.href === SAMPLE_FOLDER.href)
    problems.push('SITE_FILE is not supported; set SITE_DIR to its folder')
  /** Port the API listens on. */
  const port = number('PORT', 8081)
  /** Ports of all replicas on this machine, space-separated. Default: `PORT` alone. */
  const replicaPorts = (source.API_PORTS ?? '').split(' ').map(Number)
  /** Secrets that sign the links of files, one a line: the first signs, all are accepted. */
  const signingSecret = secret('SIGNING_SECRET')
  const env = {
    /** Address the API listens on. */
    host: source.HOST ?? '127.0.0.1',
    port,
    /** For Prometheus. */
    metrics: {
      /** Address `/metrics` listens on. */
      host: source.METRICS_HOST ?? '127.0.0.1',
      /** Port of `/metrics`. Default: 9464 plus the place of `PORT` in `API_PORTS`: 9465 for the second replica. */
      port: number('METRICS_PORT', METRICS_PORT + Math.max(0, replicaPorts.indexOf(port))),
    },
    /** Proxies whose `X-Forwarded-For` is trusted: networks such as `10.0.0.0/8`, `loopback`, `uniquelocal`; comma-separated. */
    trustedProxies: source.TRUSTED_PROXIES || 'loopback',
    databaseUrl: addPassword(problems, {
      name: 'DATABASE_URL',
      url: databaseUrl,
      password: databasePassword,
      isProduction,
    }),
    migrationUrl:
      migrationUrl &&
      addPassword(problems, {
        name: 'DATABASE_MIGRATION_URL',
        url: migrationUrl,
        password: migrationPassword,
        isProduction,
      }),
    hsts,
    /** Requests served at once, one connection each. Nine more connections are for health, metrics and jobs. */
    poolSize: number('DATABASE_POOL', 10),
    siteFile: fileURLToPath(new URL('site.json', siteFolder)),
    isProduction,
    /** `warn`: starts even if the privacy notice doesn’t match the program, with an error in the log. For emergencies. */
    noticeDrift: source.NOTICE_DRIFT === 'warn' ? ('warn' as const) : ('refuse' as const),
    /**
     * A replica isn’t ready while the database has a table or column that nothing declares: export and erasure would miss it.
     * `warn`: it serves, with an error in the log. For emergencies.
     */
    undeclared: source.UNDECLARED === 'warn' ? ('warn' as const) : ('refuse' as const),
    /** `off`: another process runs the background jobs, such as sending mails. */
    isWorker: source.WORKER !== 'off',
    /** Sending of mails. */
    mail: {
      /**
       * The SMTP relay, such as `smtp://user:password@relay.example:587`. Without it (unset, or an empty file) mails wait, and
       * after seven days they are listed on the page System status.
       */
      url: toRelayUrl(problems, secret('SMTP_URL', { canBeEmpty: true })),
      /**
       * Sender of mails. Without it `owner.email` of `site.json`: the relay must accept it, and clients who answer an email write
       * to it.
       */
      from: source.MAIL_FROM || null,
    },
    /** Public pages, rendered at start and when records change. */
    pages: {
      /** Bundle of the built web that renders them. */
      bundle: source.WEB_SERVER_BUNDLE ?? fromRoot('web/dist-server/server.js'),
      /** Folder they are written to, in a folder for each build, for the front proxy; empty: none are written. */
      directory: source.PAGES_DIR || null,
    },
    /** Folder of Keycloak’s themes, into which the site’s is written at start; empty: none is written. */
    themesFolder: source.THEMES_DIR || null,
    noticeFolder,
    /** Status file of the backups, `{"finishedAt":"2026-01-31T02:00:00Z"}`; without it `/metrics` doesn’t report them. */
    backupStatusFile: source.BACKUP_STATUS_FILE || null,
    /** Files attached to records. */
    files: {
      /**
       * Writable folder of the files, which nginx reads too; with `FILES_BUCKET`, of uploads on their way. Without it files are
       * refused.
       */
      folder: source.FILES_DIR || null,
      /** Size of the largest file in MB, at most 1,024; nginx needs the same. */
      maxBytes: number('FILES_MAX_MB', 100) * 1_000_000,
      bucket: bucketOf({ source, secret, problems }),
      scanner: scannerOf({ source, number, problems }),
      signingSecrets: signingSecret
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    },
    /** Lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal`, or `silent`. */
    logLevel: source.LOG_LEVEL ?? 'info',
    /** Milliseconds for which a stopping replica keeps serving after it reports not ready. */
    drainMs: number('DRAIN_MS', 4_000),
    /** Access tokens: which are accepted, and what their claims mean. */
    token: {
      issuer,
      /** Address of the keys that sign tokens. */
      jwksUri: text(
        'OIDC_JWKS_URI',
        issuer ? `${issuer}/protocol/openid-connect/certs` : undefined,
      ),
      /** Audience (`aud`) a token must have. */
      audience: text('OIDC_AUDIENCE', 'gatehouse-api'),
      /** Signature algorithms accepted; comma-separated. */
      algorithms: list('OIDC_ALGORITHMS', 'RS256'),
      /** Header `typ` an access token must carry; empty accepts any. */
      type: source.OIDC_TOKEN_TYPE ?? 'at+jwt',
      /** Clients a token may have been issued to (`azp`), comma-separated; empty accepts any. */
      authorisedParties: list('OIDC_AUTHORISED_PARTIES', 'gatehouse-web'),
      /** Path to the role claim, space-separated: `role`, `realm_access roles`. */
      rolePath: text('OIDC_ROLE_PATH', 'role').split(' ').filter(Boolean),
      /** Values of the role claim that make an admin; comma-separated. */
      adminValues: list('OIDC_ADMIN_VALUES', 'admin'),
      /** Path to the claim that is true for owners, as above; empty: every admin is an owner. */
      ownerPath: (source.OIDC_OWNER_PATH ?? '').split(' ').filter(Boolean),
      /** The role admin counts only with a second factor, which the provider reports in `acr`. `off`: with a password alone. */
      isMfaRequired: source.ADMIN_MFA !== 'off',
      acr: {
        /** Value of `acr` after a sign-in with a second factor. */
        mfa: text('OIDC_ACR_MFA', 'mfa'),
        /** Value of `acr` after a sign-in that was confirmed just now. */
        fresh: text('OIDC_ACR_FRESH', 'fresh'),
      },
    },
    /**
     * Service account that invites, disables and signs out staff at the identity provider. Without a secret the page People
     * reports it, and an account disabled there keeps access until its token ends.
     */
    directory: directoryOf({ source, secret, issuer }),
    /** Limits per replica: by account, or by network address (IPv6: /64) without one. Writes are counted across replicas. */
    limits: {
      /** Reads of one caller. */
      readsPerMinute: number('READS_PER_MINUTE', 3_000),
      /** Writes of one caller. */
      writesPerMinute: number('WRITES_PER_MINUTE', 120),
      /** Overrides the models’ `createPerMinute`; for drills. */
      creationsPerMinute: source.CREATIONS_PER_MINUTE ? number('CREATIONS_PER_MINUTE', 0) : null,
      /** Concurrent requests of one caller. Default: a quarter of `DATABASE_POOL`, at least 2. */
      placesPerCaller: source.PLACES_PER_CALLER ? number('PLACES_PER_CALLER', 0) : null,
      /** Database time of one caller; beyond it, one request at a time is served. */
      databaseSecondsPerMinute: number('DATABASE_SECONDS_PER_MINUTE', 30),
      /** Privacy requests per network address, across replicas. */
      inquiriesPerHour: number('INQUIRIES_PER_HOUR', 5),
      /** Cookie choices per network address, across replicas. */
      choicesPerHour: number('CHOICES_PER_HOUR', 60),
    },
  }
  // The stack's is public.
  if (isProduction && env.directory)
    requireStrong(problems, {
      name: 'IDENTITY_SERVICE_SECRET',
      secret: env.directory.secret,
      minLength: SECRET_MIN_LENGTH,
    })
  if (!['on', 'off', undefined].includes(source.ADMIN_MFA))
    problems.push(`ADMIN_MFA must be on or off, not "${source.ADMIN_MFA}"`)
  if (env.files.maxBytes < 1_000_000 || env.files.maxBytes > FILE_MB_MAX * 1_000_000)
    problems.push(`FILES_MAX_MB must be from 1 to ${FILE_MB_MAX}`)
  if (env.files.folder && env.files.signingSecrets.length === 0)
    problems.push('SIGNING_SECRET is missing: files need it')
  for (const one of isProduction ? env.files.signingSecrets : [])
    requireStrong(problems, { name: 'SIGNING_SECRET', secret: one, minLength: SECRET_MIN_LENGTH })
  if (problems.length > 0) throw new SetupError(`Settings: ${problems.join('; ')}`)
  return env
}

type DirectorySource = {
  source: NodeJS.ProcessEnv
  secret: (name: string) => string
  issuer: string
}

function directoryOf({ source, secret, issuer }: DirectorySource) {
  /** Secret of the service account; in production at least 24 characters. */
  const password = secret('IDENTITY_SERVICE_SECRET')
  if (!password) return null
  const [base = '', realm = ''] = issuer.split('/realms/')
  return {
    /** Keycloak’s own address, without `/admin`. Default: the address of `OIDC_ISSUER`. */
    url: (source.IDENTITY_ADMIN_URL || base).replace(/\/$/, ''),
    realm,
    client: 'gatehouse-service',
    secret: password,
    siteClient: 'gatehouse-web',
  }
}

type BucketSource = {
  source: NodeJS.ProcessEnv
  secret: (name: string, options: { canBeEmpty: boolean }) => string
  problems: string[]
}

function bucketOf({ source, secret, problems }: BucketSource) {
  /** Bucket of an S3-compatible store that holds the files instead: `https://ENDPOINT/BUCKET`. */
  const address = source.FILES_BUCKET
  /** Secret of the bucket’s key. */
  const secretAccessKey = secret('FILES_S3_SECRET', { canBeEmpty: true })
  if (!address) return null
  const url = URL.canParse(address) ? new URL(address) : null
  const bucket = url?.pathname.slice(1) ?? ''
  if (!url || bucket === '' || bucket.includes('/'))
    problems.push('FILES_BUCKET must be https://ENDPOINT/BUCKET')
  if (!source.FILES_S3_KEY || !secretAccessKey)
    problems.push('FILES_S3_KEY or FILES_S3_SECRET is missing: FILES_BUCKET needs both')
  return {
    endpoint: url?.origin ?? '',
    bucket,
    /** Region of the bucket. */
    region: source.FILES_REGION ?? 'us-east-1',
    /** ID of the bucket’s key. */
    accessKeyId: source.FILES_S3_KEY ?? '',
    secretAccessKey,
  }
}

type ScannerSource = {
  source: NodeJS.ProcessEnv
  number: (name: string, fallback: number) => number
  problems: string[]
}

function scannerOf({ source, number, problems }: ScannerSource) {
  /** Size in MB up to which the scanner judges files, its `StreamMaxLength`; with it, larger ones are refused. */
  const maxBytes = number('CLAMD_MAX_MB', 100) * 1_000_000
  /** Virus scanner, ClamAV’s daemon: `tcp://127.0.0.1:3310`. Without it files are handed out unchecked. */
  const address = source.CLAMD_URL
  if (!address) return null
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol !== 'tcp:' || url.port === '')
    problems.push('CLAMD_URL must be tcp://HOST:PORT')
  return { host: url?.hostname ?? '', port: Number(url?.port), maxBytes }
}

export type Env = ReturnType<typeof readEnv>
export type Limits = Env['limits']
export type TokenSettings = Env['token']
