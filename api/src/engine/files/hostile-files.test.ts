import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { models } from '@gatehouse/model/models'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { zipOf } from '../../../../ops/drills/kit/zip.ts'
import { freePort } from '../../../../tools/stack/settings.ts'
import { sendRequest, startFront, type Front } from '../../../../tools/site/nginx-test-server.ts'
import { boxes } from '../../../test/box-model.ts'
import { send } from '../../../test/http-client.ts'
import { ALICE, startTest, type Test } from '../../../test/kit.ts'
import { picture, pixelBomb } from '../../../test/picture-fixtures.ts'
import { SIGNATURE, startScanner } from '../../../test/scanner-stub.ts'

/** Of nginx's user on Debian. */
const NGINX_GROUP = 33
/** A sender may be silent for 15 seconds. */
const SLOW_MS = 16_000
const BOMB_BYTES = 50_000_000
const SCRIPT = '<script>alert(1)</script>'
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif']

let folder: string
let scanner: Awaited<ReturnType<typeof startScanner>>
let t: Test
let front: Front
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-files-'))
  if (process.getuid?.() === 0) await chown(folder, 0, NGINX_GROUP)
  await chmod(folder, 0o2750)
  scanner = await startScanner()
  t = await startTest({
    models: [...models, boxes],
    filesFolder: folder,
    filesScanner: { host: scanner.host, port: scanner.port, maxBytes: 100_000_000 },
  })
  front = await startFront({ upstream: Number(new URL(t.base).port), files: { FILES_DIR: folder } })
})
afterAll(async () => {
  await front.stop()
  await t.stop()
  await scanner.stop()
  await rm(folder, { recursive: true })
})

