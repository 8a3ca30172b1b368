import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { writeAnswers } from './compose-init.ts'
import { reserveMachine } from './kit/machine-lock.ts'
import { startServerMachine, type ServerMachine } from './kit/containers/server-machine.ts'
import { runParts, seconds, type Result } from './kit/results.ts'
import { startAuthority, type Authority } from './tls-authority.ts'
import { certificateOf, startTlsLoad } from './tls-clients.ts'
import { IDENTITY_HOST, SITE_HOST } from './tls-services.ts'

const [HTTP, HTTPS] = [80, 443]
const HOSTS = [SITE_HOST, IDENTITY_HOST]
const RENEWED_SECONDS_MAX = 75
const REQUESTS_PER_SECOND_MIN = 50
/** Load before and after the renewal. */
const LOAD_MS = 5000
const STEP_TIMEOUT_MS = 150_000
const RENEWAL = 'var/lib/gatehouse-certificates/renewal/gatehouse.conf'
const STATUS = 'var/lib/gatehouse/acme/status.json'
/** Renewal is due from the first day on. */
const ALWAYS_DUE = 'renew_before_expiry = 4000 days\n'
const PATHS = {
  page: [SITE_HOST, '/'],
  api: [SITE_HOST, '/healthz'],
  identity: [IDENTITY_HOST, '/realms/gatehouse/.well-known/openid-configuration'],
} as const
const ANSWERS = {
  SITE_HOST,
  IDENTITY_HOST,
  OWNER_EMAIL: `owner@${SITE_HOST}`,
  TLS: 'acme',
  SITE_NAME: 'Copperfield IT',
  LEGAL_NAME: 'Copperfield IT Ltd',
  POSTAL_ADDRESS: '1 Main Street, Cork',
  PRIVACY_EMAIL: `privacy@${SITE_HOST}`,
  COUNTRY: 'IE',
}

type Drill = ServerMachine & { authority: Authority }

/** Gets, renews and misses certificates of a real ACME server on a Debian 13 without containers. */
export async function checkServerTls(directory: string): Promise<Result[]> {
  const lock = await reserveMachine()
  const authority = await startAuthority(join(directory, 'server-pebble'), HTTP)
  try {
    const server = await startServerMachine({
      system: 'trixie',
      names: `127.0.0.1 ${HOSTS.join(' ')}`,
      authority: authority.caFile,
    })
    try {
      const drill = { ...server, authority }
      return await runParts({
        'server: first certificate': () => getFirst(drill),
        'server: renewal': () => renew(drill),
        'server: authority away': () => loseAuthority(drill),
      })
    } finally {
      await server.stop()
    }
  } finally {
    await authority.stop()
    lock.release()
  }
}

async function getFirst({ machine, root, env, version, authority }: Drill): Promise<Result[]> {
  const folder = '/root/gatehouse'
  writeAnswers(join(root, 'root'), ANSWERS)
  await machine.run(
    `mkdir ${folder} && tar -C ${folder} --strip-components=1 -xzf /root/releases/gatehouse-${version}.tar.gz`,
    {},
  )
  await machine.run(`${folder}/programs/gatehouse init --answers /root/answers`, {})
  const up = await machine.run(`${folder}/programs/gatehouse up`, {
    ...env,
    ACME_DIRECTORY: authority.directoryUrl,
  })
  const isTrusted = await areTrusted(authority).catch(() => false)
  const again = await machine.run('systemctl restart gatehouse-certbot nginx && sleep 5', {})
  return [
    {
      title: 'server: trusted for both names',
      isRight: isTrusted,
      figure: `when \`up\` ended, after ${up.seconds} s${isTrusted ? '' : `: ${up.text}`}`,
    },
    {
      title: 'server: restart makes no order',
      isRight: again.code === 0 && authority.countOrders() === 1,
      figure: `${authority.countOrders()} at Pebble`,
    },
  ]
}

async function renew({ machine, root, authority }: Drill): Promise<Result[]> {
  const { fingerprint } = await certificateOf(HTTPS, SITE_HOST)
  const load = startTlsLoad(HTTPS, authority.root, PATHS)
  await setTimeout(LOAD_MS)
  const file = join(root, RENEWAL)
  const text = readFileSync(file, 'utf8').replace(/^#? ?renew_before_expiry.*\n/gm, '')
  writeFileSync(file, ALWAYS_DUE + text)
  const began = Date.now()
  await machine.run('systemctl restart gatehouse-certbot', {})
  await until('a new fingerprint', async () => {
    const served = await servedBy(authority)
    return served.every((one) => one.isTrusted && one.fingerprint !== fingerprint)
  })
  const after = Number(seconds(began))
  await setTimeout(LOAD_MS)
  const { kept, fresh, perSecond, failed, failures } = await load.end()
  return [
    {
      title: 'server: renewal is served',
      isRight: after <= RENEWED_SECONDS_MAX,
      figure: `${after} s after it was due, at most ${RENEWED_SECONDS_MAX}`,
    },
    {
      title: 'server: no request fails meanwhile',
      isRight: failed === 0 && perSecond >= REQUESTS_PER_SECOND_MIN,
      figure: `${failed} of ${kept + fresh}, ${perSecond} a second ${failures.join('; ')}`,
    },
  ]
}

/** What is due can't be renewed, and the certificate before serves on. */
async function loseAuthority({ machine, root, authority }: Drill): Promise<Result[]> {
  await authority.stop()
  await machine.run(`rm /${STATUS} && systemctl restart gatehouse-certbot`, {})
  await until('a failed renewal', () => existsSync(join(root, STATUS)))
  const { text } = await machine.run('gatehouse doctor', {})
  const line = text.split('\n').find((one) => one.includes('issued no certificate')) ?? ''
  return [
    {
      title: 'server: authority away',
      isRight: /ACME_DIRECTORY/.test(text) && (await areTrusted(authority)),
      figure: line || text,
    },
  ]
}

const servedBy = (authority: Authority) =>
  Promise.all(HOSTS.map((host) => certificateOf(HTTPS, host, authority.root)))

const areTrusted = async (authority: Authority) =>
  (await servedBy(authority)).every(({ isTrusted }) => isTrusted)

async function until(what: string, isReached: () => boolean | Promise<boolean>) {
  const deadline = Date.now() + STEP_TIMEOUT_MS
  while (!(await Promise.resolve(isReached()).catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`${what} was not reached`)
    await setTimeout(200)
  }
}
