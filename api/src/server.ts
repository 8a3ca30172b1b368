import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { buildApp } from './app.ts'
import {
  behaviours,
  declared,
  foreignSchemas,
  mistakes,
  models,
  requireSound,
  stores,
  texts,
} from './installation.ts'
import { buildProduct } from './product.ts'
import { recordReaderOf } from '#engine/operations/records-api.ts'
import { fingerprintMismatch, requireMatchingBuild } from './build-fingerprint.ts'
import { buildVerifier } from '#platform/http/auth.ts'
import { buildDirectory } from '#platform/identity/directory.ts'
import { buildTokenCheck } from '#platform/identity/check-token.ts'
import { buildRevocations } from '#platform/identity/revocations.ts'
import { watchRevocations } from '#platform/identity/watch-revocations.ts'
import { connectDb } from '#platform/db.ts'
import { readEnv } from '#platform/env.ts'
import { SetupError } from '#platform/errors.ts'
import { updateLastContacts } from '#clients/last-contacts.ts'
import { startWorker, type Worker } from '#jobs/worker.ts'
import { buildLogger, logUncaught } from '#platform/log.ts'
import { buildMailer } from '#platform/mail/mailer.ts'
import { senderOf } from '#platform/mail/sender.ts'
import { checkBucketRecipient } from '#platform/files/bucket-recipient.ts'
import { openFiles } from '#platform/files/open-files.ts'
import { migrate } from '#platform/migrate.ts'
import { builtThemeOf, writeTheme } from '#pages/keycloak-theme.ts'
import { openPages } from '#pages/open-pages.ts'
import { fetchAnonymously, startPageWriter } from '#pages/page-writer.ts'
import { readSiteInput } from '#pages/site-input.ts'
import { openNotice } from '#privacy/notice/start-up-check.ts'
import { readConfig } from '#platform/site-config.ts'
import { buildAlerts } from '#security/alerts.ts'
import { buildProviderEventHandler } from '#security/handle-provider-events.ts'
import { revocationState, startProviderEventPoller } from '#security/poll-provider-events.ts'

const MIGRATION_RETRY_MS = 2_000
/** Shutdown grace period; afterwards hanging work is rolled back, or retried by another replica. */
const STOP_TIMEOUT_MS = 20_000

/** Afterwards the replica listens without the list, but isn't ready. */
const REVOCATIONS_TIMEOUT_MS = 500

const VITAL_POOL = 2
const JOB_POOL = 4

const logger = buildLogger()
logUncaught(logger)
const env = readEnv(process.env)
logger.level = env.logLevel
requireSound(mistakes)
const config = readConfig(env.siteFile)
const undeclaredBucket = checkBucketRecipient(env.files, config)
if (undeclaredBucket) throw new SetupError(undeclaredBucket)
requireMatchingBuild()
const versions = openNotice({ models, config, stores, env, logger })
const otherPages = fingerprintMismatch(dirname(env.pages.bundle))
if (otherPages) logger.warn(`${otherPages.what}: ${otherPages.todo}`)
const siteInput = readSiteInput(config, { siteFile: env.siteFile, versions, models })
const pages = openPages(env, siteInput)
if (env.themesFolder)
  try {
    writeTheme(env.themesFolder, { ...siteInput, built: builtThemeOf(env.pages.bundle) })
  } catch (error) {
    logger.error({ err: error }, 'failed to write Keycloak’s theme; keeping the old one')
  }

const open = (max: number) =>
  connectDb(env.databaseUrl, {
    max,
    onLost: (error) =>
      logger.warn({ err: error }, 'database connection lost; the pool replaces it'),
  })
const db = open(env.poolSize)
const vitalDb = open(VITAL_POOL)
const jobDb = open(JOB_POOL)
// Early: its process renders while this one starts.
const records = Promise.withResolvers<{ fetch: ReturnType<typeof fetchAnonymously> }>()
const pageWriter =
  pages.toWrite &&
  startPageWriter({
    ...pages.toWrite,
    db: jobDb,
    site: config.site,
    models,
    records: records.promise,
    logger,
  })
if (env.pages.directory && !pageWriter)
  logger.warn({ bundle: env.pages.bundle }, 'the web is not built; no pages are written')
