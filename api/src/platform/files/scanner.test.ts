import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clamdScanner } from './scanner.ts'

const TIMEOUT_MS = 20_000
const LARGE_BYTES = 20_000_000

let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scanner-'))
  file = join(folder, 'large')
  await writeFile(file, Buffer.alloc(LARGE_BYTES, 'a'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A daemon that answers after the first bytes, and closes. */
async function scanWith(answer: string) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(`${answer}\0`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const started = Date.now()
  const verdict = await clamdScanner({ host: '127.0.0.1', port, timeoutMs: TIMEOUT_MS })(
    file,
  ).catch((error: Error) => error.message)
  server.close()
  expect(Date.now() - started).toBeLessThan(TIMEOUT_MS / 2)
  return verdict
}

test('a scanner that answers before the end of the file is believed at once', async () => {
  expect(await scanWith('stream: Tests.Signature FOUND')).toBe('infected')
})

test('a scanner whose limit a file exceeds gives no verdict, and is not waited for', async () => {
  const none = 'the virus scanner gave no verdict'
  expect(await scanWith('INSTREAM size limit exceeded. ERROR')).toBe(none)
  expect(await scanWith('')).toBe(none)
})
