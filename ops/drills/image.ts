import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startPostgres } from '../../tools/stack/postgres.ts'
import { freePort } from '../../tools/stack/settings.ts'
import { startBuildah, type Buildah, type ImageConfig } from '../../tools/release/buildah.ts'
import { buildImages, storedName } from '../../tools/release/images.ts'
import { createCertificate } from './kit/certificate.ts'
import { ARCHITECTURES, OWN_ARCHITECTURE, shipDirectory } from '../../tools/release/debian-base.ts'
import { report, runParts, seconds, type Result } from './kit/results.ts'
import { compareArchitecture, describe, describePrograms, migrate } from './image-contents.ts'
import { externalClient } from './kit/http-clients.ts'

const READY_TIMEOUT_MS = 120_000
const HOST = 'gatehouse.internal'
/** Of the sample, which the images contain. */
const SITE_NAME = 'Gatehouse'
/** Of no release. */
const VERSION = 'drill'
const stored = (image: string) => storedName(image, VERSION, OWN_ARCHITECTURE)

/**
 * Builds all images for this processor and for the other one, migrates a real database and serves from them with a read-only root,
 * and checks their contents. `npm run drill -- image own`: without the other one, which takes an hour under qemu.
 */
export async function image(only?: string) {
  const started = Date.now()
  const buildah = startBuildah()
  const log = join(shipDirectory(), 'image.log')
  await buildImages(buildah, { version: VERSION, arch: OWN_ARCHITECTURE, log })
  const builtAfter = seconds(started)
  const results = await runParts({
    contents: () => describe(buildah, VERSION),
    programs: () => describePrograms(buildah, VERSION),
    serving: () => migrateAndServe(buildah),
    ...(only === 'own' ? {} : { 'other processor': () => buildOther(buildah) }),
  })
  return report('image', results, `built in ${builtAfter} s, all in ${seconds(started)} s`)
}