const mailer = env.mail.url
  ? buildMailer({
      url: env.mail.url,
      from: senderOf(config, env.mail.from),
      name: config.site.name,
    })
  : null
const directory = env.directory && buildDirectory(env.directory)
const revocations = buildRevocations()
const watch = watchRevocations({
  databaseUrl: env.databaseUrl,
  revocations,
  canRead: directory !== null,
  logger,
})
const verifier = buildVerifier(env.token, buildTokenCheck({ revocations, directory, logger }))
const product = buildProduct({
  versions,
  renderInquiry: async (answer) => (await pages.loadRenderer()).renderInquiry(answer),
  behaviours,
  directory,
})
const files = await openFiles(jobDb, env.files, config.backups.retentionDays)
const {
  app,
  metrics,
  readiness,
  jobs,
  trash,
  ownershipBackfill,
  historyCheck,
  rowExpiry,
  staffSync,
  assigning,
} = await buildApp({
  models,
  product,
  db,
  vitalDb,
  jobDb,
  config,
  verifier,
  limits: env.limits,
  metricsPort: env.metrics.port,
  backupStatusFile: env.backupStatusFile,
  foreignSchemas,
  undeclared: env.undeclared,
  hasRelay: mailer !== null,
  files,
  revocation: () => revocationState(db, directory),
  trustedProxies: env.trustedProxies,
  hsts: env.hsts,
  logger,
})

const alerts = buildAlerts(jobs)
const reader =
  directory &&
  startProviderEventPoller({
    db: jobDb,
    directory,
    isReader: watch.isReader,
    follow: buildProviderEventHandler({
      db: jobDb,
      directory,
      alerts,
      syncAccount: (sub) => staffSync?.syncAccount(sub, { isNews: true }),
    }),
    logger,
  })
let worker: Worker | null = null
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())

// Signed-in requests are rejected until the revocation list is loaded, and the front proxy serves the pages of this build once
// the replica is ready.
readiness.isStarting = true
void Promise.all([watch.loaded, pageWriter?.ready]).then(() => (readiness.isStarting = false))
await Promise.race([watch.loaded, setTimeout(REVOCATIONS_TIMEOUT_MS)])
await app.listen({ host: env.host, port: env.port })
logger.info({ port: env.port }, 'listening')
await metrics
  .listen(env.metrics)
  .catch((error: unknown) =>
    logger.error(
      { err: error, port: env.metrics.port },
      'failed to open the port of /metrics; serving without it',
    ),
  )
if (env.migrationUrl) await migrateWhenPossible(env.migrationUrl)
records.resolve({ fetch: fetchAnonymously(app) })
if (env.isWorker)
  worker = startWorker({
    databaseUrl: env.databaseUrl,
    tools: {
      db: jobDb,
      recordReader: recordReaderOf(jobs),
      mailer,
      mails: product.mails,
      texts,
      trash,
      ownershipBackfill,
      historyCheck,
      rowExpiry,
      ...(files ? { files } : {}),
      ...(staffSync ? { staffSync } : {}),
      ...(assigning ? { assigning } : {}),
      alerts,
      updateLastContacts: () => updateLastContacts(jobs),
      directory,
      config,
      logger,
    },
  })

/** The process may start before the database; until then /readyz is 503. */
async function migrateWhenPossible(url: string) {
  for (;;) {
    try {
      logger.info({ applied: await migrate(url, declared().tables) }, 'migrated')
      return
    } catch (error) {
      logger.error({ err: error }, 'migration failed; retrying')
      await setTimeout(MIGRATION_RETRY_MS)
    }
  }
}

/** Reports not ready for `drainMs` first, so that the proxy stops sending requests. */
async function stop() {
  readiness.isStopping = true
  await setTimeout(env.drainMs)
  void setTimeout(STOP_TIMEOUT_MS, null, { ref: false }).then(() => process.exit(1))
  pageWriter?.stop()
  await app.close()
  await reader?.stop()
  await worker?.stop()
  await metrics.close()
  await watch.stop()
  mailer?.close()
  verifier.close()
  await Promise.all([db, vitalDb, jobDb].map((pool) => pool.close()))
  process.exit(0)
}
