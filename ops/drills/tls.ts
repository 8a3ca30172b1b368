import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { checkAcme } from '../doctor/acme.ts'
import { report, runParts, seconds, type Result } from './kit/results.ts'
import { installPebble, startAuthority, type Authority } from './tls-authority.ts'
import {
  certificateOf,
  PATHS,
  sendClear,
  sendSecure,
  startTlsLoad,
  type Response,
} from './tls-clients.ts'
import { checkServerTls } from './tls-server.ts'
import {
  IDENTITY_HOST,
  prepareServices,
  SITE_HOST,
  type Service,
  type Services,
} from './tls-services.ts'

const HOSTS = [SITE_HOST, IDENTITY_HOST]
const TRUSTED_SECONDS_MAX = 60
const RENEWED_SECONDS_MAX = 75
const REQUESTS_PER_SECOND_MIN = 50
const TERM_MS_MAX = 2000
const HSTS = 'max-age=31536000'
/** Load before and after the renewal. */
const LOAD_MS = 5000
/** Second and third pause of ops/certbot/renew.sh together, and an order. */
const RETRY_SECONDS_MAX = 60
const STEP_TIMEOUT_MS = 150_000
/** Renewal is due from the first day on. */
const ALWAYS_DUE = 'renew_before_expiry = 4000 days\n'

type Drill = { services: Services; authority: Authority; acme: Record<string, string> }

/**
 * Gets, keeps, renews and misses certificates of a real ACME server, in the images as shipped, and on a server without containers:
 * `npm run drill -- tls server` on that alone.
 */