async function upload(bytes: Buffer, name = 'file', to = t) {
  const response = await send(`${to.base}/api/files`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await to.tokenOf(ALICE)}`,
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'x-file-name': encodeURIComponent(name.toWellFormed()),
    },
    body: bytes,
  })
  return { status: response.status, json: JSON.parse(response.text) }
}

/** The address of an attached file. */
async function linkTo(bytes: Buffer, name?: string) {
  const { status, json } = await upload(bytes, name)
  expect(status).toBe(201)
  const made = await t.call('POST', '/api/boxes', ALICE, {
    body: { text: 'Box', papers: [json.id] },
  })
  expect(made.status, made.text).toBe(201)
  const links = await t.call('POST', `/api/boxes/${made.json.id}/file-links`, ALICE)
  return { url: String(links.json.items[0].url), label: json }
}

const read = (path: string, headers: Record<string, string> = {}, body?: string) =>
  sendRequest(front.https, { path, headers, ...(body === undefined ? {} : { body }) })

function expectHarmless({ 'content-security-policy': policy, ...headers }: IncomingHttpHeaders) {
  expect([headers['x-content-type-options'], String(policy)]).toEqual([
    'nosniff',
    expect.stringContaining("default-src 'none'"),
  ])
}

const pictureAnd = async (type: 'png' | 'jpeg' | 'gif') =>
  Buffer.concat([await picture(type), Buffer.from(SCRIPT)])

test.each<[string, () => Buffer | Promise<Buffer>, string]>([
  ['a GIF that is a script', () => Buffer.from(`GIF89a/*\0\0\0\0*/=1;${SCRIPT}`), 'image/gif'],
  ['a PNG with a script behind it', () => pictureAnd('png'), 'image/png'],
  ['a JPEG with a script behind it', () => pictureAnd('jpeg'), 'image/jpeg'],
  ['a PDF that is a page', () => Buffer.from(`%PDF-1.4\n<html>${SCRIPT}`), 'application/pdf'],
  ['a page that ends as a zip', () => pageAndZip(), 'application/octet-stream'],
  ['a page', () => Buffer.from(`<!doctype html>${SCRIPT}`), 'application/octet-stream'],
  [
    'an SVG',
    () => Buffer.from(`<svg onload="alert(1)">${SCRIPT}</svg>`),
    'application/octet-stream',
  ],
  [
    'an XML style sheet',
    () => Buffer.from('<?xml version="1.0"?><?xml-stylesheet href="x.xsl"?><x/>'),
    'application/xml',
  ],
  ['a script', () => Buffer.from('#!/bin/sh\nrm -rf .\n'), 'application/octet-stream'],
  ['a zip bomb', () => zipOf('zero', Buffer.alloc(BOMB_BYTES)), 'application/zip'],
  ['a picture bomb', () => pixelBomb(), 'image/png'],
])(
  '%s keeps its bytes, is shown only as a picture and otherwise downloaded, and runs nothing',
  async (_title, bytesOf, type) => {
    const bytes = await bytesOf()
    const { url, label } = await linkTo(bytes, 'file.html')
    expect(label.type).toBe(type)
    const { status, bytes: got, headers } = await read(url)
    expect([status, got.equals(bytes)]).toEqual([200, true])
    expectHarmless(headers)
    expect(headers['content-security-policy']).toContain('sandbox')
    const isShown = PICTURES.includes(type)
    expect(headers['content-type']).toBe(isShown ? type : 'application/octet-stream')
    expect(headers['content-disposition']).toMatch(isShown ? /^inline;/ : /^attachment;/)
  },
)

const pageAndZip = () =>
  Buffer.concat([Buffer.from(`<html>${SCRIPT}`), zipOf('a.txt', Buffer.from('a'))])

const NAMES = [
  '../../etc/passwd',
  String.raw`..\..\windows\system32\cmd.exe`,
  '/absolute/path.txt',
  'line\r\nSet-Cookie: a=b.txt',
  'zero\0byte.txt',
  'right\u202Etxt.exe',
  'quote".html',
  "apostrophe';alert(1).js",
  'percent%0d%0a.txt',
  '<img src=x onerror=alert(1)>.png',
  'semicolon; filename=other.exe',
  '.htaccess',
  '...',
  ' ',
  'CON',
  'x'.repeat(5_000),
  `${'ä'.repeat(200)}.pdf`,
  '日本語の名前.txt',
  'emoji 👩‍👩‍👧.png',
  'half \uD800 surrogate.txt',
]

test.each(NAMES.map((name) => [JSON.stringify(name).slice(0, 40), name]))(
  'a file called %s has a name that is only a name, and its bytes',
  async (_title, name) => {
    const bytes = randomBytes(100)
    const { url, label } = await linkTo(bytes, name)
    expect(label.name).not.toMatch(/[\p{C}\\/]/u)
    expect(label.name).not.toMatch(/^[. ]|[. ]$/)
    expect(Buffer.byteLength(label.name)).toBeLessThanOrEqual(150)
    expect(label.name.length).toBeGreaterThan(0)
    const { bytes: got, headers } = await read(url)
    expect(got.equals(bytes)).toBe(true)
    expectHarmless(headers)
    expect(headers['set-cookie']).toBeUndefined()
    expect(headers['content-disposition']).toMatch(
      /^(inline|attachment); filename="[ !#$&-[\]-~]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/,
    )
  },
)

test('every answer about a file has a policy and is not sniffed: ranges, errors and other methods', async () => {
  const { url } = await linkTo(Buffer.from(`<html>${SCRIPT}`), 'page.html')
  const { headers } = await read(url)
  const answers = [
    await read(url, { range: 'bytes=0-3' }),
    await read(url, { range: 'bytes=0-1,3-4' }),
    await read(url, { range: 'bytes=999-' }),
    await read(url, { 'if-none-match': String(headers['etag']) }),
    await read(url.replace(/.$/, '')),
    await read(url.replace(/until=\d+/, 'until=1')),
    await read(url.replace(/[?].*/, '')),
    await read('/api/files/no-id?until=1&signature=x'),
    await read(url, {}, 'a body'),
    await read('/api/files', { 'content-type': 'text/html' }, SCRIPT),
  ]
  expect(answers.map(({ status }) => status)).toEqual([
    206, 206, 416, 304, 404, 404, 404, 404, 405, 401,
  ])
  for (const answer of answers) expectHarmless(answer.headers)
  // The internal locations of the bytes are not public.
  expect((await read('/_files/00/00/x')).status).toBe(404)
})

test('a file that the scanner finds something in is refused, and leaves nothing', async () => {
  const before = await stored()
  const { status, json } = await upload(Buffer.from(`x ${SIGNATURE} x`), 'innocent.txt')
  expect([status, json.code]).toEqual([422, 'file-refused'])
  expect(await stored()).toEqual(before)
})

test(
  'an upload waits for a scanner that is slower than a sender may be',
  async () => {
    scanner.setDelay(SLOW_MS)
    const { status, json } = await upload(Buffer.from('slowly judged'))
    scanner.setDelay(0)
    expect([status, json.state]).toEqual([201, 'ready'])
  },
  2 * SLOW_MS,
)

test('while the scanner is away a file is taken, attached, and not handed out', async () => {
  const away = await startTest({
    models: [...models, boxes],
    filesFolder: folder,
    filesScanner: { host: '127.0.0.1', port: await freePort(), maxBytes: 100_000_000 },
  })
  try {
    const { status, json } = await upload(Buffer.from(SIGNATURE), 'a.txt', away)
    expect([status, json.state]).toEqual([201, 'unchecked'])
    const made = await away.call('POST', '/api/boxes', ALICE, {
      body: { text: 'Box', papers: [json.id] },
    })
    expect(made.json.labels.papers).toMatchObject([{ id: json.id, state: 'unchecked' }])
    const links = await away.call('POST', `/api/boxes/${made.json.id}/file-links`, ALICE)
    expect(links.json.items).toEqual([])
  } finally {
    await away.stop()
  }
})

async function stored() {
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  return all.filter((one) => one.isFile()).map(({ name }) => name)
}
