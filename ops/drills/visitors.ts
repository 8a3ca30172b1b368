import { request } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { counted } from './load.ts'

type Question = { method?: string; headers?: Record<string, string>; body?: object }
export type Ask = (path: string, question?: Question) => Promise<{ status: number; text: string }>

const READERS = 4
const WRITERS = 2
/** Between two requests of one of them. */
const PAUSE_MS = 40
const PAGES = ['/', '/msp/services', '/api/models', '/api/tickets']
/** Nobody waits longer. */
const PATIENCE_MS = 20_000

/** Asks the site under its own name, on this machine; every request is somebody else's, on a connection of its own. */
export const buildAsk =
  (host: string, ca: string): Ask =>
  (path, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const asked = request({
        host: '127.0.0.1',
        port: 443,
        servername: host,
        agent: false,
        ca,
        path,
        method,
        headers: { host, ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
        timeout: PATIENCE_MS,
      })
      asked.on('timeout', () => asked.destroy(new Error('no answer')))
      asked.on('error', reject)
      asked.on('response', (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
        answer.on('error', reject)
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      })
      asked.end(body ? JSON.stringify(body) : undefined)
    })

export const ticketOf = (subject: string) => ({
  subject,
  fullName: 'Drill',
  email: 'drill@example.test',
  message: 'Write me down once',
})

/** People who read and write until they are told to end. Nothing is asked twice: every answer must be the right one. */
export function startVisitors(
  ask: Ask,
  { name, token }: { name: string; token: () => Promise<string> },
) {
  const done = { asked: 0, written: 0, slowestMs: 0, failures: [] as string[] }
  let isEnding = false
  const askAs = async (path: string, question: Question) =>
    ask(path, {
      ...question,
      headers: { authorization: `Bearer ${await token()}`, ...question.headers },
    })
  const tell = async (path: string, expected: number, question: Question) => {
    const started = Date.now()
    const answer = await askAs(path, question).catch((error: unknown) => ({
      status: 0,
      text: String(error),
    }))
    done.asked++
    done.slowestMs = Math.max(done.slowestMs, Date.now() - started)
    if (answer.status !== expected)
      done.failures.push(
        `${question.method ?? 'GET'} ${path} was answered with ${answer.status} ${answer.text.slice(0, 120)}`,
      )
    await setTimeout(PAUSE_MS)
  }
  const reader = async (place: number) => {
    for (let turn = place; !isEnding; turn++) await tell(PAGES[turn % PAGES.length] ?? '/', 200, {})
  }
  const writer = async () => {
    while (!isEnding) {
      const key = `${name}-${done.written++}`
      await tell('/api/tickets', 201, {
        method: 'POST',
        headers: { 'idempotency-key': key },
        body: ticketOf(key),
      })
    }
  }
  const everybody = Promise.all([
    ...Array.from({ length: READERS }, (_, place) => reader(place)),
    ...Array.from({ length: WRITERS }, writer),
  ])
  return {
    end: async () => {
      isEnding = true
      await everybody
      return { ...done, failed: done.failures.length, failures: counted(done.failures) }
    },
  }
}
