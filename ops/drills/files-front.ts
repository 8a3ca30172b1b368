import { startFront } from '../../tools/site/nginx-test-server.ts'
import type { FilePlace } from './files.ts'

/** An nginx with production's files before these replicas; it can store no body, so an upload that it buffers fails. */
export async function startFilesFront({ front }: FilePlace, ports: number[]) {
  const { https, stop } = await startFront({
    files: front,
    over: {
      API_SERVERS: ports.map((port) => `server 127.0.0.1:${port} fail_timeout=1s;`).join(' '),
      API_REQUESTS_PER_SECOND: '5000',
    },
  })
  return { base: `http://127.0.0.1:${https}`, stop }
}
