import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../stack/settings.ts'

// Runs the server of docs/own-api.md and compares its responses with the document's; e2e/own-api.spec.ts adds the browser.
const ROOT = resolve(import.meta.dirname, '../..')
const SERVER = join(ROOT, 'docs/own-api/server.ts')
const LINES_MAX = 80
const DOCUMENT = readFileSync(join(ROOT, 'docs/own-api.md'), 'utf8')
const EMMA = { id: '1', title: 'Emma', pages: 474, isLent: false }
const PERSUASION = { title: 'Persuasion', pages: 236, isLent: true }
const FILES = {
  'index.html': 'landing',
  'contact/index.html': 'contact',
  'spa.html': 'app',
  '404.html': 'not found',
  'static/app-1a2b.js': 'script',
}

let folder: string
let provider: Server
let authority: string
let child: ChildProcess
let base: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'own-api-'))
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, 'files', name, '..'), { recursive: true })
    writeFileSync(join(folder, 'files', name), text)
  }
  writeFileSync(join(folder, 'secret.txt'), 'secret')
  provider = await startProvider()
  authority = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const port = await freePort()
  child = spawn(process.execPath, [SERVER], {
    env: {
      PORT: String(port),
      FILES: join(folder, 'files'),
      AUTHORITY: authority,
      CLIENT_ID: 'books-web',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout ?? child, 'data')
  base = `http://127.0.0.1:${port}`
})

afterAll(async () => {
  child.kill()
  await once(child, 'exit')
  provider.close()
  provider.closeAllConnections()
  rmSync(folder, { recursive: true })
})

/** Tokens are the names of roles. */
async function startProvider() {
  const server = createServer(({ url, headers: { host, authorization = '' } }, response) => {
    const role = /^Bearer (admin|user)$/.exec(authorization)?.[1]
    const isDiscovery = url === '/.well-known/openid-configuration'
    response.writeHead(isDiscovery || role ? 200 : 401)
    response.end(
      JSON.stringify(
        isDiscovery ? { userinfo_endpoint: `http://${host}/userinfo` } : { sub: '1', role },
      ),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function call(method: string, path: string, token?: string, body?: object | string) {
  const response = await fetch(base + path, {
    method,
    ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
    ...(body ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  const type = response.headers.get('content-type')
  const json: unknown = type === 'application/json' ? JSON.parse(text) : null
  return { status: response.status, type, text, json }
}

/** The JSON block after this line of the document. */
function example(line: string): unknown {
  const block = DOCUMENT.split(line)[1]?.split('```json\n')[1]?.split('```')[0]
  return JSON.parse(block ?? '')
}

test(`the server of docs/own-api.md has at most ${LINES_MAX} lines and no dependency`, () => {
  const text = readFileSync(SERVER, 'utf8')
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(LINES_MAX)
  const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, name]) => name)
  expect(imports.filter((name) => !name?.startsWith('node:'))).toEqual([])
})

describe('calls to the server of docs/own-api.md', () => {
  test('definitions are those of the document', async () => {
    const { status, json } = await call('GET', '/api/models')
    expect(status).toBe(200)
    expect(json).toEqual(example('`GET /api/models` returns'))
  })

  test('list, detail and form metadata are those of the document', async () => {
    expect((await call('GET', '/api/books')).json).toEqual(example('### List'))
    expect((await call('GET', '/api/books?q=em&sort=title')).status).toBe(200)
    expect((await call('GET', '/api/books/1')).json).toEqual(example('### Detail'))
    expect((await call('GET', '/api/books/form-metadata')).json).toEqual(
      example('### Form metadata'),
    )
    expect((await call('GET', '/api/books/2')).status).toBe(404)
    expect((await call('GET', '/api/authors')).status).toBe(404)
  })

  test('a book is created, updated and deleted', async () => {
    const created = await call('POST', '/api/books', 'user', PERSUASION)
    expect(created).toMatchObject({ status: 201, json: PERSUASION })
    const { id } = created.json as { id: string }
    const changed = { ...PERSUASION, isLent: false }
    const updated = await call('PUT', `/api/books/${id}`, 'user', changed)
    expect(updated).toMatchObject({ status: 200, json: { id, ...changed } })
    expect((await call('GET', `/api/books/${id}`)).json).toEqual({ id, ...changed })
    expect(await call('DELETE', `/api/books/${id}`, 'admin')).toMatchObject({
      status: 204,
      text: '',
    })
    expect((await call('GET', '/api/books')).json).toEqual([EMMA])
  })

  test('a write without a valid token gets 401, a delete by a user 403, and neither changes anything', async () => {
    for (const token of [undefined, 'nobody']) {
      expect((await call('POST', '/api/books', token, PERSUASION)).status).toBe(401)
      expect((await call('PUT', '/api/books/1', token, PERSUASION)).status).toBe(401)
      expect((await call('DELETE', '/api/books/1', token)).status).toBe(401)
    }
    expect((await call('DELETE', '/api/books/1', 'user')).status).toBe(403)
    expect((await call('GET', '/api/books')).json).toEqual([EMMA])
  })

  test('a write that can’t be done says why, and changes nothing', async () => {
    expect(await call('POST', '/api/books', 'user', { pages: 1 })).toMatchObject({
      status: 422,
      json: example('### Failures'),
    })
    expect((await call('POST', '/api/books', 'user', '{')).status).toBe(500)
    expect((await call('PUT', '/api/books/2', 'user', PERSUASION)).status).toBe(404)
    for (const [method, path] of [
      ['PATCH', '/api/books/1'],
      ['POST', '/api/books/1'],
      ['DELETE', '/api/books'],
    ] as const)
      expect((await call(method, path, 'admin', PERSUASION)).status, method + path).toBe(405)
    expect((await call('GET', '/api/books')).json).toEqual([EMMA])
  })
})

describe('files of the server of docs/own-api.md', () => {
  test.each([
    ['/', 200, 'landing', 'text/html; charset=utf-8'],
    ['/contact', 200, 'contact', 'text/html; charset=utf-8'],
    ['/contact/', 200, 'contact', 'text/html; charset=utf-8'],
    ['/static/app-1a2b.js', 200, 'script', 'text/javascript'],
    ['/books', 200, 'app', 'text/html; charset=utf-8'],
    ['/books/edit/1', 200, 'app', 'text/html; charset=utf-8'],
    ['/signin-callback?code=1&state=2', 200, 'app', 'text/html; charset=utf-8'],
    ['/logout-callback', 200, 'app', 'text/html; charset=utf-8'],
    ['/bookshelf', 404, 'not found', 'text/html; charset=utf-8'],
    ['/no/such/page', 404, 'not found', 'text/html; charset=utf-8'],
    ['/..%2fsecret.txt', 404, 'not found', 'text/html; charset=utf-8'],
    ['/static/..%2f..%2fsecret.txt', 404, 'not found', 'text/html; charset=utf-8'],
  ])('%s gets status %d and the page “%s”', async (path, status, text, type) => {
    expect(await call('GET', path)).toMatchObject({ status, text, type })
  })

  test('config.json names the identity provider', async () => {
    const { json } = await call('GET', '/config.json')
    expect(json).toEqual({ authority, clientId: 'books-web' })
    expect(Object.keys(json as object)).toEqual(Object.keys(example('## config.json') as object))
  })
})