export async function tls(only?: string) {
  const started = Date.now()
  installPebble()
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
  chmodSync(directory, 0o755)
  try {
    const results = [
      ...(only === 'server' ? [] : await withServices(directory)),
      ...(await checkServerTls(directory)),
    ]
    return report('tls', results, `all in ${seconds(started)} s`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function withServices(directory: string) {
  const services = await prepareServices(directory)
  try {
    const authority = await startAuthority(join(directory, 'pebble'), services.http)
    try {
      return await runAll({ services, authority })
    } finally {
      await stopAll()
      await authority.stop()
    }
  } finally {
    await services.stop()
  }
}

function runAll({ services, authority }: Pick<Drill, 'services' | 'authority'>) {
  copyFileSync(authority.caFile, join(services.tls, 'authority.pem'))
  const acme = { ACME_DIRECTORY: authority.directoryUrl, ACME_EMAIL: 'owner@gatehouse.test' }
  const drill = { services, authority, acme }
  return runParts({
    'first certificate': () => getFirstCertificate(drill),
    restart: () => restart(drill),
    renewal: () => renewUnderLoad(drill),
    'changed names': () => changeNames(drill),
    'authority away': () => loseAuthority(drill),
    'TLS=files': () => serveFiles(drill),
    'TLS=off': () => serveClear(drill),
    'TLS=on': () => refuseOther(drill),
  })
}

const running: Service[] = []

function start({ services, acme }: Drill, name: 'site' | 'certbot', over = {}) {
  const service = services.start(name, { ...acme, ...over })
  running.push(service)
  return service
}

async function stopAll() {
  return Math.max(...(await Promise.all(running.splice(0).map((service) => service.stop()))))
}

async function getFirstCertificate(drill: Drill): Promise<Result[]> {
  const { services, authority } = drill
  const began = Date.now()
  const site = start(drill, 'site')
  await until('nginx serves', site, async () => (await askAll(services)).every(isOk))
  const before = await certificateOf(services.https, SITE_HOST, authority.root)
  const early = await askAll(services)
  start(drill, 'certbot')
  await until('a trusted certificate', site, () => areTrusted(drill))
  const trustedAfter = Number(seconds(began))
  const late = await askAll(services, authority.root)
  const redirect = await sendClear({ port: services.http, host: IDENTITY_HOST, path: '/x?y=1' })
  await until('a status', site, () => readStatus(services).isOk)
  return [
    {
      title: 'self-signed before',
      isRight: !before.isTrusted && early.every(isOk),
      figure: before.error,
    },
    {
      title: 'trusted for both names',
      isRight: trustedAfter <= TRUSTED_SECONDS_MAX && late.every(isOk),
      figure: `${trustedAfter} s after start, at most ${TRUSTED_SECONDS_MAX}`,
    },
    {
      title: 'no HSTS while self-signed',
      isRight: early.every(({ headers }) => !headers['strict-transport-security']),
      figure: hstsOf(early),
    },
    {
      title: 'HSTS afterwards',
      isRight: late.every(({ headers }) => headers['strict-transport-security'] === HSTS),
      figure: hstsOf(late),
    },
    {
      title: 'http redirects to https',
      isRight: redirect.headers.location === `https://${SITE_HOST}/x?y=1`,
      figure: `${redirect.status} ${redirect.headers.location}`,
    },
    {
      title: 'one order',
      isRight: authority.countOrders() === 1,
      figure: `${authority.countOrders()} at Pebble`,
    },
  ]
}

async function restart(drill: Drill): Promise<Result[]> {
  const { services, authority } = drill
  const { fingerprint } = await certificateOf(services.https, SITE_HOST)
  const orders = authority.countOrders()
  const tookMs = await stopAll()
  rmSync(services.status)
  const began = Date.now()
  const site = start(drill, 'site')
  start(drill, 'certbot')
  await until('the first handshake', site, () => answers(services))
  const served = await certificateOf(services.https, IDENTITY_HOST, authority.root)
  await until('a status', site, () => readStatus(services).isOk)
  return [
    {
      title: 'both end on SIGTERM',
      isRight: tookMs <= TERM_MS_MAX,
      figure: `${tookMs} ms`,
    },
    {
      title: 'HTTP/2',
      isRight: served.protocol === 'h2',
      figure: served.protocol,
    },
    {
      title: 'restart serves the same certificate',
      isRight: served.isTrusted && served.fingerprint === fingerprint,
      figure: `checked by certbot after ${seconds(began)} s`,
    },
    {
      title: 'restart makes no order',
      isRight: authority.countOrders() === orders,
      figure: `${authority.countOrders() - orders} new at Pebble`,
    },
  ]
}

async function renewUnderLoad(drill: Drill): Promise<Result[]> {
  const { services, authority } = drill
  const { fingerprint } = await certificateOf(services.https, SITE_HOST)
  const [site, certbot] = running as [Service, Service]
  const load = startTlsLoad(services.https, authority.root)
  await setTimeout(LOAD_MS)
  await certbot.stop()
  makeDue(services)
  const file = readFileSync(chainFile(services), 'utf8')
  running[1] = services.start('certbot', drill.acme)
  await until('a new file', site, () => readFileSync(chainFile(services), 'utf8') !== file)
  const renewed = Date.now()
  await until('a new fingerprint', site, async () => {
    const served = await Promise.all(
      HOSTS.map((host) => certificateOf(services.https, host, authority.root)),
    )
    return served.every((one) => one.isTrusted && one.fingerprint !== fingerprint)
  })
  const servedAfter = Number(seconds(renewed))
  await setTimeout(LOAD_MS)
  const { kept, fresh, resent, perSecond, failed, failures } = await load.end()
  for (const line of failures) console.log(line)
  return [
    {
      title: 'renewal is served',
      isRight: servedAfter <= RENEWED_SECONDS_MAX,
      figure: `${servedAfter} s after the file changed, at most ${RENEWED_SECONDS_MAX}`,
    },
    {
      title: 'no request fails meanwhile',
      isRight: failed === 0 && perSecond >= REQUESTS_PER_SECOND_MIN,
      figure: `${failed} of ${kept + fresh} (${fresh} on new connections), ${perSecond} a second, ${resent} sent again on a closed idle connection`,
    },
  ]
}

/** The new name leads elsewhere at first, so the order fails and is repeated. */
async function changeNames(drill: Drill): Promise<Result[]> {
  const { services, authority } = drill
  const [site, certbot] = running as [Service, Service]
  const name = 'people.gatehouse.test'
  await authority.resolveTo(name, '127.0.0.2')
  const orders = authority.countOrders()
  await certbot.stop()
  running[1] = services.start('certbot', { ...drill.acme, IDENTITY_HOST: name })
  await until('a failed order', site, () => !readStatus(services).isOk)
  const { message } = readStatus(services)
  const [finding] = checkAcme({ ACME_STATUS_FILE: services.status }, { isUrgent: true })
  await authority.resolveTo(name, null)
  const mended = Date.now()
  await until('an order for the new name', site, () => readStatus(services).isOk)
  const took = Number(seconds(mended))
  return [
    {
      title: 'a name that leads elsewhere',
      isRight: /port 80/.test(todoOf(finding)) && !/\d\.\d+\.\d/.test(message),
      figure: `${message} → ${todoOf(finding)}`,
    },
    {
      title: 'a changed name is ordered again',
      isRight: took <= RETRY_SECONDS_MAX && authority.countOrders() > orders,
      figure: `${took} s after its DNS record was right`,
    },
  ]
}

async function loseAuthority(drill: Drill): Promise<Result[]> {
  const { services, authority } = drill
  await stopAll()
  await authority.stop()
  makeDue(services)
  rmSync(services.status)
  const site = start(drill, 'site')
  // With the names of the certificate there is: only its renewal fails.
  start(drill, 'certbot', { IDENTITY_HOST: 'people.gatehouse.test' })
  await until('a failed renewal', site, () => readStatus(services).checkedAt !== '')
  const status = readStatus(services)
  const page = await sendSecure({
    port: services.https,
    host: SITE_HOST,
    path: '/',
    ca: authority.root,
  })
  const [finding] = checkAcme({ ACME_STATUS_FILE: services.status }, { isUrgent: false })
  return [
    {
      title: 'authority away: the site serves',
      isRight: !status.isOk && isOk(page),
      figure: String(page.status),
    },
    {
      title: 'authority away: the doctor says so',
      isRight: finding?.level === 'warning' && /ACME_DIRECTORY/.test(todoOf(finding)),
      figure: `${finding?.level}: ${finding?.what} → ${todoOf(finding)}`,
    },
  ]
}

async function serveFiles(drill: Drill): Promise<Result[]> {
  const { services, authority } = drill
  const own = { TLS: 'files', CERTIFICATE_CHECK_SECONDS: '1' }
  await stopAll()
  const site = start(drill, 'site', own)
  start(drill, 'certbot', own)
  await until('nginx serves', site, () => answers(services))
  const isNamed = /no usable certificate/.test(site.log())
  const [certificate, key] = ['certificate.pem', 'key.pem'].map((name) => join(services.tls, name))
  if (!certificate || !key) throw new Error('unreachable')
  copyFileSync(chainFile(services), certificate)
  copyFileSync(chainFile(services).replace('fullchain', 'privkey'), key)
  chmodSync(key, 0o644)
  const given = Date.now()
  const isServed = async () =>
    (await certificateOf(services.https, SITE_HOST, authority.root)).isTrusted
  await until('the given certificate', site, isServed)
  const after = seconds(given)
  writeFileSync(certificate, 'broken')
  await until('the broken file is noticed', site, () => /nginx rejects/.test(site.log()))
  const isKept = await isServed()
  const tookMs = await stopAll()
  return [
    {
      title: 'TLS=files',
      isRight: isNamed && tookMs <= TERM_MS_MAX,
      figure: `self-signed with a line in the log, then theirs after ${after} s`,
    },
    { title: 'a broken file keeps the old one', isRight: isKept, figure: String(isKept) },
  ]
}

async function serveClear(drill: Drill): Promise<Result[]> {
  const { services } = drill
  const site = start(drill, 'site', { TLS: 'off' })
  const askClear = (path: keyof typeof PATHS, proto: string) =>
    sendClear(
      { port: services.http, host: PATHS[path][0], path: PATHS[path][1] },
      { 'x-forwarded-proto': proto },
    )
  await until('nginx serves', site, () => askClear('page', 'https').then(isOk, () => false))
  const all = await Promise.all(
    (['page', 'api', 'identity'] as const).map((path) => askClear(path, 'https')),
  )
  const protos = all
    .slice(1)
    .map(({ body }) => (JSON.parse(body) as Record<string, string>)['x-forwarded-proto'])
  const redirect = await askClear('page', 'http')
  await stopAll()
  return [
    {
      title: 'TLS=off',
      isRight: all.every(isOk) && protos.every((proto) => proto === 'https'),
      figure: `${all.map(({ status }) => status).join(' ')}, X-Forwarded-Proto ${protos.join(' ')}`,
    },
    {
      title: 'TLS=off: HSTS',
      isRight: all.every(({ headers }) => headers['strict-transport-security'] === HSTS),
      figure: hstsOf(all),
    },
    {
      title: 'TLS=off: http at the balancer',
      isRight: redirect.headers.location === `https://${SITE_HOST}/`,
      figure: `${redirect.status} ${redirect.headers.location}`,
    },
  ]
}

async function refuseOther(drill: Drill): Promise<Result[]> {
  const refused = (['site', 'certbot'] as const).map((name) => start(drill, name, { TLS: 'on' }))
  await setTimeout(1000)
  const isRight = refused.every(
    (service) => service.hasEnded() && service.log().includes('TLS must be'),
  )
  return [{ title: 'TLS=on is refused', isRight, figure: refused[0]?.log().trim() ?? '' }]
}

const isOk = ({ status }: Response) => status === 200
const hstsOf = (responses: Response[]) =>
  responses.map(({ headers }) => headers['strict-transport-security'] ?? 'none').join(', ')
const todoOf = (finding: ReturnType<typeof checkAcme>[number] | undefined) =>
  finding && 'todo' in finding ? finding.todo : ''
const chainFile = ({ certificates }: Services) => join(certificates, 'live/gatehouse/fullchain.pem')

const askAll = ({ https: port }: Services, ca?: string) =>
  Promise.all(
    Object.values(PATHS).map(([host, path]) =>
      sendSecure({ port, host, path, ...(ca ? { ca } : {}) }),
    ),
  )

const answers = ({ https }: Services) =>
  certificateOf(https, SITE_HOST).then(
    () => true,
    () => false,
  )

async function areTrusted({ services, authority }: Drill) {
  const served = await Promise.all(
    HOSTS.map((host) => certificateOf(services.https, host, authority.root)),
  )
  return served.every(({ isTrusted }) => isTrusted)
}

type Status = { checkedAt: string; isOk: boolean; message: string }

/** As long as there is none, nothing was tried. */
function readStatus({ status }: Services): Status {
  try {
    return JSON.parse(readFileSync(status, 'utf8')) as Status
  } catch {
    return { checkedAt: '', isOk: false, message: '' }
  }
}

function makeDue({ certificates }: Services) {
  const file = join(certificates, 'renewal/gatehouse.conf')
  const text = readFileSync(file, 'utf8').replace(/^#? ?renew_before_expiry.*\n/gm, '')
  writeFileSync(file, ALWAYS_DUE + text)
}

async function until(what: string, site: Service, isReached: () => boolean | Promise<boolean>) {
  const deadline = Date.now() + STEP_TIMEOUT_MS
  while (!(await Promise.resolve(isReached()).catch(() => false))) {
    if (Date.now() > deadline || site.hasEnded())
      throw new Error(`${what} was not reached:\n${running.map(({ log }) => log()).join('\n')}`)
    await setTimeout(200)
  }
}
