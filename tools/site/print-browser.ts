import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'

export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

type Send = (method: string, params?: object) => Promise<Record<string, unknown>>

/** Driven over the DevTools protocol; closed when `use` ends. */
export async function withBrowser<T>(use: (send: Send, until: Until) => Promise<T>): Promise<T> {
  const profile = mkdtempSync(join(tmpdir(), 'gatehouse-browser-'))
  const browser = spawn(
    CHROMIUM,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--hide-scrollbars',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(browser, 'exit')
  try {
    const socket = new WebSocket(await addressOf(browser.stderr))
    await once(socket, 'open')
    return await use(...(await openPage(socket)))
  } finally {
    browser.kill()
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

type Until = (event: string) => Promise<void>

async function openPage(socket: WebSocket): Promise<[Send, Until]> {
  let id = 0
  const pending = new Map<number, (message: Message) => void>()
  const events = new EventTarget()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) pending.get(message.id)?.(message)
    else events.dispatchEvent(new Event(message.method ?? ''))
  })
  const send = async (method: string, params: object = {}, sessionId?: string) => {
    const { result, error } = await new Promise<Message>((resolve) => {
      pending.set(++id, resolve)
      socket.send(JSON.stringify({ id, method, params, sessionId }))
    })
    if (error) throw new Error(`${method}: ${error.message}`)
    return result ?? {}
  }
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  const until: Until = async (event) => void (await once(events, event))
  return [(method, params) => send(method, params, String(sessionId)), until]
}

type Message = {
  id?: number
  method?: string
  result?: Record<string, unknown>
  error?: { message: string }
}

/** The browser prints its DevTools address first. */
async function addressOf(said: AsyncIterable<Buffer>) {
  let text = ''
  for await (const chunk of said) {
    text += chunk.toString()
    const address = /ws:\/\/\S+/.exec(text)?.[0]
    if (address) return address
  }
  throw new Error(`Browser exited before printing its DevTools URL:\n${text}`)
}

/** Serves rendered pages by path, and the files of the build. */
export async function withServer<T>(
  build: string,
  pages: Map<string, string>,
  use: (address: string) => Promise<T>,
): Promise<T> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = extname(pathname) ? pathname : join(pathname, 'index.html')
    const file = join(build, normalize(name))
    const body = pages.get(name.slice(1)) ?? (existsSync(file) ? readFileSync(file) : null)
    response.writeHead(body === null ? 404 : 200, {
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
    })
    response.end(body ?? '')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}
