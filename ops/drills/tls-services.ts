import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { installMissing } from '../../tools/stack/debian.ts'
import { freePort } from '../../tools/stack/settings.ts'

const NGINX = new URL('../nginx', import.meta.url).pathname
const CERTBOT = new URL('../certbot', import.meta.url).pathname
const WWW_DATA = 33
const BUILD_ID = 'drill'

export const SITE_HOST = 'gatehouse.test'
export const IDENTITY_HOST = 'id.gatehouse.test'

type ServiceName = 'site' | 'certbot'
export type Service = { log: () => string; stop: () => Promise<number>; hasEnded: () => boolean }
export type Services = Awaited<ReturnType<typeof prepareServices>>

/** Folders, ports and settings that the services `site` and `certbot` share, as the volumes of compose.yaml. */
export async function prepareServices(directory: string) {
  installMissing({
    certbot: '/usr/bin/certbot',
    'gettext-base': '/usr/bin/envsubst',
    'libnginx-mod-http-brotli-static': '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so',
    'nginx-light': '/usr/sbin/nginx',
    openssl: '/usr/bin/openssl',
  })
  const [https, http] = [await freePort(), await freePort()]
  const upstream = await startUpstream()
  const path = (name: string) => join(directory, name)
  const etc = path('etc')
  mkdirSync(join(etc, 'tls'), { recursive: true })
  cpSync(NGINX, join(etc, 'nginx'), { recursive: true })
  cpSync(CERTBOT, join(etc, 'certbot'), { recursive: true })
  const texts = { 'build-id': BUILD_ID, 'model-paths': 'tickets', 'reading-paths': 'services' }
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(etc, name), text)
  mkdirSync(join(path('pages'), BUILD_ID), { recursive: true })
  writeFileSync(join(path('pages'), BUILD_ID, 'index.html'), '<!doctype html><title>Drill</title>')
  for (const name of ['acme', 'certificates', 'nginx', 'certbot']) {
    mkdirSync(path(name))
    if (process.getuid?.() === 0) chownSync(path(name), WWW_DATA, WWW_DATA)
  }
  chmodSync(path('acme'), 0o755)
  const env = {
    SITE_HOST,
    IDENTITY_HOST,
    IDENTITY_ADDRESS: upstream.address,
    OIDC_ISSUER: `https://${IDENTITY_HOST}/realms/gatehouse`,
    API_ADDRESS: upstream.address,
    LISTEN: `127.0.0.1:${https} ssl`,
    LISTEN_CLEAR: `127.0.0.1:${http}`,
    GATEHOUSE_ETC: etc,
    ACME_ROOT: path('acme'),
    CERTIFICATES_DIR: path('certificates'),
    NGINX_DIR: path('nginx'),
    WORK_DIR: path('certbot'),
    PAGES_DIR: path('pages'),
    WEB_ROOT: path('pages'),
  }
  const scripts = { site: join(etc, 'nginx/start.sh'), certbot: join(etc, 'certbot/renew.sh') }
  return {
    https,
    http,
    tls: join(etc, 'tls'),
    status: join(path('acme'), 'status.json'),
    certificates: path('certificates'),
    start: (name: ServiceName, over: Record<string, string> = {}) =>
      startService(scripts[name], { ...env, ...over }),
    stop: () => upstream.stop(),
    /** As a new container has an empty /tmp. */
    emptyTmp: () => {
      for (const name of ['nginx', 'certbot']) {
        rmSync(path(name), { recursive: true })
        mkdirSync(path(name))
        if (process.getuid?.() === 0) chownSync(path(name), WWW_DATA, WWW_DATA)
      }
    },
  }
}

/** The script as its container runs it: same user, nothing of our environment. */
function startService(script: string, env: Record<string, string>): Service {
  const user = process.getuid?.() === 0 ? { uid: WWW_DATA, gid: WWW_DATA } : {}
  const child = spawn('sh', [script], {
    ...user,
    cwd: '/',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, as a container ends with all its processes.
    detached: true,
  })
  let log = ''
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (part: string) => (log += part))
  return { log: () => log, stop: () => stopService(child), hasEnded: () => child.exitCode !== null }
}

/** Milliseconds until it ended. */
async function stopService(child: ChildProcess) {
  const started = Date.now()
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  const took = Date.now() - started
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nothing else is left of it.
  }
  return took
}

/** Stands in for the API and for Keycloak: returns the headers it got, and sends HSTS as both do. */
async function startUpstream() {
  const server = createServer((request, response) =>
    response
      .writeHead(200, {
        'content-type': 'application/json',
        'strict-transport-security': 'max-age=1',
      })
      .end(JSON.stringify(request.headers)),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { address: `127.0.0.1:${port}`, stop }
}
