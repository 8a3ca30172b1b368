import { once } from 'node:events'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'

type Question = { method?: string; headers?: Record<string, string>; body?: string }
export type Answer = { status: number; headers: Record<string, unknown>; body: string }
export type Visitor = (address: string, question?: Question) => Promise<Answer>

/**
 * Asks as somebody from outside would whose name servers lead every name to this machine. Whoever knows the certificate
 * insists on it.
 */
export const visitor =
  ({ port, certificate }: { port: number; certificate?: string }): Visitor =>
  async (address, { method = 'GET', headers = {}, body } = {}) => {
    const { hostname, pathname, search } = new URL(address)
    const asked = request({
      host: '127.0.0.1',
      port,
      method,
      path: pathname + search,
      servername: hostname,
      headers: { host: hostname, ...headers },
      ...(certificate ? { ca: certificate } : { rejectUnauthorized: false }),
    })
    const answered = once(asked.end(body), 'response')
    const [response] = await answered
    return {
      status: Number(response.statusCode),
      headers: response.headers,
      body: await text(response),
    }
  }
