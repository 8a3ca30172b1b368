import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../api/src/platform/files/open-files.ts'
import type { Bucket } from '../../api/src/platform/files/s3-store.ts'
import { keyOf, type FileStore } from '../../api/src/platform/files/store.ts'
import { readEnv } from '../../api/src/platform/env.ts'
import { startObjectStore, testedStores } from '../../ops/drills/kit/object-store.ts'
import { startNameServer } from '../../ops/drills/kit/name-server.ts'
import { freePort } from '../stack/settings.ts'
import { fileVariables } from '../stack/nginx.ts'
import { sendRequest, startFront, type Front } from './nginx-test-server.ts'

const ID = '018f3b1c-0000-7000-8000-00000000abcd'
const ABSENT = '018f3b1c-0000-7000-8000-00000000ffff'
const BYTES = randomBytes(200_000)
const POLICY = "sandbox; default-src 'none'"
/** More than nginx buffers of a body; in these tests it can't write one to disk either. */
const UPLOAD_BYTES = 3_000_000
/** The program that talks S3 is built once: minutes. */
const BUILD_MS = 900_000

const closers: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-files-'))
  await chmod(folder, 0o755)
  closers.push(() => rm(folder, { recursive: true }))
  return folder
}

async function bucketIn(directory: string): Promise<Bucket> {
  const server = await startObjectStore({
    directory,
    address: '127.0.0.1',
    host: '127.0.0.1',
    port: await freePort(),
  })
  closers.push(server.stop)
  return { endpoint: server.origin, bucket: server.bucket, ...server.credentials }
}

/** Answers as the API: uploads are counted, downloads handed to nginx. */
async function startUpstream(store: FileStore) {
  const arrivals: number[] = []
  const answer = async (asked: IncomingMessage, response: ServerResponse) => {
    if (asked.method === 'POST') {
      const hash = createHash('sha256')
      for await (const part of asked) {
        if (arrivals.length === 0) arrivals.push(Date.now())
        hash.update(part)
      }
      arrivals.push(Date.now())
      response.writeHead(201).end(hash.digest('hex'))
      return
    }
    const id = asked.url?.split('/').at(-1) ?? ''
    response
      .writeHead(200, {
        'x-accel-redirect': await store.locate(keyOf(id)),
        'content-type': 'image/png',
        'content-disposition': 'inline; filename="rack.png"',
        'cache-control': 'private, max-age=60',
        'content-security-policy': POLICY,
      })
      .end()
  }
  const server = createServer((asked, response) => void answer(asked, response)).listen(
    0,
    '127.0.0.1',
  )
  closers.push(() => server.close())
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, arrivals }
}

describe.each(testedStores())('files in a %s', (kind) => {
  let front: Front
  let arrivals: number[]

  beforeAll(async () => {
    const folder = await temporaryFolder()
    const bucket = kind === 'bucket' ? await bucketIn(folder) : null
    const store = await openStore(folder, bucket)
    const path = join(folder, 'rack.png')
    await writeFile(path, BYTES)
    await store.put(keyOf(ID), path)
    // nginx runs as another user here, as on a server.
    await chmod(dirname(dirname(join(folder, keyOf(ID)))), 0o755).catch(() => {})
    await chmod(dirname(join(folder, keyOf(ID))), 0o755).catch(() => {})
    const upstream = await startUpstream(store)
    arrivals = upstream.arrivals
    front = await startFront({
      upstream: upstream.port,
      files: bucket
        ? { FILES_BUCKET: `${bucket.endpoint}/${bucket.bucket}` }
        : { FILES_DIR: folder },
    })
    closers.push(front.stop)
  }, BUILD_MS)

  const open = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetchBytes(front.https, { path: `/api/files/${id}`, headers, method })

  const SAFE = {
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  }
  const SHOWN = {
    ...SAFE,
    'content-type': 'image/png',
    'content-disposition': 'inline; filename="rack.png"',
    'cache-control': 'private, max-age=60',
  }

  test('nginx sends the bytes with type, name and every protection', async () => {
    const { status, headers, body } = await open(ID)
    expect(status).toBe(200)
    expect(body.equals(BYTES)).toBe(true)
    expect(headers).toMatchObject(SHOWN)
  })

  test('a part of a file, and a part beyond its end, have the same protection', async () => {
    const part = await open(ID, { range: 'bytes=100-199' })
    expect(part.status).toBe(206)
    expect(part.body.equals(BYTES.subarray(100, 200))).toBe(true)
    expect(part.headers).toMatchObject(SHOWN)
    const beyond = await open(ID, { range: 'bytes=900000-' })
    expect(beyond.status).toBe(416)
    expect(beyond.headers).toMatchObject(SAFE)
  })

  test('an unchanged file is not sent again', async () => {
    const first = await open(ID)
    const again = await open(ID, { 'if-none-match': String(first.headers['etag']) })
    expect([again.status, again.body.length]).toEqual([304, 0])
    expect(again.headers).toMatchObject(SAFE)
  })

  test('HEAD is answered without bytes', async () => {
    const { status, headers, body } = await open(ID, {}, 'HEAD')
    expect([status, body.length]).toEqual([200, 0])
    expect(headers).toMatchObject(SHOWN)
  })

  test('missing bytes are a problem document, not a page and not the store’s answer', async () => {
    const { status, headers, body } = await open(ABSENT)
    expect(status).toBe(404)
    expect(headers).toMatchObject({ ...SAFE, 'content-type': 'application/problem+json' })
    expect(JSON.parse(String(body))).toMatchObject({ code: 'file-missing' })
  })

  test('the internal addresses are no addresses', async () => {
    for (const path of [`/_files/${keyOf(ID)}`, `/_bucket/backups/${keyOf(ID)}`, '/_files/'])
      expect((await sendRequest(front.https, { path })).status).toBe(404)
  })

  test('an upload reaches the API while it is sent, and a larger one is refused', async () => {
    const { status, text } = await uploadSlowly(front.https)
    expect(status).toBe(201)
    expect(text).toBe(createHash('sha256').update(Buffer.alloc(UPLOAD_BYTES, 'x')).digest('hex'))
    const [first = 0, last = 0] = arrivals
    expect(last - first).toBeGreaterThan(200)
    const refused = await announce(front.https, 200_000_000)
    expect(refused).toMatchObject({ code: 'too-large', detail: 'The file is larger than 100 MB.' })
  })
})

