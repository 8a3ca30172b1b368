import { appendFileSync, copyFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { asOwner, bearer, TICKET, tokenOf } from './compose-account.ts'
import { initialise } from './compose-init.ts'
import { measureAvailability } from './kit/availability.ts'
import { drillMachines, onMachine, type Machine, type Machines } from './kit/containers/machines.ts'
import { buildNextRelease } from './kit/containers/release-folder.ts'
import { NEXT_VERSION } from './kit/next-release.ts'
import { runParts, type Result } from './kit/results.ts'
import { failuresOf, onTerminal, untilBackedUp } from './restore-new-machine-lost.ts'

const API_AWAY_MAX_S = 20

type Upgraded = { machines: Machines; machine: Machine; version: string; next: string }
type System = { release: string; migrations: { missing: string[]; unknown: string[] } }

/** An installation in containers moves to a later release and back, while it is visited. */
export function composeUpgrade() {
  const next = buildNextRelease()
  return drillMachines('compose-upgrade', async (machines) =>
    onMachine(await machines.startMachine('machine', machines.certificate), async (machine) => {
      const version = machine.deployment.read('VERSION').trim()
      const upgraded = { machines, machine, version, next }
      return runParts({
        install: () => install(upgraded),
        refusals: () => refuses(upgraded),
        upgrade: () => upgrades(upgraded),
        back: () => goesBack(upgraded),
      })
    }),
  )
}

async function install({ machines: { images, owned }, machine }: Upgraded) {
  machine.docker.docker('load', '--quiet', '--input', images)
  initialise(machine.deployment, owned.answers)
  machine.deployment.must('up')
  const owner = await asOwner(owned)
  await untilBackedUp(machine.deployment)
  onTerminal(machine, ['kit'])
  const today = new Date().toISOString().slice(0, 10)
  machine.deployment.must('notice', '--release', '--date', today)
  return owner
}

function refuses({ machine: { deployment }, next }: Upgraded): Result[] {
  const before = deployment.read('.env')
  const absent = deployment.gatehouse(['upgrade', NEXT_VERSION])
  const older = deployment.gatehouse(['upgrade', '0.0.9'])
  const archive = `gatehouse-${NEXT_VERSION}.tar.gz`
  copyFileSync(join(next, archive), join(deployment.folder, archive))
  copyFileSync(join(next, 'SHA256SUMS'), join(deployment.folder, 'SHA256SUMS'))
  appendFileSync(join(deployment.folder, archive), 'x')
  const changed = deployment.gatehouse(['upgrade', NEXT_VERSION])
  rmSync(join(deployment.folder, archive))
  const unnamed = deployment.gatehouse(['upgrade', '--from', next, NEXT_VERSION])
  const isSame = deployment.read('.env') === before
  return [
    {
      title: 'a release that is not there',
      isRight: absent.status !== 0 && absent.output.includes('is missing') && isSame,
      figure: absent.output,
    },
    {
      title: 'a file that SHA256SUMS does not name',
      isRight: changed.status !== 0 && changed.output.includes('SHA256SUMS'),
      figure: changed.output,
    },
    {
      title: 'a release that stores what the notice doesn’t name',
      isRight: unnamed.status !== 0 && unnamed.output.includes('--notice') && isSame,
      figure: unnamed.output.split('\n').at(-1) ?? '',
    },
    {
      title: 'an older release',
      isRight: older.status !== 0 && older.output.includes('restore a backup'),
      figure: older.output,
    },
  ]
}

async function upgrades(upgraded: Upgraded): Promise<Result[]> {
  const { machine, next, machines, version } = upgraded
  const args = ['upgrade', '--from', next, '--notice', 'We note how you called.', NEXT_VERSION]
  const done = await whileVisited(upgraded, args)
  const system = await systemOf(upgraded)
  const changed = await changeTicket(machines, { channel: 'phone' })
  onTerminal(machine, ['kit'])
  const failures = failuresOf(machine.deployment)
  return [
    ...done,
    {
      title: 'the next release serves',
      isRight: system.release === NEXT_VERSION && system.migrations.missing.length === 0,
      figure: `${system.release}, ${system.migrations.missing.length} migrations missing`,
    },
    {
      title: 'its new field is written',
      isRight: changed === 200,
      figure: String(changed),
    },
    {
      title: 'the release before is kept',
      isRight: readdirSync(join(machine.deployment.folder, 'releases')).includes(version),
      figure: readdirSync(join(machine.deployment.folder, 'releases')).join(', '),
    },
    {
      title: 'the doctor',
      isRight: failures.length === 0,
      figure: failures.join('; ') || 'no failure',
    },
  ]
}

async function goesBack(upgraded: Upgraded): Promise<Result[]> {
  const { machine, machines, version } = upgraded
  const done = await whileVisited(upgraded, ['upgrade', version])
  const system = await systemOf(upgraded)
  const changed = await changeTicket(machines, { priority: 'High' })
  const kept = machine.deployment.exec(
    'postgres',
    'psql',
    '--username=postgres',
    '--dbname=gatehouse',
    '-Atc',
    `select channel from tickets where subject = '${TICKET.subject}'`,
  )
  return [
    ...done,
    {
      title: 'the release before serves',
      isRight: system.release === version && system.migrations.unknown.length > 0,
      figure: `${system.release} on the tables of ${NEXT_VERSION}`,
    },
    {
      title: 'the new column keeps its value',
      isRight: changed === 200 && kept.stdout.trim() === 'phone',
      figure: `${changed}, ${kept.stdout.trim()}`,
    },
  ]
}

/** What visitors see meanwhile. */
async function whileVisited({ machines, machine }: Upgraded, args: string[]): Promise<Result[]> {
  const { visit, site } = machines.owned
  const api = measureAvailability(() => visit(`${site}/api/services`))
  const pages = measureAvailability(() => visit(`${site}/`))
  const { status, output, seconds } = await machine.deployment.startGatehouse(args)
  const [apiAway, pagesAway] = [await api.end(), await pages.end()]
  const name = args.join(' ').replace(/--from \S+ /, '')
  return [
    {
      title: name,
      isRight: status === 0,
      figure: status === 0 ? `${seconds.toFixed(1)} s` : output,
    },
    {
      title: `the API during ${name}`,
      isRight: apiAway.seconds <= API_AWAY_MAX_S && apiAway.asked > 50,
      figure: `away ${apiAway.seconds.toFixed(1)} s at most (${apiAway.text})`,
    },
    {
      title: `public pages during ${name}`,
      isRight: pagesAway.failed === 0 && pagesAway.asked > 50,
      figure: `away ${pagesAway.seconds.toFixed(1)} s at most (${pagesAway.text})`,
    },
  ]
}

async function systemOf({ machines: { owned } }: Upgraded) {
  const headers = bearer(await tokenOf(owned))
  return JSON.parse((await owned.visit(`${owned.site}/api/system`, { headers })).body) as System
}

/** The status of a change of the owner's ticket. */
async function changeTicket({ owned }: Machines, change: object) {
  const headers = { ...bearer(await tokenOf(owned)), 'content-type': 'application/json' }
  const list = await owned.visit(`${owned.site}/api/tickets?q=${TICKET.subject}`, { headers })
  const { items } = JSON.parse(list.body) as { items: { id: string }[] }
  const { status } = await owned.visit(`${owned.site}/api/tickets/${items[0]?.id}`, {
    method: 'PUT',
    headers,
    body: JSON.stringify(change),
  })
  return status
}
