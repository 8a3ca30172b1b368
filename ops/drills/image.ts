import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { addSite, copyWorkspace, runIn } from '../../tools/build/workspace.ts'
import { startPostgres } from '../../tools/stack/postgres.ts'
import { freePort } from '../../tools/stack/settings.ts'
import { startBuildah, type Buildah, type ImageConfig } from './kit/containers/buildah.ts'
import { createCertificate } from './kit/certificate.ts'
import { shipDirectory } from './kit/containers/debian.ts'
import { report, seconds, type Result } from './kit/results.ts'
import { describe, migrate } from './image-contents.ts'
import { externalClient } from './kit/http-clients.ts'

const READY_TIMEOUT_MS = 120_000
const HOST = 'gatehouse.internal'
const SITE_NAME = 'Copperfield IT'

/** Builds both images with a site, migrates a real database, serves from them, and checks their contents. */
export async function image() {
  const started = Date.now()
  const buildah = startBuildah()
  await buildWithSite(buildah)
  const builtAfter = seconds(started)
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-image-'))
  chmodSync(directory, 0o755)
  const postgres = await startPostgres({ directory: join(directory, 'postgres') })
  const [api, site] = [buildah.run('from', 'gatehouse-api'), buildah.run('from', 'gatehouse-site')]
  try {
    await postgres.createDatabase('gatehouse')
    const results = [
      ...describe(buildah, api),
      migrate(buildah, api, postgres.url('gatehouse_migrate', 'gatehouse')),
      ...(await serve({
        buildah,
        api,
        site,
        directory,
        databaseUrl: postgres.url('gatehouse_app', 'gatehouse'),
      })),
    ]
    return report('image', results, `built in ${builtAfter} s, all in ${seconds(started)} s`)
  } finally {
    for (const container of [api, site]) buildah.run('rm', container)
    await postgres.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Built as a provider does: from the product's checkout with a folder `site`. */
async function buildWithSite(buildah: Buildah) {
  const checkout = copyWorkspace()
  const log = join(shipDirectory(), 'image.log')
  try {
    addSite(checkout, SITE_NAME)
    runIn(checkout, 'notice:write')
    for (const target of ['api', 'site']) await buildah.build(target, log, checkout)
  } finally {
    rmSync(checkout, { recursive: true, force: true })
  }
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
  const config = buildah.configOf('gatehouse-api')
  const env = [
    `PORT=${port}`,
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
      // Without a token: 401 if the model exists, otherwise 404.
      const own = await statusOf(https, '/api/invoices')
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
        { title: 'a model of the site', isRight: own === 401, figure: String(own) },
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
    mount -t tmpfs -o "uid=$OWNER,mode=755" tmpfs "$PLACE/var/lib/gatehouse/pages"
    if touch "$PLACE/app/written" 2>/dev/null; then exit 3; fi
    exec env -i ${[...config.Env, ...env].map((one) => `'${one}'`).join(' ')} \\
      chroot --userspec="$OWNER:$OWNER" "$PLACE" sh -c 'cd /app && exec "$@"' sh ${config.Cmd.map((one) => `'${one}'`).join(' ')}`
  const accounts = readFileSync(join(root, 'etc/passwd'), 'utf8').split('\n')
  const owner = accounts.find((line) => line.startsWith(`${config.User}:`))?.split(':')[2]
  return spawn('unshare', ['--mount', 'sh', '-c', script], {
    env: { PATH: process.env['PATH'], ROOT: root, PLACE: mountPoint, OWNER: owner },
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
    LISTEN: `127.0.0.1:${https} ssl http2`,
    LISTEN_CLEAR: `127.0.0.1:${http}`,
  }
  return buildah.start(
    [
      ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      `--volume=${file}:/etc/gatehouse/tls/certificate.pem:ro`,
      `--volume=${key}:/etc/gatehouse/tls/key.pem:ro`,
      site,
      '--',
      ...buildah.configOf('gatehouse-site').Cmd,
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
