import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { freePort, startPostgres } from '../../tools/stack/postgres.ts'
import { openBuildah, type Buildah, type ImageConfig } from './kit/buildah.ts'
import { makeCertificate } from './kit/certificate.ts'
import { shipDirectory } from './kit/debian.ts'
import { report, seconds, type Result } from './kit/results.ts'
import { visitor } from './kit/visitor.ts'

const READY_TIMEOUT_MS = 120_000
const TOOLS = ['npm', 'gcc', 'make', 'git', 'python3', 'chromium']
const HOST = 'gatehouse.internal'

/** Builds both images, migrates a real database with one, serves from them, and looks at what is in them. */
export async function image() {
  const started = Date.now()
  const buildah = openBuildah()
  const log = join(shipDirectory(), 'image.log')
  for (const target of ['api', 'site']) await buildah.build(target, log)
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

function describe(buildah: Buildah, api: string): Result[] {
  const { User = '', ExposedPorts = {}, Healthcheck } = buildah.configOf('gatehouse-api')
  const inside = (script: string) =>
    buildah.run('run', '--isolation', 'chroot', api, '--', 'sh', '-c', script)
  const uid = inside('id -u')
  const there = TOOLS.filter((tool) => inside(`command -v ${tool} || true`) !== '')
  const writable = inside('find / -xdev -type d -writable 2>/dev/null || true')
  const packages = inside('find /app -name node_modules')
  const ports = Object.keys(ExposedPorts)
  return [
    ...['api', 'site'].map((target) => {
      const size = buildah.sizeOf(`gatehouse-${target}`)
      return { title: `size of ${target}`, isRight: Number.parseInt(size, 10) > 0, figure: size }
    }),
    { title: 'user', isRight: uid !== '0', figure: `${User} (${uid})` },
    { title: 'exposed ports', isRight: ports.join() === '8081/tcp', figure: ports.join(', ') },
    {
      title: 'health check',
      isRight: Boolean(Healthcheck),
      figure: Healthcheck?.Test[1] ?? 'none',
    },
    {
      title: 'build tools',
      isRight: there.length === 0,
      figure: there.join(', ') || `none of ${TOOLS.join(', ')}`,
    },
    {
      title: 'packages beside the built API',
      isRight: packages === '',
      figure: packages || 'none',
    },
    {
      title: 'places its user may write to',
      isRight: writable
        .split('\n')
        .every((place) =>
          /^\/(tmp|var\/tmp|run\/lock|var\/lock|var\/lib\/gatehouse\/(pages|realm))$/.test(place),
        ),
      figure: writable.split('\n').join(' '),
    },
  ]
}

function migrate(buildah: Buildah, api: string, url: string): Result {
  const env = `--env=DATABASE_MIGRATION_URL=${url}`
  const program = ['node', 'api/dist/migrate.js']
  const said = buildah.run('run', '--isolation', 'chroot', env, api, '--', ...program)
  return {
    title: 'migrations',
    isRight: said.startsWith('Applied'),
    figure: `${said.split(',').length} applied`,
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
      const { status, headers } = await fetch(`http://127.0.0.1:${http}/x?y=1`, {
        redirect: 'manual',
      })
      const target = headers.get('location') ?? ''
      return [
        {
          title: 'ready on a read-only root',
          isRight: ready === 200,
          figure: `${ready} after ${readyAfter} s`,
        },
        { title: 'pages over https', isRight: page === 200, figure: String(page) },
        { title: 'API through the front', isRight: api === 200, figure: String(api) },
        {
          title: 'http leads to https',
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

/** buildah can not run a container read-only in a chroot, so the image's root is mounted so, in a namespace of its own. */
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
  const place = join(directory, 'root')
  mkdirSync(place)
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
    env: { PATH: process.env['PATH'], ROOT: root, PLACE: place, OWNER: owner },
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
  const { file, key } = makeCertificate(directory, HOST)
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

const statusOf = async (port: number, path: string) =>
  (await visitor({ port })(`https://${HOST}${path}`)).status

/** With all it has started. */
async function end(child: ChildProcess) {
  if (child.exitCode !== null || !child.pid) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await ended
}
