import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoAccounts } from '../../tools/stack/demo-accounts.ts'
import { buildServices, createStateDirectory } from '../../tools/stack/stack-services.ts'
import { isTaken } from '../../tools/stack/process.ts'
import { freePort, freePorts, readSettings } from '../../tools/stack/settings.ts'
import { createCertificate } from './kit/certificate.ts'
import { npmNetwork } from '../../tools/release/debian-base.ts'
import { checkEnvFiles } from './install-env.ts'
import { checkLogs } from './install-logs.ts'
import { checkRestore } from './install-restore.ts'
import { checkUnits } from './install-units.ts'
import { checkUpgrade, inDatabase, type UpgradeEnvironment } from './install-upgrade.ts'
import { bootMachine, machineRoot, unpackSystem } from './kit/containers/machine.ts'
import { cached } from './kit/cached.ts'
import { ownSite } from './kit/own-site.ts'
import { signIn } from './kit/identity/sign-in.ts'
import { newApp } from './kit/identity/totp.ts'
import { localClient } from './kit/http-clients.ts'
import { buildSiteClient } from './kit/http-clients.ts'
import { reserveMachine } from './kit/machine-lock.ts'
import { startObjectStore } from './kit/object-store.ts'

const CHECKOUT = new URL('../..', import.meta.url).pathname
const HOST = 'gatehouse.internal'
const STORE_HOST = 's3.gatehouse.internal'
/** Every server's own address; its machine lends the network. */
const ADDRESS = '127.0.0.1'
/** In the machine: of its site and bucket, and of the registry of packages. */
const AUTHORITIES = '/etc/ssl/authorities.crt'
/** Shorter than a token's lifetime. */
const TOKEN_MS = 120_000

/**
 * Runs ops/install.sh from a clean checkout on a fresh Debian with systemd. A second run must change nothing; no personal data may be
 * logged; lost data must be restored from the backup; upgrade to a release with code of the site and back must work under load. The
 * identity provider is a real Keycloak outside. With `only`, the first run and that one check: `npm run drill -- install checkout logs`.
 */
export async function installCheckout(only?: string) {
  const lock = await reserveMachine()
  for (const port of [80, 443])
    if (await isTaken(port)) throw new Error(`Port ${port} is taken; nginx of the drill needs it`)
  const started = Date.now()
  const outside = await startOutside()
  const root = machineRoot()
  try {
    const problems = await runInside(root, { outside, only })
    console.log(
      problems.length === 0
        ? `install checkout: ok, in a fresh Debian with systemd: installed twice, upgraded and downgraded, in ${((Date.now() - started) / 1000).toFixed(0)} s`
        : `install checkout: FAILED, ${problems.length} problems`,
    )
    return problems.length === 0
  } finally {
    await outside.stop()
    rmSync(root, { recursive: true, force: true })
    lock.release()
  }
}

type Planned = { outside: Outside; only: string | undefined }
type Checked = { facts: string[]; problems: string[] }

async function runInside(root: string, planned: Planned) {
  const environment = await openScene(root, planned.outside)
  try {
    return await run(environment, planned)
  } finally {
    await environment.machine.stop()
  }
}

async function run(environment: UpgradeEnvironment, { outside, only }: Planned) {
  const { machine, env, ports } = environment
  const [first] = await Promise.all([
    machine.run('bash /root/source/ops/install.sh', env),
    outside.ready,
  ])
  // The doctor fails until it was shown, which takes a terminal.
  const kit = await machine.run(`script -qec 'gatehouse kit' /dev/null`, {})
  const doctor = await machine.run('gatehouse doctor', {})
  const problems = print({
    facts: [`first run: ${first.seconds} s`],
    problems: [
      ...(first.text.includes('the recovery kit was never shown')
        ? []
        : [`the first run failed: ${first.text}`]),
      ...(kit.code === 0 ? [] : [`the kit was not shown: ${kit.text}`]),
      ...(doctor.code === 0 ? [] : [`the doctor failed: ${doctor.text}`]),
    ],
  })
  // Uses the settings of the first run.
  const later = { ...environment, env: outside.network }
  const checks: Record<string, () => Promise<Checked>> = {
    again: () => checkSecondRun(later),
    units: () => checkUnits(machine, ports),
    logs: () => checkLogs(later, outside),
    env: () => checkEnvFiles(later),
    restore: () => checkRestore(later),
    upgrade: () => checkUpgrade(later),
  }
  if (only && !checks[only])
    throw new Error(`No check "${only}"; checks: ${Object.keys(checks).join(', ')}`)
  for (const [name, check] of Object.entries(checks))
    if (!only || only === name) problems.push(...print(await check()))
  return problems
}

