/** The web in front of an API of your own: docs/own-api.md explains each part. */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { extname, join } from 'node:path'

const { FILES = 'web-files', AUTHORITY = '', CLIENT_ID = '', PORT = '3000' } = process.env
const fields = [
  { name: 'title', label: 'Title', type: 'text' },
  { name: 'pages', label: 'Pages', type: 'number', default: 100 },
  { name: 'isLent', label: 'Lent', type: 'checkbox' },
]
const authorise: Record<string, boolean> = { create: false, update: false, delete: true }
const viewData = { title: 'Books', displayField: 'title', fields }
const definition = { path: 'books', routeName: 'books', name: 'Book', viewData, authorise }
const books = new Map([['1', { id: '1', title: 'Emma', pages: 474, isLent: false }]])

const ON_LIST: Record<string, string> = { GET: 'list', POST: 'create' }
const ON_RECORD: Record<string, string> = { GET: 'get', PUT: 'update', DELETE: 'delete' }
const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}
type Reply = [status: number, body?: string | Buffer, ending?: string]
const json = (status: number, value: unknown): Reply => [status, JSON.stringify(value), '.json']

/** Asks the provider whose token it is, on every call; a JWT library would verify it here. */
async function roleOf({ headers: { authorization } }: IncomingMessage): Promise<string | null> {
  if (!authorization) return null
  const discovery = await fetch(`${AUTHORITY}/.well-known/openid-configuration`)
  const { userinfo_endpoint: address } = await discovery.json()
  const response = await fetch(address, { headers: { authorization } })
  return response.ok ? ((await response.json()).role ?? 'user') : null
}

async function callApi(request: IncomingMessage, path: string): Promise<Reply> {
  const [name, id] = path.split('/').slice(2)
  if (name === 'models') return json(200, [definition])
  if (name !== 'books') return json(404, { message: 'No such model' })
  if (id === 'form-metadata') return json(200, { fields })
  const action = (id ? ON_RECORD : ON_LIST)[request.method ?? '']
  if (!action) return json(405, { message: 'Unsupported action' })
  const flag = authorise[action]
  const role = flag === undefined ? null : await roleOf(request)
  if (flag !== undefined && role === null) return json(401, { message: 'Sign in first' })
  if (flag && role !== 'admin') return json(403, { message: 'Only admins can do this' })
  if (action === 'list') return json(200, [...books.values()])
  if (id && !books.has(id)) return json(404, { message: 'No such book' })
  if (id && action === 'get') return json(200, books.get(id))
  if (id && action === 'delete') return [books.delete(id) ? 204 : 404]
  const { title, pages, isLent } = JSON.parse(Buffer.concat(await request.toArray()).toString())
  if (!title) return json(422, { message: 'Title is required' })
  const book = { id: id ?? crypto.randomUUID(), title, pages, isLent }
  books.set(book.id, book)
  return json(id ? 200 : 201, book)
}

async function readPage(path: string): Promise<Reply> {
  const isOfApp = /^\/(books|signin-callback|logout-callback)(\/|$)/.test(path)
  for (const file of [path, `${path}/index.html`, isOfApp ? '/spa.html' : '/404.html']) {
    const body = await readFile(join(FILES, file)).catch(() => null)
    if (body) return [file === '/404.html' ? 404 : 200, body, extname(file)]
  }
  return [404]
}

async function respond(request: IncomingMessage): Promise<Reply> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  if (path === '/config.json') return json(200, { authority: AUTHORITY, clientId: CLIENT_ID })
  return path.startsWith('/api/') ? callApi(request, path) : readPage(path)
}

createServer((request, response) => {
  const reply = respond(request).catch((error: Error) => json(500, { message: error.message }))
  void reply.then(([status, body, ending = '']) =>
    response.writeHead(status, { 'content-type': TYPES[ending] ?? '' }).end(body),
  )
}).listen(Number(PORT), () => console.log('Listening on port', PORT))
