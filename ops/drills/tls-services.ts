import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startBuildah } from '../../tools/release/buildah.ts'
import { OWN_ARCHITECTURE, shipDirectory } from '../../tools/release/debian-base.ts'
import { buildImages, storedName } from '../../tools/release/images.ts'
import { freePort } from '../../tools/stack/settings.ts'
import { loadImages, startDocker, type Docker } from './kit/containers/docker.ts'

/** Of no release. */
const VERSION = 'drill'
const IMAGES = ['site', 'certbot'] as const
const WWW_DATA = 33
const ETC = '/etc/gatehouse'
const STATE = '/var/lib/gatehouse'

export const SITE_HOST = 'gatehouse.test'
export const IDENTITY_HOST = 'id.gatehouse.test'

type ServiceName = (typeof IMAGES)[number]
export type Service = { log: () => string; stop: () => Promise<number>; hasEnded: () => boolean }
export type Services = Awaited<ReturnType<typeof prepareServices>>

/** The images `site` and `certbot` with what they share: folders instead of the volumes of compose.yaml, ports and settings. */
export async function prepareServices(directory: string) {
  const buildah = await buildServiceImages()
  const docker = await startDocker(directory, { buildah })
  loadImages(docker, { buildah, folder: directory, images: IMAGES.map(storedImage) })
  const [https, http] = [await freePort(), await freePort()]
  const upstream = await startUpstream()
  const path = (name: string) => join(directory, name)
  const buildId = docker.docker('run', '--rm', storedImage('site'), 'cat', `${ETC}/build-id`)
  mkdirSync(join(path('pages'), buildId), { recursive: true })
  writeFileSync(join(path('pages'), buildId, 'index.html'), '<!doctype html><title>Drill</title>')
  mkdirSync(path('tls'))
  for (const name of ['acme', 'certificates']) {
    mkdirSync(path(name))
    chownSync(path(name), WWW_DATA, WWW_DATA)
  }
  const env = {
    SITE_HOST,
    IDENTITY_HOST,
    IDENTITY_ADDRESS: upstream.address,
    OIDC_ISSUER: `https://${IDENTITY_HOST}/realms/gatehouse`,
    API_ADDRESS: upstream.address,
    LISTEN: `127.0.0.1:${https} ssl`,
    LISTEN_CLEAR: `127.0.0.1:${http}`,
  }
  const volumes = {
    [path('tls')]: `${ETC}/tls:ro`,
    [path('acme')]: `${STATE}/acme`,
    [path('certificates')]: `${STATE}/certificates`,
    [path('pages')]: `${STATE}/pages:ro`,
  }
  return {
    https,
    http,
    tls: path('tls'),
    status: join(path('acme'), 'status.json'),
    certificates: path('certificates'),
    start: (name: ServiceName, over: Record<string, string> = {}) =>
      startService(docker, { image: storedImage(name), volumes, env: { ...env, ...over } }),
    stop: async () => {
      upstream.stop()
      await docker.stop()
    },
  }
}

const storedImage = (image: string) => storedName(image, VERSION, OWN_ARCHITECTURE)

async function buildServiceImages() {
  const buildah = startBuildah()
  const log = join(shipDirectory(), 'tls-images.log')
  await buildImages(buildah, { version: VERSION, arch: OWN_ARCHITECTURE, log, images: [...IMAGES] })
  return buildah
}

type Container = {
  image: string
  volumes: Record<string, string>
  env: Record<string, string>
}

/** As compose.yaml runs it, on the network of the host; in the foreground, so that its output and its end are those of `docker run`. */
function startService(docker: Docker, { image, volumes, env }: Container): Service {
  const child = spawn(
    'docker',
    [
      'run',
      '--rm',
      '--network=host',
      '--read-only',
      '--tmpfs=/tmp:mode=1777,size=64m',
      '--cap-drop=ALL',
      '--security-opt=no-new-privileges:true',
      ...Object.entries(volumes).flatMap(([from, to]) => ['--volume', `${from}:${to}`]),
      ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      image,
    ],
    { env: docker.env, stdio: ['ignore', 'pipe', 'pipe'] },
  )
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
  return Date.now() - started
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
