import {
  mailTexts,
  type MailTexts,
  type Model,
  type SiteConfig,
  type Visitor,
} from '@gatehouse/model'
import type { FastifyBaseLogger } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { inject, vi } from 'vitest'
import { startTcpProxy as startWireTo } from '../../ops/drills/kit/tcp-proxy.ts'
import { buildApp, type Product } from '../src/app.ts'
import { buildVerifier } from '#platform/http/auth.ts'
import type { Identity } from '#engine/engine.ts'
import type { AnyBehaviour } from '#engine/compile-behaviours.ts'
import { recordReaderOf } from '#engine/operations/records-api.ts'
import type { JobContext } from '#jobs/job.ts'
import { openFiles } from '#platform/files/open-files.ts'
import type { Bucket } from '#platform/files/s3-store.ts'
import { connectDb } from '#platform/db.ts'
import { readEnv } from '#platform/env.ts'
import { grantRights, setStorage } from '#platform/define-table.ts'
import { readConfig } from '#platform/site-config.ts'
import { buildSchema } from '#schema.ts'
import type { ProductOptions } from '../src/product.ts'
import { callAs } from './call-as.ts'
import { fixture } from './fixture.ts'
import { send } from './http-client.ts'
import { sendQueuedMails } from './sent-mails.ts'

const TOKEN_KEPT_MS = 240_000
/** Named by the old address of /metrics; a test's metrics listen on no port. */
export const METRICS_PORT = 9464

export type Person =
  | (NonNullable<Visitor> & {
      email?: string
      emailVerified?: boolean
      /** By default, signed in with a second factor just now. */
      acr?: string | null
      auth_time?: number | null
    })
  | null

type Role = 'postgres' | 'gatehouse_migrate' | 'gatehouse_app' | 'gatehouse_read'

export const ISSUER = 'https://idp.example.test/realms/gatehouse'
export const AUDIENCE = 'gatehouse-api'
const NO_LIMITS = {
  readsPerMinute: 1_000_000,
  writesPerMinute: 1_000_000,
  creationsPerMinute: 1_000_000 as number | null,
  placesPerCaller: 1_000 as number | null,
  databaseSecondsPerMinute: 1_000_000,
  inquiriesPerHour: 1_000_000,
  choicesPerHour: 1_000_000,
}

/** Databases of the run that are cloned: one with the product's tables, one with the tables of this site too. */
export type Template = 'template_gatehouse' | 'template_site'

export async function cloneDatabase({
  isEmpty = false,
  template = 'template_gatehouse',
}: { isEmpty?: boolean; template?: Template } = {}) {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const url = (role: Role, database = name) =>
    `postgres://${role}@127.0.0.1:${inject('postgresPort')}/${database}`
  await sqlOn(
    url('postgres', 'postgres'),
    `create database ${name} owner gatehouse_migrate template ${isEmpty ? 'template0' : template}`,
  )
  return {
    url,
    sql: (text: string, values?: unknown[]) => sqlOn(url('gatehouse_migrate'), text, values),
    hold: (text: string) => holdLocks(url('gatehouse_migrate'), text),
    drop: () => sqlOn(url('postgres', 'postgres'), `drop database ${name} with (force)`),
  }
}

export type Database = Awaited<ReturnType<typeof cloneDatabase>>

/** Runs raw SQL, for data the API doesn't expose. */
export async function sqlOn(url: string, text: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const result = await client.query(text, values)
    return result.rows ?? []
  } finally {
    await client.end()
  }
}

/** Holds the statement's locks until the returned function is called. */
async function holdLocks(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await client.query(text)
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}

/** DDL for models the migrations lack; with null, for an empty database. */
export async function ddlOf(known: Model[] | null, all: Model[]) {
  // Takes a second to load, and a site's tests don't need it.
  const { generateDrizzleJson, generateMigration } = await import('drizzle-kit/api')
  const statements = await generateMigration(
    generateDrizzleJson(known ? buildSchema(known, fixture.tables) : {}),
    generateDrizzleJson(buildSchema(all, fixture.tables)),
  )
  return statements.join('\n')
}

async function buildDatabase({ models = fixture.models, ddl }: { models?: Model[]; ddl?: string }) {
  const database = await cloneDatabase({ isEmpty: fixture.prepare !== null })
  if (fixture.prepare) await fixture.prepare(database, await ddlOf(null, models))
  else await database.sql(ddl ?? (await ddlOf(fixture.migrated, models)))
  const tables = Object.values(buildSchema(models, fixture.tables))
  await grantRights(database.sql, tables)
  await setStorage(database.sql, tables)
  return database
}