async function checkSecondRun(environment: UpgradeEnvironment) {
  const before = await stateOf(environment)
  const { code, text, seconds } = await environment.machine.run(
    'bash /root/source/ops/install.sh',
    environment.env,
  )
  const after = await stateOf(environment)
  console.log(text)
  return {
    facts: [`second run: ${seconds} s`],
    problems: [
      ...(code === 0 ? [] : ['the second run failed']),
      ...(before === after ? [] : [`the second run changed it:\n${before}\n---\n${after}`]),
    ],
  }
}

function print({ facts, problems }: Checked) {
  for (const line of [...facts, ...problems]) console.log(line)
  return problems
}

/** State a second run must not change. */
async function stateOf({ machine, ports }: UpgradeEnvironment) {
  const { text } = await machine.ask(`
    sha256sum /etc/gatehouse/*env /etc/gatehouse/nginx/* /etc/gatehouse/site/*.json /var/lib/gatehouse/notice/*
    readlink /opt/gatehouse/current
    ls /opt/gatehouse/releases /var/backups/gatehouse
    systemctl show -P MainPID ${ports.map((port) => `gatehouse-api@${port}`).join(' ')} nginx
    ${inDatabase('select count(*), max(applied_at) from migrations')}`)
  return text
}

/** External services of a deployer: identity provider and mail relay. */
async function startOutside() {
  const settings = { ...readSettings(await freePorts()), site: `https://${HOST}` }
  createStateDirectory(settings)
  const { postgres, keycloak, identity, mail } = buildServices(settings)
  const certificate = createCertificate(settings.state, HOST, STORE_HOST)
  await Promise.all([postgres.start(), mail.start(), identity.start()])
  const store = await startObjectStore({
    directory: settings.state,
    address: ADDRESS,
    host: STORE_HOST,
    certificate,
  })
  const { registry, certificates } = npmNetwork()
  return {
    certificate,
    authorities: [certificate.file, ...(certificates ? [certificates] : [])],
    /** For the packages of a build. */
    network: { NODE_EXTRA_CA_CERTS: AUTHORITIES, npm_config_registry: registry },
    bucket: store.answers,
    issuer: settings.issuer,
    identityAdmin: settings.identityAdmin,
    logs: settings.state,
    smtp: `smtp://127.0.0.1:${settings.ports.smtp}`,
    ready: keycloak.start(),
    stop: async () => {
      await Promise.all([keycloak.stop(), identity.stop(), mail.stop(), store.stop()])
      await postgres.stop()
      rmSync(settings.state, { recursive: true, force: true })
    },
  }
}

type Outside = Awaited<ReturnType<typeof startOutside>>

async function openScene(root: string, outside: Outside): Promise<UpgradeEnvironment> {
  const ports = [await freePort(), await freePort()]
  const app = newApp()
  unpackSystem(root, { names: `${ADDRESS} ${HOST} ${STORE_HOST}` })
  const certificate = readFileSync(outside.certificate.file, 'utf8')
  bringFiles(root, outside)
  return {
    machine: await bootMachine(root),
    root,
    env: {
      ...outside.network,
      ...outside.bucket,
      OIDC_ISSUER: outside.issuer,
      SMTP_URL: outside.smtp,
      TLS: 'files',
      API_PORTS: ports.join(' '),
    },
    ports,
    ask: buildSiteClient(HOST, certificate),
    askFrom: (address) => buildSiteClient(HOST, certificate, address),
    token: cached(TOKEN_MS, () =>
      signIn({
        visit: localClient,
        issuer: outside.issuer,
        site: `https://${HOST}`,
        ...admin(),
        app,
        more: { acr_values: 'mfa' },
      }),
    ),
  }
}

function admin() {
  const account = demoAccounts().find(({ isAdmin }) => isAdmin)
  if (!account) throw new Error('The realm has no admin')
  return account
}

function bringFiles(root: string, { certificate, authorities }: Outside) {
  const inMachine = (name: string) => join(root, name)
  const tls = inMachine('etc/gatehouse/tls')
  for (const folder of [inMachine('root/source'), tls]) mkdirSync(folder, { recursive: true })
  const source = execFileSync('git', ['archive', 'HEAD'], { cwd: CHECKOUT, maxBuffer: 1 << 28 })
  execFileSync('tar', ['-C', inMachine('root/source'), '-xf', '-'], { input: source })
  // The path used before the site folder existed; the script moves it.
  writeFileSync(inMachine('etc/gatehouse/site.json'), ownSite(HOST))
  cpSync(certificate.file, join(tls, 'certificate.pem'))
  cpSync(certificate.key, join(tls, 'key.pem'))
  cpSync(certificate.file, join(tls, 'authority.pem'))
  const texts = authorities.map((one) => readFileSync(one, 'utf8'))
  writeFileSync(inMachine(AUTHORITIES), texts.join('\n'), { mode: 0o644 })
}
