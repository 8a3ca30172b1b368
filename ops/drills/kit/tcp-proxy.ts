import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy to the database on this port that can be cut or muted; data sent while muted is lost. */
export async function startTcpProxy(target: number) {
  const pairs = new Set<[Socket, Socket]>()
  const state = { isSilent: false }
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    const forward = (from: Socket, to: Socket) =>
      from
        .on('data', (bytes) => void (state.isSilent || to.write(bytes)))
        .on('error', () => {})
        .on('close', () => to.destroy())
    forward(near, far)
    forward(far, near).on('close', () => pairs.delete(pair))
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const pair of pairs) for (const socket of pair) socket.destroy()
    })
  return {
    state,
    cut,
    mend: () => listen(port),
    url: (databaseUrl: string) => databaseUrl.replace(/:\d+\//, `:${port}/`),
  }
}
