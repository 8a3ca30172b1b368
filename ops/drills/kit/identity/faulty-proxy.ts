import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function startFaultyProxy(target: string) {
  const { hostname, port } = new URL(target)
  const state = { delayMs: 0, isDown: false }
  const server = createServer((asked, response) => {
    if (state.isDown) return void asked.socket.destroy()
    const { method, url: path, headers } = asked
    const passed = request({ hostname, port, method, path, headers }, (given) => {
      setTimeout(() => {
        response.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(response)
      }, state.delayMs)
    })
    passed.on('error', () => response.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
