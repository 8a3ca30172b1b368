import proxyAddr from '@fastify/proxy-addr'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyRequest } from 'fastify'
import { withMeter, type Db, type Meter } from '#platform/db.ts'
import type { Limits } from '#platform/env.ts'
import { routeNotFound } from '#platform/errors.ts'
import type { SignedIn, Verifier } from './auth.ts'
import { parseBodies } from './request-body.ts'
import {
  buildFairQueue,
  type Priority,
  type Release,
} from '#platform/admission-control/fair-queue.ts'
import { requireDeclaredLevels } from './access-level.ts'
import { buildRequestCounter, networksOf } from '#platform/admission-control/client-network.ts'
import { isInProcess } from './in-process.ts'
import { rejectConnection, sendProblem } from './problems.ts'
import { routeOf } from './resource.ts'

declare module 'fastify' {
  interface FastifyRequest {
    visitor: SignedIn | null
    /** Rate-limit key: the account, or the network of an anonymous visitor. */
    caller: string
    /** Networks of the client, widest first. */
    networks: string[]
    /** Rejected on arrival, because the queue is full. */
    isShed: boolean
    slot: { release: Release; spent: Meter } | null
  }
  interface FastifyInstance {
    isRevoked: Verifier['isRevoked']
  }
  interface FastifyContextConfig {
    /** Queue priority when the server is full; default: person. */
    priority?: (request: FastifyRequest) => Priority
    /** Bypasses limits and authentication. */
    isVital?: boolean
    /** Its body may take minutes: no slot, and no limit on its time. */
    isStream?: boolean
  }
}

export type ServerOptions = {
  /** Pool for requests; its size is the concurrency limit. */
  db: Db
  verifier: Verifier
  limits: Limits
  /** Default: loopback only. */
  trustedProxies?: string
  /** Value of Strict-Transport-Security; without it the header is absent. */
  hsts?: string
  logger?: FastifyBaseLogger
}

