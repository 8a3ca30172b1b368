import { appendFileSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteConfig } from '@gatehouse/model'
import { untilReady } from './kit/api-process.ts'
import type { Machine } from './kit/containers/machine.ts'
import { createNextRelease, NEXT_VERSION } from './kit/next-release.ts'
import { startVisitors, ticketOf, type SendRequest, type Visitor } from './kit/http-clients.ts'

const COLOURS = { light: '#7a1f5c', dark: '#f0b3dc' }
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="18" fill="#7a1f5c"/></svg>\n`
/** All clients share one address and write more than one user would. */
const LIMITS = ['READS_PER_MINUTE', 'WRITES_PER_MINUTE', 'CREATIONS_PER_MINUTE']

const RESTARTED = 'restarted@gatehouse.internal'
const INSTALLED_AGAIN = 'installed-again@gatehouse.internal'

export type UpgradeEnvironment = {
  machine: Machine
  root: string
  env: Record<string, string>
  ports: number[]
  ask: SendRequest
  /** The same from an address of the visitor's own. */
  askFrom: (address: string) => SendRequest
  token: () => Promise<string>
  /** Where Keycloak is not on this machine's own address. */
  visit?: Visitor
}

type System = { release: string; migrations: { missing: string[]; unknown: string[] } }

/** Upgrades to the next release with a new brand, and back, during reads and writes. */
export async function checkUpgrade(scene: UpgradeEnvironment) {
  const { root, machine } = scene
  await liftLimits(scene, 'bash /root/source/ops/install.sh')
  const record = await createTicket(scene, 'from before')
  const old = releasesOf(root)
  const version = versionOf(join(root, 'root/source'))

  const site = join(root, 'etc/gatehouse/site')
  createNextRelease(join(root, 'root/next'), site)
  brand(site)
  const up = await installWhileAsked(scene, 'next')
  const next = releasesOf(root)
  const problems = [
    ...up.problems,
    ...(await checkServed(scene, NEXT_VERSION)),
    ...(await checkBrand(scene)),
    ...(await checkOwnModel(scene)),
    ...(await checkScripts(scene, scriptsOf(root, old.current))),
    ...(await checkTicket(scene, { ...record, change: { channel: 'phone' } })),
    ...(next.previous === old.current ? [] : ['the release before it is not kept']),
  ]

  problems.push(...(await checkRestart(scene, site)))

  const down = await installWhileAsked(scene, 'source')
  const kept = releasesOf(root)
  const { text } = await machine.ask(inDatabase('select distinct channel from tickets order by 1'))
  problems.push(
    ...down.problems,
    ...(await checkServed(scene, version)),
    ...(await checkOwnModel(scene)),
    ...(await checkScripts(scene, scriptsOf(root, next.current))),
    ...(await checkTicket(scene, { ...record, change: { priority: 'High' } })),
    ...(text === 'phone' ? [] : [`the new column lost its value in the downgrade: ${text}`]),
    ...(kept.previous === next.current ? [] : ['the release before it is not kept']),
    ...(kept.all.length === 2 ? [] : [`unused releases were not removed: ${kept.all.join(', ')}`]),
    ...(down.text.includes(`Removing ${old.current}`)
      ? []
      : ['the removed release is not printed']),
  )
  return { problems, facts: [...up.facts, ...down.facts] }
}

export async function liftLimits(
  { machine, root, ports, env }: UpgradeEnvironment,
  install: string,
) {
  appendFileSync(join(root, 'etc/gatehouse/env'), LIMITS.map((name) => `${name}=100000\n`).join(''))
  // As in docs/operating.md.
  const { code, text } = await machine.run(install, env)
  if (code !== 0)
    throw new Error(`Failed to change the settings of ${ports.join(' and ')}: ${text}`)
}

async function installWhileAsked(environment: UpgradeEnvironment, checkout: 'next' | 'source') {
  const { machine, env, ask, token } = environment
  const visitors = startVisitors(ask, { name: `to-${checkout}`, token })
  const { code, text, seconds } = await machine.run(`bash /root/${checkout}/ops/install.sh`, env)
  const { asked, written, refused, failed, failures, slowestMs } = await visitors.end()
  const counted = await machine.ask(
    inDatabase(`select count(*) from tickets where subject like 'to-${checkout}-%'`),
  )
  const what = checkout === 'next' ? 'upgrade' : 'going back'
  return {
    text,
    problems: [
      ...(code === 0 ? [] : [`${what}: ${text}`]),
      ...failures,
      ...(counted.text === String(written)
        ? []
        : [`${written} tickets written, ${counted.text} stored`]),
    ],
    facts: [
      `${what}: ${seconds} s; ${asked} requests, ${written} of them keyed creations, ${refused} rejected with Retry-After and retried, ${failed} failed, the slowest took ${slowestMs} ms`,
    ],
  }
}

/** Checks every replica, not only the one nginx picks. */
async function checkServed({ ports, token }: UpgradeEnvironment, release: string) {
  const headers = { authorization: `Bearer ${await token()}` }
  const isBack = release !== NEXT_VERSION
  const systems = await Promise.all(
    ports.map(async (port) => {
      const response = await fetch(`http://127.0.0.1:${port}/api/system`, { headers })
      return (await response.json()) as System
    }),
  )
  return systems.flatMap((system) => [
    ...(system.release === release
      ? []
      : [`release ${system.release} is served instead of ${release}`]),
    ...(system.migrations.missing.length === 0 ? [] : ['a migration is missing']),
    ...(system.migrations.unknown.length > 0 === isBack ? [] : ['/system misjudges the tables']),
  ])
}

