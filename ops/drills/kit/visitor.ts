import { once } from 'node:events'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'

type Question = { method?: string; headers?: Record<string, string>; body?: string }
export type Answer = { status: number; headers: Record<string, unknown>; body: string }
export type Visitor = (address: string, question?: Question) => Promise<Answer>

type Where = { port: number; certificate?: string }

/** Nobody waits longer. */
const PATIENCE_MS = 20_000

/**
 * Asks as somebody from outside would whose name servers lead every name to this machine. Whoever knows the certificate
 * insists on it.
 */
export const visitor =
  ({ port, certificate }: Where): Visitor =>
  async (address, { method = 'GET', headers = {}, body } = {}) => {
    const { hostname, pathname, search } = new URL(address)
    const asked = request({
      host: '127.0.0.1',
      port,
      method,
      path: pathname + search,
      servername: hostname,
      // Every request is somebody else's.
      agent: false,
      timeout: PATIENCE_MS,
      headers: { host: hostname, ...headers },
      ...(certificate ? { ca: certificate } : { rejectUnauthorized: false }),
    })
    asked.on('timeout', () => asked.destroy(new Error('no answer')))
    const answered = once(asked.end(body), 'response')
    const [response] = await answered
    return {
      status: Number(response.statusCode),
      headers: response.headers,
      body: await text(response),
    }
  }

/** Asks an address of this machine, without a name or a certificate. */
export const neighbour: Visitor = async (address, question) => {
  const answer = await fetch(address, { redirect: 'manual', ...question })
  return {
    status: answer.status,
    headers: { ...Object.fromEntries(answer.headers), 'set-cookie': answer.headers.getSetCookie() },
    body: await answer.text(),
  }
}