const BODY_LIMIT_BYTES = 262_144
const CONNECTION_TIMEOUT_MS = 15_000
/** Keep-alive is longer than the proxy's, so that the proxy never sends on a closing connection. */
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 0, keepAliveTimeout: 72_000 }
/** For a whole request. Node's own limit would also end uploads. */
const REQUEST_MS = 10_000
const REJECTION_DELAY_MS = 1_000
/** Concurrent token verifications under overload; other requests without a cached token are shed. */
const VERIFYING_MAX = 8

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** An HTTP server without routes: the request lifecycle, top to bottom. */
export async function buildServer(
  { db, verifier, limits, trustedProxies, hsts, logger }: ServerOptions,
  isStopping: () => boolean,
) {
  const headers = hsts ? { ...HEADERS, 'strict-transport-security': hsts } : HEADERS
  const requests = buildRequestCounter(limits.readsPerMinute)
  const queue = buildFairQueue({
    slots: db.connections().max,
    slotsPerCaller: limits.placesPerCaller,
    databaseSecondsPerMinute: limits.databaseSecondsPerMinute,
  })
  const app = Fastify({
    http: TIMEOUTS,
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    // Request ID in every log line, under the name it has in responses.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: () => crypto.randomUUID(),
    trustProxy: proxyAddr.compile(
      (trustedProxies ?? 'loopback').split(',').map((one) => one.trim()),
    ),
    bodyLimit: BODY_LIMIT_BYTES,
    clientErrorHandler: rejectConnection,
    // Serves connections accepted before shutdown: the proxy would pass a 503 on.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendProblem(error, request, reply),
    routerOptions: { maxParamLength: 200 },
    // No coercion: values that don't match the schema are rejected.
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

  app.decorate('isRevoked', verifier.isRevoked)
  app.decorateRequest('visitor', null)
  app.decorateRequest('caller', '')
  app.decorateRequest('networks')
  app.decorateRequest('isShed', false)
  app.decorateRequest('slot', null)
  app.decorateRequest('resource')
  parseBodies(app)
  requireDeclaredLevels(app)

  let verifying = 0
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    if (!request.routeOptions.config.isStream) limitTime(request)
    if (request.routeOptions.config.isVital) return done()
    const { authorization } = request.headers
    const networks = networksOf(request.ip)
    request.networks = networks
    const known = verifier.cachedVisitor(authorization)
    // Sheds load before verifying tokens.
    const canVerify = known === undefined && verifying < VERIFYING_MAX
    const error = canVerify ? null : queue.shed({ networks, isKnown: Boolean(known) })
    if (error) return void sendProblem(error, request, reply)
    const admit = (visitor: SignedIn | null) => {
      request.visitor = visitor
      request.caller = visitor ? `account ${visitor.sub}` : `network ${networks.at(-1)}`
      if (visitor) requests.countAccount(visitor.sub)
      else if (!isInProcess(request)) requests.countNetworks(networks)
    }
    if (known !== undefined) {
      admit(known)
      return done()
    }
    // Counted after verification, so that forged tokens don't use up a colleague's limit. A forged key ID triggers a fetch at
    // most every KEYS_COOLDOWN_MS.
    const reject = (failure: Error) => {
      requests.countNetworks(networks)
      throw failure
    }
    verifying++
    return verifier
      .verify(authorization)
      .finally(() => verifying--)
      .then(admit, reject)
  })
  // Before the body is read, like `serve`.
  app.addHook('onRequest', ({ is404 }, _reply, done) => {
    done(is404 ? routeNotFound() : undefined)
  })
  // After the body has arrived: a slow upload must not hold a slot.
  app.addHook('preHandler', (request, reply, done) => {
    const { isVital, isStream, priority } = request.routeOptions.config
    if (isVital || isStream) return done()
    const { caller, networks, visitor } = request
    queue
      .acquire({
        caller,
        networks,
        isKnown: visitor !== null,
        priority: priority?.(request) ?? 'person',
        // Not `request.signal`: that ends with the body of a POST.
        onWaiting: (leave) => void reply.raw.once('close', leave),
      })
      .then((release) => {
        const spent = { ms: 0, isDatabaseUnavailable: false }
        request.slot = { release, spent }
        withMeter(spent, done)
      }, done)
  })
  // Released here, not in onResponse, which never runs for an aborted connection.
  app.addHook('onSend', (request, reply, _payload, done) => {
    request.slot?.release(request.slot.spent)
    request.slot = null
    const finish = () => {
      // Keep-alive connections would hold up shutdown.
      if (isStopping()) reply.header('connection', 'close')
      done()
    }
    // So that tight retry loops don't use up the CPU.
    if (reply.statusCode === 429 || request.isShed) setTimeout(finish, REJECTION_DELAY_MS)
    else finish()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // Shed requests are counted by the queue, not logged: a line would cost more than the rejection.
    if (!request.isShed && !isInProcess(request))
      logResponse(request, reply.statusCode, reply.elapsedTime)
    done()
  })

  app.setErrorHandler(sendProblem)
  app.setNotFoundHandler(() => {
    throw routeNotFound()
  })

  return { app, queue }
}

/** A body that takes too long ends its connection. */
function limitTime({ raw, headers }: FastifyRequest) {
  if (headers['content-length'] === undefined && !headers['transfer-encoding']) return
  const timer = setTimeout(() => {
    if (!raw.complete) rejectConnection(REQUEST_TOO_SLOW, raw.socket)
  }, REQUEST_MS)
  raw.once('close', () => clearTimeout(timer))
}

const REQUEST_TOO_SLOW = Object.assign(new Error('the request took too long'), {
  code: 'ERR_HTTP_REQUEST_TIMEOUT',
})

/** Logs route patterns, never URLs or personal data. */
function logResponse(request: FastifyRequest, status: number, elapsed: number) {
  request.log.info({
    method: request.method,
    route: routeOf(request),
    status,
    ms: Math.round(elapsed),
  })
}
