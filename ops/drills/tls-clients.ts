import { once } from 'node:events'
import { request as requestClear, type IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:tls'
import { counted, many, startClients, type LoadClient } from './kit/load-generator.ts'
import { IDENTITY_HOST, SITE_HOST } from './tls-services.ts'

const TIMEOUT_MS = 10_000
const KEEP_ALIVE_CLIENTS = 6
const NEW_CONNECTION_CLIENTS = 3
/** Between two requests of one client. */
const PAUSE_MS = 60

type Paths = Record<string, readonly [host: string, path: string]>

export const PATHS = {
  page: [SITE_HOST, '/'],
  api: [SITE_HOST, '/api/models'],
  identity: [IDENTITY_HOST, '/realms/gatehouse/account'],
} as const

type Target = { port: number; host: string; path: string }
type SecureTarget = Target & { ca?: string; agent?: Agent; onResent?: () => void }
export type Response = { status: number; headers: IncomingMessage['headers']; body: string }

/**
 * Over https, verified if a CA is given. Like a browser, sends once more what a kept connection swallowed that the server was
 * closing at that moment.
 */
export async function sendSecure(target: SecureTarget): Promise<Response> {
  const { port, host, path, ca, agent } = target
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    servername: host,
    agent: agent ?? false,
    timeout: TIMEOUT_MS,
    // Anonymous reads of the API have a stricter limit.
    headers: { host, authorization: 'Bearer drill' },
    ...(ca ? { ca } : { rejectUnauthorized: false }),
  })
  try {
    return await receive(sent)
  } catch (error) {
    if (!sent.reusedSocket || Reflect.get(Object(error), 'code') !== 'ECONNRESET') throw error
    target.onResent?.()
    return sendSecure(target)
  }
}

export function sendClear(
  { port, host, path }: Target,
  headers: Record<string, string> = {},
): Promise<Response> {
  const options = { host: '127.0.0.1', port, path, agent: false, timeout: TIMEOUT_MS }
  return receive(requestClear({ ...options, headers: { host, ...headers } }))
}

async function receive(sent: ReturnType<typeof request>): Promise<Response> {
  sent.on('timeout', () => sent.destroy(new Error('timed out')))
  const [response] = (await once(sent.end(), 'response')) as [IncomingMessage]
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await text(response),
  }
}

export type Served = { fingerprint: string; isTrusted: boolean; error: string; protocol: string }

/** The certificate a new connection gets for this name, and whether this CA vouches for it. */
export async function certificateOf(port: number, host: string, ca?: string): Promise<Served> {
  const socket = connect({
    host: '127.0.0.1',
    port,
    servername: host,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2', 'http/1.1'],
    timeout: TIMEOUT_MS,
    ...(ca ? { ca } : {}),
  })
  socket.once('timeout', () => socket.destroy(new Error('timed out')))
  try {
    await once(socket, 'secureConnect')
    const { fingerprint256 } = socket.getPeerCertificate()
    return {
      fingerprint: fingerprint256,
      isTrusted: socket.authorized,
      error: String(socket.authorizationError ?? ''),
      protocol: String(socket.alpnProtocol),
    }
  } finally {
    socket.destroy()
  }
}

/** Requests pages, the API and sign-in until ended, on kept and on new connections. */
export function startTlsLoad(port: number, ca: string, paths: Paths = PATHS) {
  const done = { kept: 0, fresh: 0, resent: 0, failures: [] as string[] }
  const targets = Object.values(paths)
  const client =
    (isKept: boolean): LoadClient =>
    async (isEnding, index) => {
      const agent = isKept ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined
      for (let turn = index; !isEnding(); turn++) {
        const [host, path] = targets[turn % targets.length] ?? PATHS.page
        const onResent = () => done.resent++
        await sendSecure({ port, host, path, ca, onResent, ...(agent ? { agent } : {}) })
          .then(({ status }) => {
            if (status !== 200) done.failures.push(`${host}${path} got ${status}`)
          })
          .catch((error: unknown) => done.failures.push(`${host}${path}: ${String(error)}`))
        done[isKept ? 'kept' : 'fresh']++
        await setTimeout(PAUSE_MS)
      }
      agent?.destroy()
    }
  const started = Date.now()
  return startClients(
    [...many(KEEP_ALIVE_CLIENTS, client(true)), ...many(NEW_CONNECTION_CLIENTS, client(false))],
    () => ({
      ...done,
      perSecond: Math.round((done.kept + done.fresh) / ((Date.now() - started) / 1000)),
      failed: done.failures.length,
      failures: counted(done.failures),
    }),
  )
}