/** Half of it 300 ms after the other. */
async function uploadSlowly(port: number) {
  const asked = post(port, UPLOAD_BYTES)
  asked.write(Buffer.alloc(UPLOAD_BYTES / 2, 'x'))
  setTimeout(() => asked.end(Buffer.alloc(UPLOAD_BYTES / 2, 'x')), 300)
  return responseOf(asked)
}

async function announce(port: number, bytes: number) {
  const asked = post(port, bytes).on('error', () => {})
  asked.flushHeaders()
  const { status, text } = await responseOf(asked)
  asked.destroy()
  expect(status).toBe(413)
  return JSON.parse(text)
}

const post = (port: number, bytes: number) =>
  request({
    host: '127.0.0.1',
    port,
    path: '/api/files',
    method: 'POST',
    headers: { 'content-length': String(bytes), 'content-type': 'application/octet-stream' },
    agent: false,
  })

async function responseOf(asked: ReturnType<typeof request>) {
  const [response] = await once(asked, 'response')
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += String(part)
  return { status: Number(response.statusCode), text }
}

type Download = { path: string; headers: Record<string, string>; method: string }

async function fetchBytes(port: number, { path, headers, method }: Download) {
  const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end()
  const [response] = await once(asked, 'response')
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return {
    status: Number(response.statusCode),
    headers: response.headers as Record<string, string>,
    body: Buffer.concat(parts),
  }
}

test(
  'the name of a bucket is looked up while nginx runs; one that leads nowhere is a problem document',
  async () => {
    const folder = await temporaryFolder()
    const bucket = await bucketIn(folder)
    const names: Record<string, string> = {}
    const port = await freePort()
    const nameServer = await startNameServer('127.0.0.1', names, port)
    closers.push(() => nameServer.close())
    const endpoint = bucket.endpoint.replace('127.0.0.1', 's3.files.test')
    const path = join(folder, 'rack.png')
    await writeFile(path, BYTES)
    await (await openStore(folder, bucket)).put(keyOf(ID), path)
    // Signed for the name, which only nginx looks up.
    const upstream = await startUpstream(await openStore(folder, { ...bucket, endpoint }))
    const front = await startFront({
      upstream: upstream.port,
      files: { FILES_BUCKET: `${endpoint}/${bucket.bucket}` },
      over: { RESOLVER: `resolver 127.0.0.1:${port} ipv6=off valid=1s;` },
    })
    closers.push(front.stop)
    const open = () =>
      fetchBytes(front.https, { path: `/api/files/${ID}`, headers: {}, method: 'GET' })
    const missing = await open()
    expect(missing.status).toBe(503)
    expect(JSON.parse(String(missing.body))).toMatchObject({ code: 'api-unavailable' })
    names['s3.files.test'] = '127.0.0.1'
    await expect.poll(async () => (await open()).status, { timeout: 10_000 }).toBe(200)
    expect((await open()).body.equals(BYTES)).toBe(true)
  },
  BUILD_MS,
)

test('nginx allows the same size as the API by default', () => {
  const { files } = readEnv({ DATABASE_URL: 'none', OIDC_ISSUER: 'https://id.test' })
  expect(Number(fileVariables('/nowhere', {})['FILES_MAX_MB']) * 1_000_000).toBe(files.maxBytes)
})

test.each([
  ['https://s3.mine.ie/files', 'https://s3.mine.ie', 's3.mine.ie', 's3.mine.ie'],
  ['http://127.0.0.1:7070/files', 'http://127.0.0.1:7070', '127.0.0.1:7070', '127.0.0.1'],
])('nginx signs in to the store of %s by its own name', async (bucket, origin, host, name) => {
  const directory = await temporaryFolder()
  await mkdir(directory, { recursive: true })
  expect(fileVariables(directory, { FILES_BUCKET: bucket })).toMatchObject({
    FILES_BUCKET_ORIGIN: origin,
    FILES_BUCKET_HOST: host,
    FILES_BUCKET_NAME: name,
    FILES_BUCKET_LOCATION: `include ${directory}/files-bucket.conf;`,
  })
  expect((await stat(join(directory, 'authorities.pem'))).size).toBeGreaterThan(0)
})