async function migrateAndServe(buildah: Buildah): Promise<Result[]> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-image-'))
  chmodSync(directory, 0o755)
  try {
    return await onDatabase(buildah, directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function onDatabase(buildah: Buildah, directory: string) {
  const postgres = await startPostgres({ directory: join(directory, 'postgres') })
  const containers: string[] = []
  const open = (image: string) => {
    const container = buildah.run('from', '--pull-never', stored(image))
    containers.push(container)
    return container
  }
  try {
    await postgres.createDatabase('gatehouse')
    const [api, site] = [open('api'), open('site')]
    const databaseUrl = postgres.url('gatehouse_app', 'gatehouse')
    return [
      migrate(buildah, api, postgres.url('gatehouse_migrate', 'gatehouse')),
      ...(await serve({ buildah, api, site, directory, databaseUrl })),
    ]
  } finally {
    for (const container of containers) buildah.run('rm', container)
    await postgres.stop()
  }
}

async function buildOther(buildah: Buildah): Promise<Result[]> {
  const other = ARCHITECTURES.find((arch) => arch !== OWN_ARCHITECTURE) ?? 'arm64'
  const started = Date.now()
  const log = join(shipDirectory(), `image-${other}.log`)
  await buildImages(buildah, { version: VERSION, arch: other, log })
  const figure = `${seconds(started)} s under qemu`
  return [
    { title: `images for ${other}`, isRight: true, figure },
    ...compareArchitecture(buildah, VERSION, other),
  ]
}

type Served = {
  buildah: Buildah
  api: string
  site: string
  directory: string
  databaseUrl: string
}

async function serve({ buildah, api, site, directory, databaseUrl }: Served): Promise<Result[]> {
  const [port, https, http] = [await freePort(), await freePort(), await freePort()]
  const config = buildah.configOf(stored('api'))
  const env = [
    `PORT=${port}`,
    'METRICS_PORT=0',
    `DATABASE_URL=${databaseUrl}`,
    `OIDC_ISSUER=https://id.${HOST}/realms/gatehouse`,
    'DRAIN_MS=0',
    'LOG_LEVEL=warn',
  ]
  const started = Date.now()
  const process = startReadOnly({ root: buildah.run('mount', api), config, env, directory })
  try {
    const ready = await untilAnswers(
      () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status),
      process,
    )
    const readyAfter = seconds(started)
    const front = startFront({ buildah, site, directory, https, http, api: port })
    try {
      const [page, api] = [
        await untilAnswers(() => statusOf(https, '/'), front),
        await statusOf(https, '/api/models'),
      ]
      const { body } = await ask(https, '/')
      const { status, headers } = await fetch(`http://127.0.0.1:${http}/x?y=1`, {
        redirect: 'manual',
      })
      const target = headers.get('location') ?? ''
      return [
        {
          title: 'ready with a read-only root',
          isRight: ready === 200,
          figure: `${ready} after ${readyAfter} s`,
        },
        { title: 'pages over https', isRight: page === 200, figure: String(page) },
        { title: 'the name of the site', isRight: body.includes(SITE_NAME), figure: SITE_NAME },
        { title: 'API through the front', isRight: api === 200, figure: String(api) },
        {
          title: 'http redirects to https',
          isRight: status === 308 && target === `https://${HOST}/x?y=1`,
          figure: `${status} ${target}`,
        },
      ]
    } finally {
      await end(front)
    }
  } finally {
    await end(process)
    buildah.run('umount', api)
  }
}

/** Written by the API, served by nginx, as the volume of compose.yaml. */
const pagesOf = (directory: string) => join(directory, 'pages')

/** buildah can't run a read-only container in a chroot, so the image's root is mounted read-only in its own namespace. */
function startReadOnly({
  root,
  config,
  env,
  directory,
}: {
  root: string
  config: ImageConfig
  env: string[]
  directory: string
}) {
  const mountPoint = join(directory, 'root')
  mkdirSync(mountPoint)
  const script = `set -e
    mount --bind "$ROOT" "$PLACE"
    mount -o remount,bind,ro "$PLACE"
    mount -t proc proc "$PLACE/proc"
    mount --rbind /dev "$PLACE/dev"
    mount -t tmpfs -o mode=1777 tmpfs "$PLACE/tmp"
    for volume in notice themes; do
      mount -t tmpfs -o "uid=$OWNER,mode=755" tmpfs "$PLACE/var/lib/gatehouse/$volume"
    done
    install -d -o "$OWNER" "$PAGES"
    mount --bind "$PAGES" "$PLACE/var/lib/gatehouse/pages"
    if touch "$PLACE/app/written" 2>/dev/null; then exit 3; fi
    exec env -i ${[...config.Env, ...env].map((one) => `'${one}'`).join(' ')} \\
      chroot --userspec="$OWNER:$GROUP" "$PLACE" sh -c 'cd /app && exec "$@"' sh ${config.Cmd.map((one) => `'${one}'`).join(' ')}`
  const idOf = (file: string, name: string) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':')[2]
  const [user = '', group = user] = (config.User ?? '').split(':')
  return spawn('unshare', ['--mount', 'sh', '-c', script], {
    env: {
      PATH: process.env['PATH'],
      ROOT: root,
      PLACE: mountPoint,
      PAGES: pagesOf(directory),
      OWNER: idOf('etc/passwd', user),
      GROUP: idOf('etc/group', group),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
}

function startFront({
  buildah,
  site,
  directory,
  https,
  http,
  api,
}: {
  buildah: Buildah
  site: string
  directory: string
  https: number
  http: number
  api: number
}) {
  const { file, key } = createCertificate(directory, HOST)
  chmodSync(key, 0o644)
  const env = {
    SITE_HOST: HOST,
    OIDC_ISSUER: `https://id.${HOST}/realms/gatehouse`,
    API_ADDRESS: `127.0.0.1:${api}`,
    TLS: 'files',
    LISTEN: `127.0.0.1:${https} ssl`,
    LISTEN_CLEAR: `127.0.0.1:${http}`,
  }
  return buildah.start(
    [
      ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      `--volume=${file}:/etc/gatehouse/tls/certificate.pem:ro`,
      `--volume=${key}:/etc/gatehouse/tls/key.pem:ro`,
      `--volume=${pagesOf(directory)}:/var/lib/gatehouse/pages:ro`,
      site,
      '--',
      ...buildah.configOf(stored('site')).Cmd,
    ],
    join(directory, 'site.log'),
  )
}

async function untilAnswers(ask: () => Promise<number>, process: ChildProcess) {
  const deadline = Date.now() + READY_TIMEOUT_MS
  for (;;) {
    const status = await ask().catch(() => 0)
    if (status === 200 || Date.now() > deadline || process.exitCode !== null) return status
    await setTimeout(200)
  }
}

const ask = (port: number, path: string) => externalClient({ port })(`https://${HOST}${path}`)
const statusOf = async (port: number, path: string) => (await ask(port, path)).status

/** Signals the process group, including children. */
async function end(child: ChildProcess) {
  if (child.exitCode !== null || !child.pid) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await ended
}