/** Serves only the provider's keys: token verification needs nothing else. */
export async function startKeyServer() {
  const keys: { kid: string; privateKey: CryptoKey; publicKey: CryptoKey }[] = []
  const state = {
    isDown: false,
    isFrozen: false,
    isGarbled: false,
    /** Some providers omit `alg` and `use`. */
    saysAlgorithm: true,
    requests: 0,
  }
  const publicKeys = () =>
    Promise.all(
      keys.map(async ({ kid, publicKey }) => ({
        ...(await exportJWK(publicKey)),
        kid,
        ...(state.saysAlgorithm ? { alg: 'RS256', use: 'sig' } : {}),
      })),
    )
  const server = createServer((_request, response) => {
    state.requests++
    if (state.isFrozen) return
    if (state.isDown) {
      response.writeHead(503).end()
      return
    }
    if (state.isGarbled) {
      response.setHeader('content-type', 'application/json').end('{"keys":"none"}')
      return
    }
    void publicKeys().then((all) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: all })),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const rotate = async ({ keepsOld = false } = {}) => {
    if (!keepsOld) keys.length = 0
    const pair = await generateKeyPair('RS256', { extractable: true })
    keys.unshift({ kid: crypto.randomUUID(), ...pair })
  }
  await rotate()
  const current = () => keys[0] ?? raise('no key')
  return {
    state,
    rotate,
    current,
    jwksUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/certs`,
    sign: (claims: JWTPayload, changes: { header?: object; key?: CryptoKey | Uint8Array } = {}) =>
      new SignJWT({ azp: 'gatehouse-web', ...signedIn(), ...claims })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: current().kid, ...changes.header })
        .setIssuer(claims.iss ?? ISSUER)
        .setAudience(claims.aud ?? AUDIENCE)
        .setIssuedAt(claims.iat)
        .setExpirationTime(claims.exp ?? '5m')
        .sign(changes.key ?? current().privateKey),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Claims of a sign-in with a second factor just now, as staff need. */
const signedIn = () => ({ acr: 'fresh', auth_time: Math.floor(Date.now() / 1000) })

export type KeyServer = Awaited<ReturnType<typeof startKeyServer>>

export const tokenSettings = (jwksUri: string, changes: NodeJS.ProcessEnv = {}) =>
  readEnv({ DATABASE_URL: 'none', OIDC_ISSUER: ISSUER, OIDC_JWKS_URI: jwksUri, ...changes }).token

const FILE_MAX_BYTES = 5_000_000
const SIGNING_SECRET = 'signs-the-links-of-tests-only'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

export async function startApi(options: {
  models?: Model[]
  product?: Product
  config?: SiteConfig
  texts?: MailTexts
  /** Added to the product's; behaviours of unserved models are skipped. */
  behaviours?: AnyBehaviour[]
  limits?: Partial<typeof NO_LIMITS>
  databaseUrl: string
  keys: KeyServer
  poolSize?: number
  backupStatusFile?: string
  foreignSchemas?: string[]
  undeclared?: 'refuse' | 'warn'
  renderInquiry?: ProductOptions['renderInquiry']
  /** Replaces the product's. */
  identity?: Partial<Identity>
  logger?: FastifyBaseLogger
  hsts?: string
  /** Settings of token verification. */
  settings?: NodeJS.ProcessEnv
  /** Folder for files; without it they are refused. */
  filesFolder?: string
  /** With a folder, the files are in this bucket. */
  filesBucket?: Bucket
  filesScanner?: { host: string; port: number; maxBytes: number }
  extend?: (app: Awaited<ReturnType<typeof buildApp>>['app']) => void
}) {
  const db = connectDb(options.databaseUrl, { max: options.poolSize ?? 10 })
  const besides = connectDb(options.databaseUrl, { max: 2 })
  const verifier = buildVerifier(tokenSettings(options.keys.jwksUri, options.settings))
  const offered = options.models ?? fixture.models
  const product =
    options.product ??
    fixture.buildProduct(options.renderInquiry ? { renderInquiry: options.renderInquiry } : {})
  const config = options.config ?? CONFIG
  const behaviours = [...product.behaviours, ...(options.behaviours ?? [])]
  const files = await openFiles(
    besides,
    {
      folder: options.filesFolder ?? null,
      bucket: options.filesBucket ?? null,
      maxBytes: FILE_MAX_BYTES,
      scanner: options.filesScanner ?? null,
      signingSecrets: [SIGNING_SECRET],
    },
    config.backups.retentionDays,
  )
  const {
    app,
    metrics,
    readiness,
    jobs,
    trash,
    ownershipBackfill,
    historyCheck,
    rowExpiry,
    assigning,
  } = await buildApp({
    models: offered,
    product: {
      ...product,
      ...(options.identity ? { identity: options.identity } : {}),
      behaviours: behaviours.filter(({ path }) => offered.some((model) => model.path === path)),
    },
    db,
    vitalDb: besides,
    jobDb: besides,
    metricsPort: METRICS_PORT,
    config,
    verifier,
    limits: { ...NO_LIMITS, ...options.limits },
    backupStatusFile: options.backupStatusFile ?? null,
    foreignSchemas: options.foreignSchemas ?? [],
    undeclared: options.undeclared ?? 'refuse',
    files,
    ...(options.logger ? { logger: options.logger } : {}),
    ...(options.hsts ? { hsts: options.hsts } : {}),
  })
  options.extend?.(app)
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  /** What background jobs get: silent, and without a relay. */
  const jobContext: JobContext = {
    db,
    recordReader: recordReaderOf({ ...jobs, db }),
    mails: Object.assign({}, product.mails, ...behaviours.map(({ mails }) => mails)),
    texts: options.texts ?? mailTexts,
    trash,
    ownershipBackfill,
    historyCheck,
    rowExpiry,
    ...(assigning ? { assigning } : {}),
    ...(files ? { files } : {}),
    config,
    mailer: null,
    logger: SILENT,
  }
  return {
    app,
    metrics,
    db,
    readiness,
    /** The engine of background jobs. */
    jobs,
    trash,
    ownershipBackfill,
    historyCheck,
    rowExpiry,
    jobContext,
    files,
    base,
    stop: async () => {
      // As the server does: otherwise a connection in use remains open for 72 seconds after its response.
      readiness.isStopping = true
      await app.close()
      await metrics.close()
      files?.previews.stop()
      verifier.close()
      await db.close()
      await besides.close()
    },
  }
}

/** A database proxy that can be cut or made unresponsive. */
export const startWire = () => startWireTo(inject('postgresPort'))

export const CONFIG = readConfig(new URL('../../sample/site.json', import.meta.url).pathname)
export const SITE = CONFIG.site

export async function startTest(
  options: {
    models?: Model[]
    behaviours?: AnyBehaviour[]
    product?: Product
    config?: SiteConfig
    texts?: MailTexts
    /** A database that has all tables already. */
    template?: Template
    limits?: Partial<typeof NO_LIMITS>
    poolSize?: number
    ddl?: string
    zone?: string
    settings?: NodeJS.ProcessEnv
    renderInquiry?: ProductOptions['renderInquiry']
    identity?: Partial<Identity>
    filesFolder?: string
    filesBucket?: Bucket
    filesScanner?: { host: string; port: number; maxBytes: number }
  } = {},
) {
  const database = options.template
    ? await cloneDatabase({ template: options.template })
    : await buildDatabase(options)
  // Set per database; a deployer might set it for the server.
  if (options.zone)
    await sqlOn(
      database.url('postgres'),
      `do $$ begin execute format('alter role gatehouse_app in database %I set timezone = %L',
        current_database(), '${options.zone}'); end $$`,
    )
  const keys = await startKeyServer()
  const api = await startApi({ ...options, databaseUrl: database.url('gatehouse_app'), keys })
  const tokens = new Map<string, Promise<string>>()
  const tokenOf = (visitor: NonNullable<Person>) => {
    // Cached tokens are renewed: they expire after five minutes, and a run can take longer.
    const id = JSON.stringify([visitor, Math.floor(Date.now() / TOKEN_KEPT_MS)])
    const { emailVerified, ...claims } = visitor
    const token = tokens.get(id) ?? keys.sign({ ...claims, email_verified: emailVerified })
    tokens.set(id, token)
    return token
  }
  const call = async (
    method: string,
    path: string,
    visitor: Person = null,
    { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
  ) => {
    const response = await send(`${api.base}${path}`, {
      method,
      headers: {
        ...(visitor ? { authorization: `Bearer ${await tokenOf(visitor)}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { text } = response
    return { ...response, json: text && !isCsv(response) ? JSON.parse(text) : null }
  }
  return {
    ...api,
    database,
    keys,
    call,
    tokenOf,
    as: callAs(call),
    /** Sends the mails that are queued, and returns them. */
    mails: () => sendQueuedMails(api.jobContext),
    clock: CLOCK,
    stop: async () => {
      CLOCK.reset()
      await api.stop()
      await keys.stop()
      await database.drop()
    },
  }
}

