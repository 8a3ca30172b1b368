import { setTimeout } from 'node:timers/promises'
import helmet from '@fastify/helmet'
import { checkModels, checkRecipients, type Model, type SiteConfig } from '@gatehouse/model'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyRequest } from 'fastify'
import type { SignedIn, Verifier } from './auth.ts'
import { buildConcurrencyLimiter, type Priority } from './concurrency.ts'
import { metered, type Db } from './db.ts'
import type { Env } from './env.ts'
import { badRequest, routeNotFound, SetupError } from './errors.ts'
import { healthRoutes } from './health.ts'
import { buildRequestCounter } from './limits.ts'
import { metricsRoutes } from './metrics.ts'
import { networkOf } from './network.ts'
import { refuseConnection, sendProblem } from './problems.ts'
import { privacyPaths } from './privacy/openapi.ts'
import type { RenderInquiry } from './privacy/request-form.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { newestOf, type NoticeVersion } from './privacy/versions.ts'
import { checkActs } from './records/actions.ts'
import { checkComputed } from './records/computed.ts'
import { createFor } from './records/create-for.ts'
import { definitionRoutes } from './records/definitions.ts'
import { buildEngine } from './records/engine.ts'
import { countRoutes } from './records/counts.ts'
import { meRoutes } from './records/me.ts'
import { buildTrash } from './records/empty-trash.ts'
import { recordRoutes } from './records/routes.ts'
import { viewRoutes } from './records/views.ts'
import { buildSettling } from './records/settle.ts'
import { checkSteps } from './records/steps.ts'
import { undoRoutes } from './records/undo.ts'
import { buildVisits } from './records/visits.ts'
import { systemRoutes } from './system.ts'
import { systemMailRoutes } from './system-mails.ts'
import { checkTables } from './table.ts'
import { RELEASE } from './version.ts'

declare module 'fastify' {
  interface FastifyRequest {
    visitor: SignedIn | null
    /** Whose share and whose count this is: the account, or the network of somebody who is not signed in. */
    caller: string
    release: (() => void) | null
  }
  interface FastifyContextConfig {
    /** Which queue a request waits in when the server is full; people's unless it says otherwise. */
    priority?: (request: FastifyRequest) => Priority
    /** Answers even when the server is full, and asks for no token. */
    isVital?: boolean
  }
}

export type AppOptions = {
  models: Model[]
  /** For requests: as many are worked on at once as it has connections. */
  db: Db
  /** Of their own, so that neither waits for requests nor requests for them: health and metrics, and the jobs. */
  vitalDb: Db
  jobDb: Db
  config: SiteConfig
  /** Every version of the notice, oldest first. */
  versions: NoticeVersion[]
  verifier: Verifier
  limits: Env['limits']
  backupStatusFile?: string | null
  /** Whether mails can leave at all. */
  hasRelay?: boolean
  /** The page that answers a refused privacy request of a browser without scripts; without it a problem answers. */
  renderInquiry?: RenderInquiry
  /** Only this machine, unless it says otherwise. */
  trustedProxies?: string
  logger?: FastifyBaseLogger
}

const BODY_LIMIT_BYTES = 262_144
const BODY_DEPTH_MAX = 8
const SURROGATE = /\\u[dD][89a-fA-F]/
const REQUEST_TIMEOUT_MS = 10_000
const CONNECTION_TIMEOUT_MS = 15_000
const REFUSAL_PAUSE_MS = 1_000

