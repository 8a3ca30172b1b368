import {
  checkModels,
  checkRecipients,
  type Access,
  type JsonSchema,
  type Model,
  type SiteConfig,
} from '@gatehouse/model'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify'
import { checkBehaviours, type AnyBehaviour } from '#engine/compile-behaviours.ts'
import { buildEngine, type Engine, type Identity } from '#engine/engine.ts'
import { buildHistoryCheck } from '#engine/security/history-check.ts'
import { buildOwnershipBackfill } from '#engine/history/backfill-ownership.ts'
import { fileRoutes } from '#engine/http/file-routes.ts'
import { countRoutes } from '#engine/http/counts.ts'
import { searchRoutes } from '#engine/http/search.ts'
import { definitionRoutes } from '#engine/http/definitions.ts'
import { viewRoutes } from '#engine/http/list-views.ts'
import { recordRoutes } from '#engine/http/routes.ts'
import { undeliveredMailRoutes } from '#mail/undelivered-mail-routes.ts'
import { buildTrashPurger } from '#engine/operations/purge-expired.ts'
import { refusedPurges } from '#engine/operations/purge.ts'
import { undoRoutes } from '#engine/operations/undo.ts'
import { jobCounts } from '#jobs/queue-queries.ts'
import { buildRowExpiry } from '#jobs/expire-rows.ts'
import type { Db } from '#platform/db.ts'
import type { Limits } from '#platform/env.ts'
import { SetupError } from '#platform/errors.ts'
import type { SignedIn } from '#platform/http/auth.ts'
import { checkLevel } from '#platform/http/access-level.ts'
import type { Directory } from '#platform/identity/directory.ts'
import type { Files } from '#platform/files/open-files.ts'
import { healthRoutes } from '#platform/http/health.ts'
import { buildMetrics, movedMetricsRoute } from '#platform/http/metrics.ts'
import { buildServer, type ServerOptions } from '#platform/http/server.ts'
import { systemRoutes, type RevocationState } from '#platform/http/system-status.ts'
import type { Mails } from '#engine/mail-kind.ts'
import { RELEASE } from '#platform/version.ts'
import { buildSecurityLog } from '#engine/security/security-log.ts'
import { auditRequests } from '#engine/security/request-audit.ts'
import { checkTables, declaredSchema, allTables } from './schema.ts'

type SignIn = { visitor: SignedIn; requestId: string; log: Pick<FastifyBaseLogger, 'warn'> }

export type Product = {
  /** Tables besides those of the models. */
  tables: Record<string, PgTable>
  /** Resolves claims and names; without it only admins see rows of models with a row scope. */
  identity?: Partial<Identity>
  /** The product's OpenAPI paths for one access level. */
  paths: (level: Access) => Record<string, JsonSchema>
  noticeVersion: string
  /** Behaviours of its models, in order of execution. */
  behaviours: AnyBehaviour[]
  mails: Mails
  /** Accounts at the identity provider; null if we have no service account there. */
  directory?: Directory | null
  staffSync?: (engine: Engine) => StaffSync
  /** Backfills the owner of tickets that staff opened before owners were derived from contacts. */
  assigning?: (engine: Engine) => Assigning
  /** Called for every authenticated request; null if there is nothing to await. */
  recordSignIn?: (engine: Engine) => (signIn: SignIn) => Promise<void> | null
  noteSession?: (engine: Engine) => (seen: Seen) => Promise<void> | null
  routes: (app: FastifyInstance, parts: ProductParts) => void
}
type Seen = Pick<SignIn, 'visitor' | 'log'> & { agent: string | undefined }
type StaffSync = {
  due: () => Promise<string[]>
  syncAccount: (sub: string, how?: { isNews: boolean }) => Promise<void>
}
type Assigning = { due: () => Promise<string[]>; assign: (ticketId: string) => Promise<void> }
type ProductParts = { engine: Engine; config: SiteConfig; limits: Limits }