/** The date of test and API, which share a process. The database keeps its own: `createdAt`, retention periods. */
const CLOCK = {
  set: (at: string) => void vi.setSystemTime(at),
  reset: () => void vi.useRealTimers(),
}

const isCsv = ({ headers }: { headers: Headers }) =>
  headers.get('content-type')?.startsWith('text/csv')

export type Test = Awaited<ReturnType<typeof startTest>>

export const ADMIN: NonNullable<Visitor> = {
  sub: 'sub-admin',
  name: 'Ada Admin',
  role: 'admin',
  owner: true,
}
/** An admin who isn't an owner, if `settings` has WITH_OWNERS. */
export const TECHNICIAN: NonNullable<Visitor> = { sub: 'sub-tess', name: 'Tess', role: 'admin' }
export const WITH_OWNERS = { OIDC_OWNER_PATH: 'owner' }
export const ALICE: NonNullable<Visitor> = { sub: 'sub-alice', name: 'Alice', role: 'user' }
export const BOB: NonNullable<Visitor> = { sub: 'sub-bob', name: 'Bob', role: 'user' }

const raise = (message: string): never => {
  throw new Error(message)
}

/** Rate limits use clock minutes, so a test must not start at the end of one. */
export async function untilEarlyInTheMinute() {
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 15_000) await setTimeout(left + 100)
}

export async function expireAllRows({ rowExpiry }: Pick<Test, 'rowExpiry'>) {
  for (const table of await rowExpiry.due()) await rowExpiry.expire(table)
}
