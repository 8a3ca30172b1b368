import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { CHECKOUT, freePort } from '../../tools/stack/settings.ts'
import { untilAnswered } from '../compare/bench-environment.ts'

const OWN = /\/((?:api|model)\/src\/.+\.ts)$/
const LISTENING = /ws:\/\/\S+/

type Reply = { id?: number; result?: { result?: Script[] } }
type Script = { url: string; functions: { ranges: { count: number }[] }[] }

/** Starts the API from its sources, with V8's function coverage. */
export async function startInspected(env: Record<string, string>) {
  const port = await freePort()
  const child = spawn(process.execPath, ['--inspect=127.0.0.1:0', 'api/src/server.ts'], {
    cwd: CHECKOUT,
    env: {
      PATH: process.env['PATH'],
      ...env,
      PORT: String(port),
      METRICS_PORT: '0',
      WORKER: 'off',
      DRAIN_MS: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  const address = await inspectorOf(createInterface(child.stderr))
  const base = `http://127.0.0.1:${port}`
  await untilAnswered(child, `${base}/readyz`)
  const inspector = await connect(address)
  await inspector.send('Profiler.enable')
  await inspector.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return {
    base,
    /** Files with functions that ran since the last call. */
    filesRun: async () => {
      const { result } = await inspector.send('Profiler.takePreciseCoverage')
      const ran = (result?.result ?? []).filter(({ functions }) =>
        functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
      )
      return ran.flatMap(({ url }) => OWN.exec(url)?.[1] ?? [])
    },
    stop: async () => {
      inspector.close()
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function inspectorOf(lines: AsyncIterable<string>) {
  for await (const line of lines) {
    const [address] = LISTENING.exec(line) ?? []
    if (address) return address
  }
  throw new Error('The API exited before its inspector listened')
}

async function connect(address: string) {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  let last = 0
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.addEventListener('message', ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply
    waiting.get(reply.id ?? 0)?.(reply)
  })
  return {
    send: (method: string, params: object = {}) =>
      new Promise<Reply>((resolve) => {
        const id = ++last
        waiting.set(id, resolve)
        socket.send(JSON.stringify({ id, method, params }))
      }),
    close: () => socket.close(),
  }
}
