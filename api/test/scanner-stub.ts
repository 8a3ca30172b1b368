import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** Virus scanner for tests, as ClamAV's daemon: finds its own signature, never a real one. */
export const SIGNATURE = 'a signature that only tests know'

export async function startScanner() {
  let isSilent = false
  let delayMs = 0
  const server = createServer((socket) => {
    const parts: Buffer[] = []
    socket.on('error', () => {})
    socket.on('data', (part) => {
      parts.push(part)
      const sent = Buffer.concat(parts)
      if (isSilent) return
      if (sent.equals(Buffer.from('zPING\0'))) socket.end('PONG\0')
      else if (sent.subarray(-4).equals(Buffer.alloc(4))) {
        const verdict = sent.includes(SIGNATURE) ? 'Tests.Signature FOUND' : 'OK'
        setTimeout(() => socket.end(`stream: ${verdict}\0`), delayMs)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: '127.0.0.1',
    port,
    /** Connections are accepted and nothing is answered. */
    setSilent: (value: boolean) => void (isSilent = value),
    /** Before each verdict. */
    setDelay: (ms: number) => void (delayMs = ms),
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
