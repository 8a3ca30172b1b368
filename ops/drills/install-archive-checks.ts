import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { asOwner } from './compose-account.ts'
import { checkQuietLogs } from './install-logs.ts'
import { checkUnits } from './install-units.ts'
import { createTicket, inDatabase, liftLimits } from './install-upgrade.ts'
import { FIRST, initialiseServer, unpackRelease, type Server } from './deployed-server.ts'
import { startVisitors } from './kit/http-clients.ts'
import { NEXT_VERSION } from './kit/next-release.ts'
import { runParts, seconds, type Result } from './kit/results.ts'

const GREEN_MAX_S = 600
/** In both directions together. */
const REQUESTS_MIN = 10_000

export function runChecks(server: Server) {
  return runParts({
    'first run': () => installFirst(server),
    owner: () => asOwner(server.owned),
    'second run': () => installAgain(server),
    units: () => checked('units', checkUnits(server.machine, server.ports, ['gatehouse-keycloak'])),
    logs: () => checked('logs', checkQuietLogs(server, server.issuer)),
    'existing realm': () => refuseExisting(server),
    upgrade: () => upgradeAndBack(server),
  })
}

/** From nothing to a doctor without a failure. */
async function installFirst(server: Server): Promise<Result[]> {
  const { machine, env } = server
  const started = Date.now()
  await unpackRelease(server)
  const asked = await initialiseServer(server)
  const up = await machine.run(`${FIRST} up`, env)
  const isUp = up.text.includes('the recovery kit was never shown')
  const journal = isUp
    ? ''
    : (await machine.ask(`journalctl --unit='gatehouse-*' --lines=40 --no-pager`)).text
  // The kit can't be shown before there is a bucket.
  const piped = await machine.run('gatehouse kit', {})
  const kit = await machine.run(`script -qec 'gatehouse kit' /dev/null`, {})
  const doctor = await machine.run('gatehouse doctor', {})
  const took = Number(seconds(started))
  const npm = await machine.ask('command -v npm chromium')
  return [
    {
      title: 'answers',
      isRight: asked.text.includes('Written: init.env') && !asked.text.includes('✗ mail'),
      figure: asked.text
        .split('\n')
        .filter((line) => line.startsWith('✗'))
        .join(' | '),
    },
    {
      title: 'up',
      isRight: isUp,
      figure: `${up.seconds} s; ${lastLines(up.text)}${journal}`,
    },
    {
      title: 'the kit, on a terminal alone',
      isRight:
        piped.code !== 0 && kit.code === 0 && kit.text.includes('programs/gatehouse restore'),
      figure: piped.text,
    },
    {
      title: 'archive to a green doctor',
      isRight: doctor.code === 0 && took <= GREEN_MAX_S,
      figure: `${took} s, at most ${GREEN_MAX_S}; ${lastLines(doctor.text)}`,
    },
    { title: 'neither npm nor a browser', isRight: npm.text === '', figure: npm.text || 'none' },
  ]
}

async function installAgain(server: Server): Promise<Result[]> {
  const before = await stateOf(server)
  const { code, text, seconds: took } = await server.machine.run('gatehouse up', {})
  const after = await stateOf(server)
  return [
    {
      title: 'a second run changes nothing',
      isRight: code === 0 && before === after,
      figure: `${took} s; ${lastLines(text)} ${linesOnlyIn(after, before)}`,
    },
  ]
}

/** Sizes of backups grow by themselves. */
async function stateOf({ machine, ports }: Server) {
  const units = [...ports.map((port) => `gatehouse-api@${port}`), 'nginx', 'gatehouse-keycloak']
  const { text } = await machine.ask(`
    find /etc/gatehouse /etc/systemd/system /usr/local/sbin /opt/gatehouse/releases -type f -exec sha256sum {} + | sort
    readlink /opt/gatehouse/current
    systemctl show -P MainPID ${units.join(' ')}
    ${inDatabase('select count(*), max(applied_at) from migrations')}`)
  return text
}

/** As if the server's settings were lost: the database keycloak is then not ours. */
async function refuseExisting({ machine }: Server): Promise<Result[]> {
  const { code, text } = await machine.run(
    'mv /etc/gatehouse/keycloak.env /root && gatehouse up; code=$?; mv /root/keycloak.env /etc/gatehouse; exit $code',
    {},
  )
  return [
    {
      title: 'an existing realm is not taken over',
      isRight: code !== 0 && text.includes('is not taken over'),
      figure: lastLines(text),
    },
  ]
}

