import { createConnection, type Socket } from 'node:net'
import { seeded } from './kit/random.ts'

/**
 * Load of the `overload` drill, in its own process, so that it doesn't measure its own delays. Raw sockets instead of a client
 * library, which would take CPU from the API.
 */
export type Plan = {
  port: number
  /** Full requests, as sent. */
  requests: string[]
  seed: number
  seconds: number
  sockets: number
  /** Requests a second regardless of responses, as long as sockets are free; null: the next request follows each response. */
  rate: number | null
}

/** `request` is its index in the plan; `ms` counts from sending. */
export type LoadResponse = { request: number; status: number; ms: number; hasRetryAfter: boolean }

const TICK_MS = 2

async function run({ port, requests, seed, seconds, sockets, rate }: Plan) {
  const random = seeded(seed)
  const responses: LoadResponse[] = []
  const free = Array.from({ length: sockets }, () => open(port))
  const started = performance.now()
  let sent = 0
  const isDue = () => {
    const elapsed = (performance.now() - started) / 1_000
    return elapsed < seconds && (rate === null || sent < elapsed * rate)
  }
  return new Promise<LoadResponse[]>((resolve) => {
    const work = () => {
      while (free.length > 0 && isDue()) send(free.pop() as Line)
      const isOver = performance.now() - started >= seconds * 1_000
      if (!isOver || free.length < sockets) return
      clearInterval(timer)
      for (const { socket } of free) socket.destroy()
      resolve(responses)
    }
    const send = (line: Line) => {
      sent++
      const request = Math.floor(random() * requests.length)
      const at = performance.now()
      line.ask(requests[request] ?? '', (status, hasRetryAfter) => {
        responses.push({ request, status, hasRetryAfter, ms: performance.now() - at })
        free.push(status === 0 ? open(port) : line)
        work()
      })
    }
    const timer = setInterval(work, TICK_MS)
  })
}

type Heard = (status: number, hasRetryAfter: boolean) => void
type Line = { socket: Socket; ask: (request: string, heard: Heard) => void }

/** A keep-alive connection; status 0 if it was lost before the response. */
function open(port: number): Line {
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
  let text = ''
  let heard: Heard | null = null
  const tell: Heard = (status, hasRetryAfter) => {
    const to = heard
    heard = null
    text = ''
    to?.(status, hasRetryAfter)
  }
  socket
    .on('data', (part) => {
      text += String(part)
      const end = text.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = text.slice(0, end).toLowerCase()
      const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? NaN)
      if (text.length - end - 4 >= length)
        tell(Number(head.slice(9, 12)), head.includes('\r\nretry-after: '))
    })
    .on('error', () => {})
    .on('close', () => tell(0, false))
  return {
    socket,
    ask: (request, next) => {
      heard = next
      if (socket.destroyed) tell(0, false)
      else socket.write(request)
    },
  }
}

process.on('message', (plan: Plan) => void run(plan).then((responses) => process.send?.(responses)))
