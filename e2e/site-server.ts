import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { readSettings } from '../tools/stack/settings.ts'
import { pagesFolder, WEB_ROOT } from '../tools/stack/web.ts'

/** Pages of the running stack, and files of its build. */
const ROOTS = [pagesFolder(readSettings().pages), WEB_ROOT]
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export type ServedResponse = { status: number; body: string | Buffer; type: string }

export type SiteConfig = { authority: string; clientId: string; productPages?: boolean }

type Options = {
  /** /config.json: the identity provider, and whether the API supports product pages. */
  config: SiteConfig
  api: (request: IncomingMessage, path: string) => Promise<ServedResponse>
}

export async function serveSite({ config, api }: Options) {
  const server = createServer((request, response) => {
    void respond(request).then(({ status, body, type }) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }

  async function respond(request: IncomingMessage): Promise<ServedResponse> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname.startsWith('/api/')) return api(request, pathname + search)
    if (pathname === '/config.json')
      return { status: 200, body: JSON.stringify(config), type: 'application/json' }
    return file(extname(pathname) ? normalize(pathname) : documentAt(pathname))
  }
}

function documentAt(pathname: string) {
  const page = normalize(`${pathname}/index.html`)
  return existsSync(join(ROOTS[0] ?? '', page)) ? page : '/spa.html'
}

function file(path: string): ServedResponse {
  const found = ROOTS.map((root) => join(root, path)).find((one) => existsSync(one))
  if (!found) return { status: 404, body: '', type: 'text/plain' }
  return {
    status: 200,
    body: readFileSync(found),
    type: TYPES[extname(path)] ?? 'application/octet-stream',
  }
}

export async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