async function upgradeAndBack(server: Server): Promise<Result[]> {
  const { machine, root, version, token } = server
  await liftLimits(server, 'gatehouse up')
  const ticket = await createTicket(server, 'from before')
  const old = currentOf(root)
  await machine.run('gatehouse notice --release --date "$(date -u +%F)"', {})
  const unnamed = await machine.run(`gatehouse upgrade ${NEXT_VERSION} --from /root/releases`, {})
  const isUntouched = currentOf(root) === old
  const broken = await machine.run(
    `mkdir /root/broken && cp /root/releases/SHA256SUMS /root/broken && echo x >/root/broken/gatehouse-${NEXT_VERSION}.tar.gz && gatehouse upgrade ${NEXT_VERSION} --from /root/broken`,
    {},
  )
  const unknown = await machine.run('gatehouse upgrade 0.0.1 --from /root/releases', {})
  const up = await upgradeUnderLoad(
    server,
    `upgrade ${NEXT_VERSION} --from /root/releases --notice 'We note how you called.'`,
  )
  const next = currentOf(root)
  const back = await upgradeUnderLoad(server, `upgrade ${version}`)
  const kept = await server.ask(ticket.path, {
    headers: { authorization: `Bearer ${await token()}` },
  })
  const asked = up.asked + back.asked
  const failures = [...up.failures, ...back.failures]
  return [
    {
      title: 'a release that stores what the notice doesn’t name is refused',
      isRight: unnamed.code !== 0 && unnamed.text.includes('--notice') && isUntouched,
      figure: lastLines(unnamed.text),
    },
    {
      title: 'a damaged archive is refused',
      isRight: broken.code !== 0 && broken.text.includes('SHA256SUMS') && currentOf(root) === old,
      figure: broken.text,
    },
    {
      title: 'an older release is refused',
      isRight: unknown.code !== 0 && unknown.text.includes('restore a backup'),
      figure: unknown.text,
    },
    {
      title: 'the next release, and back',
      isRight: up.code === 0 && back.code === 0 && next !== old && currentOf(root) === old,
      figure: `${up.seconds} s and ${back.seconds} s; ${next.split('/').at(-1)}${up.code === 0 ? '' : up.text}${back.code === 0 ? '' : back.text}`,
    },
    {
      title: 'no request fails',
      isRight: failures.length === 0 && asked >= REQUESTS_MIN,
      figure: `${failures.length} of ${asked}, at least ${REQUESTS_MIN}; slowest ${Math.max(up.slowestMs, back.slowestMs)} ms; ${failures.slice(0, 3).join('; ')}`,
    },
    {
      title: 'nothing is lost',
      isRight: kept.text.includes(ticket.subject) && up.isStored && back.isStored,
      figure: `${up.written + back.written} tickets written meanwhile`,
    },
    {
      title: 'two releases are kept, without a site',
      isRight:
        readdirSync(join(root, 'opt/gatehouse/releases')).length === 2 &&
        readlinkSync(join(root, currentOf(root), 'site')) === '/etc/gatehouse/site',
      figure: readdirSync(join(root, 'opt/gatehouse/releases')).join(', '),
    },
  ]
}

async function upgradeUnderLoad({ machine, ask, token }: Server, command: string) {
  const name = command.replaceAll(/\W+/g, '-')
  // Keycloak may restart meanwhile, for a new theme.
  await token()
  const visitors = startVisitors(ask, { name, token, least: REQUESTS_MIN / 2 })
  const { code, text, seconds: took } = await machine.run(`gatehouse ${command}`, {})
  const load = await visitors.end()
  const stored = await machine.ask(
    inDatabase(`select count(*) from tickets where subject like '${name}-%'`),
  )
  return { ...load, code, text, seconds: took, isStored: stored.text === String(load.written) }
}

const currentOf = (root: string) => readlinkSync(join(root, 'opt/gatehouse/current'))

async function checked(
  title: string,
  outcome: Promise<{ facts: string[]; problems: string[] }>,
): Promise<Result[]> {
  const { facts, problems } = await outcome
  return [{ title, isRight: problems.length === 0, figure: [...facts, ...problems].join('; ') }]
}

const linesOnlyIn = (after: string, before: string) => {
  const known = new Set(before.split('\n'))
  return after
    .split('\n')
    .filter((line) => !known.has(line))
    .join(' | ')
}

const lastLines = (text: string) =>
  text
    .split('\n')
    .filter((line) => /✗|failed$|^[A-Z]/.test(line))
    .slice(-6)
    .join(' | ')
