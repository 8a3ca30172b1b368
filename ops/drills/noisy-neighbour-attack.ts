import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'

/** The noisy neighbour's process, separate so that it doesn't slow the measuring one. */
export type Attack = {
  port: number
  from: string | string[]
  connections: number
} & (Held | Asked)

type Held = { first: string; drip: string }
/** Anonymous if omitted. */
type Asked = { path: string; token?: string }
type Where = Omit<Attack, keyof (Held & Asked)>

/** Responses to the noisy neighbour by status; `closed`: connections closed without one. */
export type ResponseCounts = Record<string, number>

/** Interval at which slow connections send a few more bytes. */
const DRIP_MS = 4_000
const RAMP = 100
const RAMP_MS = 50

const told: ResponseCounts = {}
const count = (what: string) => void (told[what] = (told[what] ?? 0) + 1)

process.once('message', (attack: Attack) => {
  // Lowest priority: a real client would not use our CPU.
  setPriority(constants.priority.PRIORITY_LOW)
  process.on('message', () => process.send?.(told))
  void ('path' in attack ? floodRequests(attack, attack) : hold(attack, attack))
})

/** Connections with unfinished requests; reopened when closed. */
async function hold({ port, from, connections }: Where, { first, drip }: Held) {
  const sockets = new Set<Socket>()
  const open = () => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: [from].flat()[0] }, () =>
      socket.write(first),
    )
    let isAnswered = false
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      isAnswered = true
      count(String(bytes).split(' ')[1] ?? '')
      socket.resume()
    })
    socket.on('close', () => {
      if (!isAnswered) count('closed')
      sockets.delete(socket)
      void setTimeout(RAMP_MS).then(open)
    })
  }
  for (let created = 1; created <= connections; created++) {
    open()
    if (created % RAMP === 0) await setTimeout(RAMP_MS)
  }
  process.send?.('ready')
  for (;;) {
    await setTimeout(DRIP_MS)
    for (const socket of sockets) if (socket.writable) socket.write(drip)
  }
}

/** Each connection sends its next request after a response. */
async function floodRequests({ port, from, connections }: Where, { path, token }: Asked) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const headers = { host: 'localhost', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const where = { host: '127.0.0.1', port, agent, headers, path }
  const ask = (localAddress: string) =>
    new Promise<string>((resolve) => {
      request({ ...where, localAddress }, (response) => {
        response.resume().on('end', () => resolve(String(response.statusCode)))
      })
        .on('error', () => resolve('closed'))
        .end()
    })
  process.send?.('ready')
  const addresses = [from].flat()
  const connection = async (index: number) => {
    const address = addresses[index % addresses.length] ?? ''
    for (;;) count(await ask(address))
  }
  await Promise.all(Array.from({ length: connections }, (_, index) => connection(index)))
}
