import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../scripts/postgres.ts'
import { buildParts, makeStateDirectory } from '../../scripts/stack-parts.ts'
import { isTaken } from '../../scripts/stack-process.ts'
import { readSettings } from '../../scripts/stack-settings.ts'
import { makeCertificate } from './certificate.ts'
import { debianTar, npmNetwork, shipDirectory } from './debian.ts'
import { ownSite } from './own-site.ts'

const CHECKOUT = new URL('../..', import.meta.url).pathname
const HOST = 'gatehouse.internal'
const EXPOSURE_MAX = 2

/**
 * A fresh Debian in a chroot, a clean checkout, and ops/install.sh in it, twice: it must end with a doctor who finds
 * nothing to put right, and the second time it must change nothing. The identity provider is a real Keycloak outside of
 * it, as at most deployers'.
 */
export async function install() {
  for (const port of [80, 443])
    if (await isTaken(port)) throw new Error(`Port ${port} is taken, and nginx would listen on it`)
  const started = Date.now()
  const outside = await startOutside()
  const root = join(shipDirectory(), 'install-root')
  try {
    prepare(root, outside)
    await Promise.all([runInside(root), outside.ready])
    const read = (name: string) => readFileSync(join(root, 'root', name), 'utf8').trim()
    const [first = '', second = ''] = read('codes').split('\n')
    const isSame = read('before') === read('after')
    const exposure = exposureOf(root)
    console.log(read('second.log'))
    for (const line of [
      ...read('times').split('\n'),
      `systemd exposure of the API ${exposure} (0 is none, 10 is all)`,
    ])
      console.log(line)
    if (!isSame) console.log(`Changed by the second run:\n${read('before')}\n---\n${read('after')}`)
    if (first !== '0') console.log(read('first.log'))
    const wrong = [
      ...(first === '0' ? [] : ['first run']),
      ...(second === '0' ? [] : ['second run']),
      ...(isSame ? [] : ['second run changed something']),
      ...(exposure <= EXPOSURE_MAX ? [] : ['systemd sandbox']),
    ]
    console.log(
      wrong.length === 0
        ? `install: ok, twice in a fresh Debian, the doctor passes, in ${((Date.now() - started) / 1000).toFixed(0)} s`
        : `install: FAILED ${wrong.join(', ')}`,
    )
    return wrong.length === 0
  } finally {
    await outside.stop()
    rmSync(root, { recursive: true, force: true })
  }
}

/** What a deployer has elsewhere: an identity provider and a mail relay. */
async function startOutside() {
  const names = [
    'SITE_PORT',
    'API_PORT',
    'KEYCLOAK_PORT',
    'POSTGRES_PORT',
    'MAIL_SMTP_PORT',
    'MAIL_PORT',
  ]
  const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())]))
  const settings = { ...readSettings(Object.fromEntries(ports)), site: `https://${HOST}` }
  makeStateDirectory(settings)
  const { postgres, keycloak, mail } = buildParts(settings)
  await Promise.all([postgres.start(), mail.start()])
  return {
    issuer: settings.issuer,
    smtp: `smtp://127.0.0.1:${settings.ports.smtp}`,
    apiPort: settings.ports.api,
    ready: keycloak.start(),
    stop: async () => {
      await Promise.all([keycloak.stop(), mail.stop()])
      await postgres.stop()
      rmSync(settings.state, { recursive: true, force: true })
    },
  }
}

type Outside = Awaited<ReturnType<typeof startOutside>>

function prepare(root: string, { issuer, smtp, apiPort }: Outside) {
  const place = (name: string) => join(root, name)
  rmSync(root, { recursive: true, force: true })
  mkdirSync(place('root/source'), { recursive: true })
  execFileSync('tar', ['-C', root, '-xf', debianTar()])
  const source = execFileSync('git', ['archive', 'HEAD'], { cwd: CHECKOUT, maxBuffer: 1 << 28 })
  execFileSync('tar', ['-C', place('root/source'), '-xf', '-'], { input: source })
  cpSync('/etc/resolv.conf', place('etc/resolv.conf'))
  appendFileSync(place('etc/hosts'), `127.0.0.1 localhost ${HOST}\n`)
  // Debian starts a server as soon as it is installed, unless this file says no.
  writeFileSync(place('usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 })

  mkdirSync(place('etc/gatehouse/tls'), { recursive: true })
  writeFileSync(place('etc/gatehouse/site.json'), ownSite(HOST))
  const { file } = makeCertificate(place('etc/gatehouse/tls'), HOST)
  const { registry, certificates } = npmNetwork()
  const authorities = [file, ...(certificates ? [certificates] : [])]
  writeFileSync(
    place('etc/ssl/authorities.crt'),
    authorities.map((one) => readFileSync(one, 'utf8')).join('\n'),
    { mode: 0o644 },
  )
  const env = {
    OIDC_ISSUER: issuer,
    SMTP_URL: smtp,
    API_PORTS: String(apiPort),
    NODE_EXTRA_CA_CERTS: '/etc/ssl/authorities.crt',
    npm_config_registry: registry,
  }
  writeFileSync(
    place('root/drill.sh'),
    script(
      Object.entries(env)
        .map(([name, value]) => `export ${name}='${value}'`)
        .join('\n'),
    ),
  )
}

const script = (env: string) => `set -u
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
${env}
cd /root/source
state() {
  sha256sum /etc/gatehouse/*.json /etc/gatehouse/*env /etc/gatehouse/nginx/* /etc/gatehouse/notice/*
  readlink /opt/gatehouse/current
  ls /opt/gatehouse/releases /var/backups/gatehouse
  cat /run/gatehouse-api-*.pid
  # Not as root: PostgreSQL knows its people by name.
  cd / && runuser -u postgres -- psql -Atc 'select count(*), max(applied_at) from migrations' gatehouse; cd /root/source
}
for run in first second; do
  SECONDS=0
  bash ops/install.sh --no-systemd >/root/$run.log 2>&1
  echo $? >>/root/codes
  echo "$run run: $SECONDS s" >>/root/times
  if [ $run = first ]; then state >/root/before 2>&1; else state >/root/after 2>&1; fi
done
`

/** In namespaces of its own: what it mounts and starts is gone with it. */
async function runInside(root: string) {
  const cache = join(shipDirectory(), 'packages')
  mkdirSync(cache, { recursive: true })
  const enter = `set -e
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    mount --bind "$2" "$1/var/cache/apt/archives"
    exec chroot "$1" bash /root/drill.sh`
  const log = openSync(join(shipDirectory(), 'install.log'), 'w')
  const inside = spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh', root, cache],
    { stdio: ['ignore', log, log], env: { PATH: process.env['PATH'] } },
  )
  await once(inside, 'exit')
}

function exposureOf(root: string) {
  const unit = join(root, 'root/gatehouse-api@8081.service')
  cpSync(join(CHECKOUT, 'ops/systemd/gatehouse-api@.service'), unit)
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', unit], {
    encoding: 'utf8',
  })
  return Number(/exposure level[^:]*: ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN)
}
