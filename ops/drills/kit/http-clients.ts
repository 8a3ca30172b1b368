import { once } from 'node:events'
import { request } from 'node:https'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { retryRefused, counted, many, startClients, type LoadClient } from './load-generator.ts'

type Question = {
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Sends the body in parts, over this time; needs `content-length`. */
  overMs?: number
}
export type HttpResponse = { status: number; headers: Record<string, unknown>; body: string }
export type Visitor = (address: string, question?: Question) => Promise<HttpResponse>

/** `from`: one of this machine's loopback addresses, 127.0.0.1 to 127.255.255.254. */
type Where = { port: number; certificate?: string; from?: string }

const REQUEST_TIMEOUT_MS = 20_000

/** External requests, with every host name resolved to this machine. A given certificate is verified. */
export const externalClient =
  ({ port, certificate, from }: Where): Visitor =>
  async (address, { method = 'GET', headers = {}, body, overMs } = {}) => {
    const { hostname, pathname, search } = new URL(address)
    const asked = request({
      host: '127.0.0.1',
      port,
      ...(from ? { localAddress: from } : {}),
      method,
      path: pathname + search,
      servername: hostname,
      // A new connection per request.
      agent: false,
      timeout: REQUEST_TIMEOUT_MS,
      headers: { host: hostname, ...headers },
      ...(certificate ? { ca: certificate } : { rejectUnauthorized: false }),
    })
    asked.on('timeout', () => asked.destroy(new Error('timed out')))
    const answered = once(asked, 'response')
    // A refusal comes before the end, and closes: the answer says why.
    if (body && overMs) await pipeline(Readable.from(partsOf(body, overMs)), asked).catch(() => {})
    else asked.end(body)
    const [response] = await answered
    return {
      status: Number(response.statusCode),
      headers: response.headers,
      body: await text(response),
    }
  }

const PART_PAUSE_MS = 1000

async function* partsOf(body: string, overMs: number) {
  const size = Math.ceil((body.length * PART_PAUSE_MS) / overMs)
  for (let at = 0; at < body.length; at += size) {
    yield body.slice(at, at + size)
    await setTimeout(PART_PAUSE_MS)
  }
}

export const localClient: Visitor = async (address, question) => {
  const answer = await fetch(address, { redirect: 'manual', ...question })
  return {
    status: answer.status,
    headers: { ...Object.fromEntries(answer.headers), 'set-cookie': answer.headers.getSetCookie() },
    body: await answer.text(),
  }
}

type Call = { method?: string; headers?: Record<string, string>; body?: object }
export type SendRequest = (
  path: string,
  question?: Call,
) => Promise<{ status: number; text: string; retryAfter: string | null }>

const READERS = 4
const WRITERS = 2
/** Pause between two requests of one client. */
const PAUSE_MS = 40
const PAGES = ['/', '/services', '/api/models', '/api/tickets']

/** Requests the site by its own name on this machine. */
export function buildSiteClient(host: string, certificate: string, from?: string): SendRequest {
  const visit = externalClient({ port: 443, certificate, ...(from ? { from } : {}) })
  return async (path, { body, ...question } = {}) => {
    const answer = await visit(`https://${host}${path}`, {
      ...question,
      ...(body
        ? {
            headers: { ...question.headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }
        : {}),
    })
    const { 'retry-after': retryAfter } = answer.headers
    return {
      status: answer.status,
      text: answer.body,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
    }
  }
}

export const ticketOf = (subject: string) => ({
  subject,
  fullName: 'Drill',
  email: 'drill@example.test',
  message: 'Write me down once',
})

/** Clients that read and write until ended, and until there were `least` requests. Rejections with Retry-After are retried; any other unexpected response fails. */
export function startVisitors(
  ask: SendRequest,
  { name, token, least = 0 }: { name: string; token: () => Promise<string>; least?: number },
) {
  const done = { asked: 0, written: 0, refused: 0, slowestMs: 0, failures: [] as string[] }
  const isOver = (isEnding: () => boolean) => isEnding() && done.asked >= least
  const askAs = async (path: string, question: Call) =>
    ask(path, {
      ...question,
      headers: { authorization: `Bearer ${await token()}`, ...question.headers },
    })
  const print = async (path: string, expected: number, question: Call) => {
    const started = Date.now()
    const answer = await retryRefused(
      () => askAs(path, question),
      () => done.refused++,
    ).catch((error: unknown) => ({ status: 0, text: String(error) }))
    done.asked++
    done.slowestMs = Math.max(done.slowestMs, Date.now() - started)
    if (answer.status !== expected)
      done.failures.push(
        `${question.method ?? 'GET'} ${path} got ${answer.status} ${answer.text.slice(0, 120)}`,
      )
    await setTimeout(PAUSE_MS)
  }
  const reader: LoadClient = async (isEnding, index) => {
    for (let turn = index; !isOver(isEnding); turn++)
      await print(PAGES[turn % PAGES.length] ?? '/', 200, {})
  }
  const writer: LoadClient = async (isEnding) => {
    while (!isOver(isEnding)) {
      const key = `${name}-${done.written++}`
      await print('/api/tickets', 201, {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: ticketOf(key),
      })
    }
  }
  return startClients([...many(READERS, reader), ...many(WRITERS, writer)], () => ({
    ...done,
    failed: done.failures.length,
    failures: counted(done.failures),
  }))
}