/** The site's model and its rule work only if the program was built with the site's code. */
async function checkOwnModel({ ask, token }: UpgradeEnvironment) {
  const { status, text } = await ask('/api/invoices', {
    method: 'POST',
    headers: { authorization: `Bearer ${await token()}` },
    body: { reference: `R-${Date.now()}`, amount: 0, status: 'Sent' },
  })
  return status === 422 && text.includes('stays a draft')
    ? []
    : [`the site's own model does not work: ${status} ${text}`]
}

async function checkBrand({ ask }: UpgradeEnvironment) {
  const { text: page } = await ask('/')
  const styles = await Promise.all(addressesOf(page, 'css').map((path) => ask(path)))
  const logos = await Promise.all(addressesOf(page, 'svg').map((path) => ask(path)))
  return [
    ...(styles.some(({ text }) => text.includes(COLOURS.light)) ? [] : ['not in its own colour']),
    ...(logos.some(({ text }) => text === LOGO) ? [] : ['without its own logo']),
  ]
}

const addressesOf = (page: string, ending: string) =>
  [...page.matchAll(/"(\/(?:static|brand)\/[^"]+\.(\w+))"/g)]
    .filter(([, , found]) => found === ending)
    .map(([, path = '']) => path)

/** Scripts of pages still open, and of pages rendered at run time. */
async function checkScripts({ ask }: UpgradeEnvironment, names: string[]) {
  const pages = await Promise.all(['/', '/services'].map((path) => ask(path)))
  const now = pages.flatMap(({ text }) => [...addressesOf(text, 'js'), ...addressesOf(text, 'css')])
  const missing: string[] = []
  for (const path of [...names, ...now]) if ((await ask(path)).status !== 200) missing.push(path)
  return missing.length === 0
    ? []
    : [
        `${missing.length} of ${names.length + now.length} scripts are missing, such as ${missing[0]}`,
      ]
}

type Ticket = { path: string; subject: string }

export async function createTicket(
  { ask, token }: UpgradeEnvironment,
  subject: string,
): Promise<Ticket> {
  const { status, text } = await ask('/api/tickets', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await token()}`,
      'idempotency-key': subject.replaceAll(' ', '-'),
    },
    body: ticketOf(subject),
  })
  if (status !== 201) throw new Error(`Failed to create a ticket: ${status} ${text}`)
  return { path: `/api/tickets/${(JSON.parse(text) as { id: string }).id}`, subject }
}

/** The record is unchanged and can be updated. */
async function checkTicket(
  { ask, token }: UpgradeEnvironment,
  { path, subject, change }: Ticket & { change: object },
) {
  const headers = { authorization: `Bearer ${await token()}` }
  const there = await ask(path, { headers })
  const { status, text } = await ask(path, { method: 'PUT', headers, body: change })
  return [
    ...(there.text.includes(`"subject":"${subject}"`) ? [] : [`a record is lost: ${there.text}`]),
    ...(status === 200 ? [] : [`a record can’t be updated: ${status} ${text}`]),
  ]
}

/** A changed setting of site.json is on the pages after a restart; the script sees that nothing needs a build. */
async function checkRestart({ machine, root, env, ask, ports }: UpgradeEnvironment, site: string) {
  const file = join(site, 'site.json')
  const config = JSON.parse(readFileSync(file, 'utf8')) as SiteConfig
  const change = (email: string) =>
    writeFileSync(file, JSON.stringify({ ...config, owner: { ...config.owner, email } }))
  const isShown = async (email: string) => (await ask('/security')).text.includes(email)
  change(RESTARTED)
  const units = ports.map((port) => `gatehouse-api@${port}`).join(' ')
  const restarted = await machine.run(`systemctl restart ${units}`, {})
  for (const port of ports) await untilReady(`http://127.0.0.1:${port}`)
  const afterRestart = await isShown(RESTARTED)
  const before = releasesOf(root)
  change(INSTALLED_AGAIN)
  const installed = await machine.run('bash /root/next/ops/install.sh', env)
  const after = releasesOf(root)
  return [
    ...(restarted.code === 0 && afterRestart ? [] : ['a changed address is not on the page']),
    ...(installed.code === 0 && (await isShown(INSTALLED_AGAIN))
      ? []
      : [`the script did not apply a changed address: ${installed.text}`]),
    ...(after.current === before.current && after.all.length === before.all.length
      ? []
      : ['a changed address made a release']),
  ]
}

function brand(directory: string) {
  const file = join(directory, 'site.json')
  const config = JSON.parse(readFileSync(file, 'utf8')) as SiteConfig
  const logo = { light: 'logo.svg', dark: null, hasName: false }
  writeFileSync(
    file,
    JSON.stringify({ ...config, brand: { ...config.brand, colours: COLOURS, logo } }),
  )
  writeFileSync(join(directory, 'logo.svg'), LOGO, { mode: 0o644 })
}

function releasesOf(root: string) {
  const home = join(root, 'opt/gatehouse')
  const names = readdirSync(home)
  const follow = (name: string) => (names.includes(name) ? readlinkSync(join(home, name)) : null)
  return {
    current: follow('current') ?? '',
    previous: follow('previous'),
    all: readdirSync(join(home, 'releases')),
  }
}

const scriptsOf = (root: string, release: string) =>
  readdirSync(join(root, release, 'web/dist/static'))
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => `/static/${name}`)

const versionOf = (checkout: string) =>
  (JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string }).version

/** Runs as postgres, by peer authentication. */
export const inDatabase = (sql: string) =>
  `cd / && runuser -u postgres -- psql -Atc "${sql}" gatehouse`