export type AppOptions = ServerOptions & {
  models: Model[]
  product: Product
  /** Separate pools for health and metrics, and for jobs: neither competes with requests for connections. */
  vitalDb: Db
  jobDb: Db
  /** Where `metrics` will listen. */
  metricsPort: number
  config: SiteConfig
  backupStatusFile?: string | null
  /** Database schemas owned by the host or another program. */
  foreignSchemas?: readonly string[]
  undeclared?: 'refuse' | 'warn'
  hasRelay?: boolean
  /** Where files are stored; without it they are refused. */
  files?: Files | null
  /** Whether tokens are revoked when their account is disabled or signed out at the provider. */
  revocation?: () => Promise<RevocationState>
}

/** Start-up checks of models and behaviours, run before anything is built from them. */
export const checkDefinitions = (
  models: Model[],
  { identity = {}, tables, behaviours }: Pick<Product, 'identity' | 'tables' | 'behaviours'>,
) => [
  ...checkModels(models, identity.claims ?? {}),
  ...checkTables(models, tables),
  ...checkBehaviours(models, behaviours),
]

/** Doesn't listen yet; the caller does. */
export async function buildApp(options: AppOptions) {
  const { models, product, db, vitalDb, jobDb, config, verifier, limits } = options
  const { identity = {} } = product
  const mistakes = [...checkDefinitions(models, product), ...checkRecipients(models, config)]
  if (mistakes.length > 0) throw new SetupError(`Invalid models:\n${mistakes.join('\n')}`)

  const engine = buildEngine({
    models,
    behaviours: product.behaviours,
    db,
    site: config.site,
    desk: config.owner,
    directory: product.directory ?? null,
    identity,
  })
  const readiness = { isStopping: false, isStarting: false }
  const { app, queue } = await buildServer(options, () => readiness.isStopping)
  const securityLog = buildSecurityLog({ db: jobDb, logger: app.log })
  app.decorate('securityLog', securityLog)
  app.addHook('onClose', () => securityLog.close())
  auditRequests(app, models)
  const recordSignIn = product.recordSignIn?.(engine)
  const noteSession = product.noteSession?.(engine)
  const noteVisitor = ({ visitor, id, log, headers }: FastifyRequest) => {
    if (!visitor) return null
    const note = () => noteSession?.({ visitor, log, agent: headers['user-agent'] }) ?? null
    return recordSignIn?.({ visitor, requestId: id, log })?.then(note) ?? note()
  }
  app.addHook('preHandler', (request, _reply, done) => {
    const noted = noteVisitor(request)
    if (noted) return noted.then(() => checkLevel(request))
    checkLevel(request)
    done()
  })

  const isReady = healthRoutes(app, {
    db: vitalDb,
    ...declaredSchema({
      models,
      productTables: product.tables,
      foreignSchemas: options.foreignSchemas ?? [],
    }),
    undeclared: options.undeclared ?? 'refuse',
    readiness,
  })
  const watched = {
    db: vitalDb,
    pool: db.connections,
    queue,
    verifier,
    isReady,
    jobCounts,
    noticeVersion: product.noticeVersion,
    backupStatusFile: options.backupStatusFile ?? null,
    files: options.files ?? null,
  }
  const metrics = buildMetrics(app, watched)
  movedMetricsRoute(app, options.metricsPort)
  systemRoutes(app, {
    ...watched,
    db,
    release: RELEASE,
    hasRelay: options.hasRelay ?? false,
    refusedPurges: () => refusedPurges(db),
    revocation: options.revocation ?? (async () => 'unknown'),
  })
  undeliveredMailRoutes(app, { engine, limits, mails: product.mails })
  const files = options.files ?? null
  definitionRoutes(app, engine, { fixedPaths: product.paths, files })
  product.routes(app, { engine, config, limits })
  viewRoutes(app, engine)
  countRoutes(app, engine)
  searchRoutes(app, engine)
  fileRoutes(app, { engine, limits, files })
  recordRoutes(app, { engine, limits, files })
  undoRoutes(app, { engine, limits })
  const jobs = { ...engine, db: jobDb }
  return {
    app,
    metrics,
    readiness,
    jobs,
    trash: buildTrashPurger(jobs),
    ownershipBackfill: buildOwnershipBackfill(jobs),
    historyCheck: buildHistoryCheck(jobs),
    rowExpiry: buildRowExpiry(jobDb, allTables(product.tables)),
    ...(product.staffSync ? { staffSync: product.staffSync(jobs) } : {}),
    ...(product.assigning ? { assigning: product.assigning(jobs) } : {}),
  }
}
