import { createServer, type IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyRequest } from 'fastify'
import { metered, type Db, type Meter } from '#platform/db.ts'
import type { Limits } from '#platform/env.ts'
import { routeNotFound } from '#platform/errors.ts'
import type { SignedIn, Verifier } from './auth.ts'
import { parseBodies } from './body.ts'
import { buildConcurrencyLimiter, type Priority } from '#platform/load/concurrency.ts'
import { buildRequestCounter } from './limits.ts'
import { guardLevels } from './level.ts'
import { networkOf } from '#platform/load/network.ts'
import { buildTurnAway, refuseConnection, sendProblem } from './problems.ts'
import { routeOf } from './resource.ts'

declare module 'fastify' {
  interface FastifyRequest {
    visitor: SignedIn | null
    /** Rate-limit key: the account, or the network of an anonymous visitor. */
    caller: string
    /** The place it holds, and what it has cost the database. Not a closure over the request: measured, it outlived young collections. */
    place: { release: (spent: Meter) => void; spent: Meter } | null
  }
  interface FastifyInstance {
    isRevoked: Verifier['isRevoked']
  }
  interface FastifyContextConfig {
    /** Queue priority when the server is full; default: person. */
    priority?: (request: FastifyRequest) => Priority
    /** Bypasses limits and authentication. */
    isVital?: boolean
  }
}

export type ServerOptions = {
  /** Pool for requests; its size is the concurrency limit. */
  db: Db
  verifier: Verifier
  limits: Limits
  /** Default: loopback only. */
  trustedProxies?: string
  logger?: FastifyBaseLogger
}

const BODY_LIMIT_BYTES = 262_144
const CONNECTION_TIMEOUT_MS = 15_000
/** Idle connections are kept longer than the proxy keeps them, so that it never sends into one that closes. */
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 72_000 }
const REFUSAL_PAUSE_MS = 1_000

/** Of every answer: it is nobody's to keep, to frame, to run or to guess the type of. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}

/** What is called when a request that was let in has got its place, or ends without one. */
const onTheWay = (request: IncomingMessage & { leave?: () => void }) => request

/** An HTTP server without routes: the request lifecycle, top to bottom. */
export async function buildServer(
  { db, verifier, limits, trustedProxies, logger }: ServerOptions,
  isStopping: () => boolean,
) {
  const requests = buildRequestCounter(limits.readsPerMinute)
  const limiter = buildConcurrencyLimiter({ places: db.connections().max, ...limits })
  const vitalPaths = new Set<string>()
  const turnAway = buildTurnAway(HEADERS)
  const trusted = proxyAddr.compile(
    (trustedProxies ?? 'loopback').split(',').map((one) => one.trim()),
  )
  const app = Fastify({
    // At the door, before Fastify makes anything of a request: in overload there are more of these than answers. The limiter counts
    // them; a line of the log for each would cost more than the refusal.
    serverFactory: (handle) => {
      const server = createServer(TIMEOUTS, (request, response) => {
        const isRead = request.method === 'GET'
        const isVital = isRead && vitalPaths.has(request.url?.split('?', 1)[0] ?? '')
        if (!isVital && limiter.turnsAway(networkOf(proxyAddr(request, trusted))))
          return turnAway(response, isStopping())
        // A body may take its time, and must keep nobody out.
        if (isRead && !isVital) {
          const leave = limiter.arrive()
          onTheWay(request).leave = leave
          response.once('close', leave)
        }
        handle(request, response)
      })
      return server.setTimeout(CONNECTION_TIMEOUT_MS)
    },
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    // Request ID in every log line, under the name it has in responses.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: () => crypto.randomUUID(),
    trustProxy: trusted,
    bodyLimit: BODY_LIMIT_BYTES,
    clientErrorHandler: refuseConnection,
    // Serves connections accepted before shutdown: the proxy would pass a 503 on.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendProblem(error, request, reply),
    routerOptions: { maxParamLength: 200 },
    // No coercion: what doesn't match the schema is refused.
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
  app.decorateRequest('place', null)
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.isVital) vitalPaths.add(url)
  })
  parseBodies(app)
  guardLevels(app)

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id)
    done()
  })
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.isVital) return done()
    const { authorization } = request.headers
    const network = `network ${networkOf(request.ip)}`
    const enter = (visitor: SignedIn | null) => {
      request.visitor = visitor
      request.caller = visitor ? `account ${visitor.sub}` : network
      requests.count(request.caller)
    }
    const known = verifier.known(authorization)
    if (known !== undefined) {
      enter(known)
      return done()
    }
    // Counted after verification, so that forged tokens don't use up a colleague's limit. Verifying is cheap, and a forged key
    // ID triggers a fetch at most every KEYS_COOLDOWN_MS.
    const refuse = (error: Error) => {
      requests.count(network)
      throw error
    }
    return verifier.verify(authorization).then(enter, refuse)
  })
  // Before the body is read, like `serve`.
  app.addHook('onRequest', ({ is404 }, _reply, done) => {
    done(is404 ? routeNotFound() : undefined)
  })
  // After the body has arrived: a slow upload must not hold a slot.
  app.addHook('preHandler', (request, reply, done) => {
    const { isVital, priority } = request.routeOptions.config
    if (isVital) return done()
    const onWaiting = (abandon: () => void) => void reply.raw.once('close', abandon)
    const { caller } = request
    const network = networkOf(request.ip)
    onTheWay(request.raw).leave?.()
    limiter.acquire({
      caller,
      network,
      priority: priority?.(request) ?? 'person',
      onWaiting,
      onStarted: (release) => {
        const spent = { ms: 0, isDatabaseAway: false }
        request.place = { release, spent }
        metered(spent, done)
      },
      onRefused: done,
    })
  })
  // Released here, not in onResponse, which never runs for an aborted connection.
  app.addHook('onSend', (request, reply, _payload, done) => {
    request.place?.release(request.place.spent)
    request.place = null
    // One that is refused never comes to its place.
    onTheWay(request.raw).leave?.()
    const go = () => {
      // Keep-alive connections would hold up shutdown.
      if (isStopping()) reply.header('connection', 'close')
      done()
    }
    // Delays 429, so that tight retry loops don't use up the CPU.
    if (reply.statusCode === 429) setTimeout(go, REFUSAL_PAUSE_MS)
    else go()
  })
  app.addHook('onResponse', (request, reply, done) => {
    logResponse(request, reply.statusCode, reply.elapsedTime)
    done()
  })

  app.setErrorHandler(sendProblem)
  app.setNotFoundHandler(() => {
    throw routeNotFound()
  })

  return { app, limiter }
}

/** Logs route patterns, never URLs or people. */
function logResponse(request: FastifyRequest, status: number, elapsed: number) {
  request.log.info({
    method: request.method,
    route: routeOf(request),
    status,
    ms: Math.round(elapsed),
  })
}