/** The whole API, without listening: what happens to a request, in reading order. */
export async function buildApp(options: AppOptions) {
  const { models, db, vitalDb, jobDb, config, versions, verifier, limits, logger } = options
  const mistakes = [
    ...checkModels(models),
    ...checkTables(models),
    ...checkComputed(models),
    ...checkSteps(models),
    ...checkActs(models),
    ...checkRecipients(models, config),
  ]
  if (mistakes.length > 0)
    throw new SetupError(`The models can not be used:\n${mistakes.join('\n')}`)

  const engine = buildEngine({ models, db, site: config.site, desk: config.owner })
  const noteVisit = buildVisits(engine)
  const requests = buildRequestCounter(limits.readsPerMinute)
  const limiter = buildConcurrencyLimiter({ places: db.connections().max, ...limits })
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    // Every line about a request carries its id, under the name it has in answers.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: () => crypto.randomUUID(),
    trustProxy: options.trustedProxies ?? 'loopback',
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    http: { headersTimeout: REQUEST_TIMEOUT_MS / 2 },
    clientErrorHandler: refuseConnection,
    // Whoever got in before the door closed is served: the proxy would pass a 503 on as ours.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendProblem(error, request, reply),
    routerOptions: { maxParamLength: 200 },
    // Nothing is bent into shape: what does not fit the schema is refused.
    ajv: {
      customOptions: {
        allErrors: true,
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        multipleOfPrecision: 6,
      },
    },
  })

  app.decorateRequest('visitor', null)
  app.decorateRequest('caller', '')
  app.decorateRequest('release', null)
  app.removeContentTypeParser('text/plain')
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = String(body)
    if (text === '') return done(null, undefined)
    if (nesting(text) > BODY_DEPTH_MAX)
      return done(badRequest(`JSON may be at most ${BODY_DEPTH_MAX} deep`))
    return parseJson(_request, text, (error, value) =>
      done(error, error || !SURROGATE.test(text) ? value : JSON.parse(text, toWellFormed)),
    )
  })

  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store').header('x-request-id', request.id)
  })
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config.isVital) return
    const { authorization } = request.headers
    const network = `network ${networkOf(request.ip)}`
    // Counted after the token is judged, so that nobody's made-up ones hold up a colleague's; judging one costs little, and a
    // made-up key id asks the identity provider at most every KEYS_COOLDOWN_MS.
    const visitor = await verifier.verify(authorization).catch((error: unknown) => {
      requests.count(network)
      throw error
    })
    request.visitor = visitor
    request.caller = visitor ? `account ${visitor.sub}` : network
    requests.count(request.caller)
  })
  // After the body has arrived: a slow upload must not hold a place.
  app.addHook('preHandler', (request, reply, done) => {
    const { isVital, priority } = request.routeOptions.config
    if (isVital) return done()
    const onWaiting = (abandon: () => void) => void reply.raw.once('close', abandon)
    const { caller } = request
    const network = networkOf(request.ip)
    void limiter
      .acquire({ caller, network, priority: priority?.(request) ?? 'person', onWaiting })
      .then((release) => {
        const meter = { ms: 0, isDatabaseAway: false }
        request.release = () => release(meter)
        metered(meter, done)
      }, done)
  })
  app.addHook('preHandler', async ({ visitor, id, log }) => {
    if (visitor) await noteVisit({ visitor, requestId: id, log })
  })
  // The work is done. Not when the response is: it never is for somebody who has hung up.
  app.addHook('onSend', async (request, reply) => {
    request.release?.()
    request.release = null
    // Whoever asks again at once has the answer no sooner, and others have the processor meanwhile.
    if (reply.statusCode === 429) await setTimeout(REFUSAL_PAUSE_MS)
    // A connection that is kept alive would keep a stopping replica alive.
    if (readiness.isStopping) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    logResponse(request, reply.statusCode, reply.elapsedTime)
  })

  app.setErrorHandler(sendProblem)
  app.setNotFoundHandler(() => {
    throw routeNotFound()
  })

  const { readiness, isReady } = healthRoutes(app, { db: vitalDb, models })
  const watched = {
    db: vitalDb,
    pool: db.connections,
    limiter,
    verifier,
    isReady,
    noticeVersion: newestOf(versions).version,
    backupStatusFile: options.backupStatusFile ?? null,
  }
  metricsRoutes(app, watched)
  systemRoutes(app, { ...watched, db, release: RELEASE, hasRelay: options.hasRelay ?? false })
  systemMailRoutes(app, { db, limits })
  definitionRoutes(app, engine, privacyPaths)
  privacyRoutes(app, {
    db,
    config,
    versions,
    limits,
    createRequest: createFor(engine, 'privacyrequests'),
    renderInquiry: options.renderInquiry ?? null,
  })
  meRoutes(app, engine)
  viewRoutes(app, engine)
  countRoutes(app, engine)
  recordRoutes(app, { engine, limits })
  undoRoutes(app, { engine, limits })
  const jobs = { ...engine, db: jobDb }
  return { app, readiness, trash: buildTrash(jobs), settling: buildSettling(jobs) }
}

/** The log knows routes, not addresses; people appear in it in no form. */
function logResponse(request: FastifyRequest, status: number, elapsed: number) {
  request.log.info({
    method: request.method,
    route: request.routeOptions.url ?? 'none',
    status,
    ms: Math.round(elapsed),
  })
}

/** Half of a character, as a cut-off emoji leaves it: text columns replace it, JSON columns refuse it. */
const toWellFormed = (_name: string, value: unknown) =>
  typeof value === 'string' ? value.toWellFormed() : value

/** How deep JSON is nested, without building it. */
function nesting(text: string) {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (isText && character === '\\') at++
    else if (character === '"') isText = !isText
    else if (!isText && (character === '{' || character === '['))
      deepest = Math.max(deepest, ++depth)
    else if (!isText && (character === '}' || character === ']')) depth--
  }
  return deepest
}
