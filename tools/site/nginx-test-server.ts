import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort } from '../stack/settings.ts'
import { fileVariables, PRODUCTION_LIMITS, SITE_FILES, writeNginxFiles } from '../stack/nginx.ts'
import { isTaken } from '../stack/process.ts'

export const IDENTITY_HOST = 'id.gatehouse.test'

export type Front = {
  directory: string
  https: number
  http: number
  identity: number
  stop: () => Promise<void>
}

type Made = {
  upstream?: number
  over?: Record<string, string>
  /** Settings such as FILES_DIR. */
  files?: Record<string, string>
  change?: (text: string) => string
}

/** The servers of ops/nginx for tests, inside an nginx whose http block logs everything. */
export async function startFront({
  upstream,
  over = {},
  files = {},
  change = (text) => text,
}: Made = {}): Promise<Front> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'))
  chmodSync(directory, 0o755)
  mkdirSync(join(directory, 'logs'))
  // A file instead of a directory: failing to buffer a body is a critical error to nginx.
  writeFileSync(join(directory, 'body'), '')
  const [https, http, identity, nobody] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ])
  const shared = {
    TLS: '',
    HSTS: '',
    LIMITS: `include ${join(directory, 'limits.conf')};`,
    PROXIES_IN_FRONT: '',
    ...PRODUCTION_LIMITS,
    ...over,
  }
  const write = (names: string[], values: Record<string, string>) =>
    writeNginxFiles({ names, directory, values: { ...shared, ...values }, change })
  write(['clients.conf', 'limits.conf'], {})
  write(SITE_FILES, {
    ...fileVariables(directory, files),
    LISTEN: `127.0.0.1:${https}`,
    API_SERVERS: `server 127.0.0.1:${upstream ?? nobody};`,
    SITE_SCHEME: '$scheme',
    IDENTITY_PROVIDER: 'https://id.gatehouse.test',
    ACCOUNT_PAGE: 'https://id.gatehouse.test/realms/gatehouse/account/',
    BROTLI: '',
    WEB_ROOT: directory,
    PAGES_ROOT: directory,
    CONFIG_ROOT: directory,
    MODEL_PATHS: 'tickets|services',
    READING_PATHS: 'services',
    ...over,
  })
  write(['https.conf'], {
    LISTEN_CLEAR: `127.0.0.1:${http}`,
    ACME_ROOT: directory,
    SITE_HOST: 'gatehouse.test',
  })
  write(['identity.conf'], {
    LISTEN: `127.0.0.1:${identity}`,
    IDENTITY_HOST,
    IDENTITY_ADDRESS: `127.0.0.1:${upstream ?? nobody}`,
    IDENTITY_SCHEME: 'https',
    IDENTITY_PORT: '443',
  })
  const around = `${userInfo().uid === 0 ? 'user www-data;' : ''}
    daemon off; worker_processes 1; pid nginx.pid;
    error_log logs/error.log info;
    events { worker_connections 2048; }
    http {
      access_log logs/access.log;
      client_body_temp_path body;
      include clients.conf; include gatehouse.conf; include https.conf; include identity.conf;
    }`
  writeFileSync(join(directory, 'nginx.conf'), around)
  const nginx = spawn('/usr/sbin/nginx', [
    '-e',
    join(directory, 'logs/error.log'),
    '-p',
    directory,
    '-c',
    join(directory, 'nginx.conf'),
  ])
  let output = ''
  nginx.stderr.setEncoding('utf8').on('data', (part: string) => (output += part))
  const stop = async () => {
    nginx.kill()
    if (nginx.exitCode === null) await once(nginx, 'exit')
    rmSync(directory, { recursive: true })
  }
  while (!(await isTaken(identity))) {
    if (nginx.exitCode !== null) throw new Error(output)
    await setTimeout(50)
  }
  return { directory, https, http, identity, stop }
}

type Asked = {
  path: string
  host?: string
  headers?: Record<string, string>
  body?: string
  from?: string
}

/** Sent verbatim: fetch would normalise the path. */
export async function sendRequest(
  port: number,
  { path, host = 'gatehouse.test', headers, body, from = '127.0.0.1' }: Asked,
) {
  const asked = request({
    host: '127.0.0.1',
    localAddress: from,
    port,
    path,
    method: body === undefined ? 'GET' : 'POST',
    headers: { host, ...headers },
    agent: false,
  })
  const [response] = await once(asked.end(body), 'response')
  const bytes = Buffer.concat(await response.toArray())
  return {
    status: Number(response.statusCode),
    bytes,
    text: bytes.toString(),
    headers: response.headers,
  }
}
