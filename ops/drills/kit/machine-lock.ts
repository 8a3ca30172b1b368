import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** Of Linux's abstract namespace: it ends with the process, however that ends. */
const SOCKET = '\0gatehouse-drill-machine'
const POLL_MS = 1000

/** Ports 80 and 443, and the name server's address, exist once on a machine: waits until no other drill uses them. */
export async function reserveMachine() {
  for (let tries = 0; ; tries++) {
    const server = createServer()
    const listening = once(server, 'listening')
    server.listen(SOCKET)
    try {
      await listening
      return { release: () => void server.close() }
    } catch {
      if (tries === 0) console.log('Waiting for another drill that uses ports 80 and 443')
      await setTimeout(POLL_MS)
    }
  }
}
