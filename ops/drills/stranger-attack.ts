import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'

/** What a stranger does, in a process of their own: the one that measures must not be slowed by it. */
export type Attack = {
  port: number
  /** The stranger's address. */
  from: string
  connections: number
} & (Held | Asked)

type Held = { first: string; drip: string }
type Asked = { path: string; token: string }
type Where = Omit<Attack, keyof (Held & Asked)>

/** How often something was said to the stranger: by status, or that a connection was closed without a word. */
export type Told = Record<string, number>

/** How often those who hold a connection open send a little more. */
const DRIP_MS = 4_000
const RAMP = 100
const RAMP_MS = 50

const told: Told = {}
const count = (what: string) => void (told[what] = (told[what] ?? 0) + 1)

process.once('message', (attack: Attack) => {
  // A stranger has a machine of their own, and takes nothing of ours but what it gives.
  setPriority(constants.priority.PRIORITY_LOW)
  process.on('message', () => process.send?.(told))
  void ('path' in attack ? askWithoutEnd(attack, attack) : hold(attack, attack))
})

/** Connections that begin a request and never end it; one that is closed is opened again. */
async function hold({ port, from, connections }: Where, { first, drip }: Held) {
  const sockets = new Set<Socket>()
  const open = () => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: from }, () =>
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
  for (let made = 1; made <= connections; made++) {
    open()
    if (made % RAMP === 0) await setTimeout(RAMP_MS)
  }
  process.send?.('ready')
  for (;;) {
    await setTimeout(DRIP_MS)
    for (const socket of sockets) if (socket.writable) socket.write(drip)
  }
}

/** Each connection asks again as soon as it is answered. */
async function askWithoutEnd({ port, from, connections }: Where, { path, token }: Asked) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const headers = { host: 'localhost', authorization: `Bearer ${token}` }
  const where = { host: '127.0.0.1', port, localAddress: from, agent, headers, path }
  const ask = () =>
    new Promise<string>((resolve) => {
      request(where, (response) => {
        response.resume().on('end', () => resolve(String(response.statusCode)))
      })
        .on('error', () => resolve('closed'))
        .end()
    })
  process.send?.('ready')
  const connection = async () => {
    for (;;) count(await ask())
  }
  await Promise.all(Array.from({ length: connections }, connection))
}
