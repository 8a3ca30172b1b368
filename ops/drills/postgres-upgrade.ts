import { createHash } from 'node:crypto'
import { asOwner, bearer, TICKET, tokenOf } from './compose-account.ts'
import { initialise } from './compose-init.ts'
import { measureAvailability } from './kit/availability.ts'
import type { Deployment } from './kit/containers/deployment.ts'
import { drillMachines, onMachine, type Machine, type Machines } from './kit/containers/machines.ts'
import { loadOldPostgres, OLD_POSTGRES } from './kit/containers/old-postgres.ts'
import { runParts, seconds, type Result } from './kit/results.ts'
import { failuresOf, onTerminal, untilBackedUp } from './restore-new-machine-lost.ts'

const NEW_MAJOR = 17
const OLD_VOLUME = `gatehouse_postgres-${OLD_POSTGRES.major}`
const DATABASES = ['gatehouse', 'keycloak']
/** What people and their work are; other tables change as soon as anything serves: sessions, jobs, events. */
const TABLES: Record<string, RegExp> = {
  gatehouse:
    /^(accounts|articles|assets|audit_events|contacts|messages|migrations|organisations|revisions|services|subject_refs|tickets)$/,
  keycloak:
    /^(user_entity|user_attribute|user_role_mapping|credential|client|realm|component|authentication_flow)$/,
}

/** An installation on Debian 12's PostgreSQL moves to this release's: accounts, factors and rows must be equal. */
export const postgresUpgrade = () =>
  drillMachines('postgres-upgrade', async (machines) =>
    onMachine(await machines.startMachine('old', machines.certificate), (machine) =>
      runParts({
        install: () => install(machines, machine),
        refusals: () => refuses(machine),
        failure: () => [leavesTheOld(machine)],
        upgrade: () => upgrades(machines, machine),
        forget: () => [forgets(machine)],
      }),
    ),
  )

async function install({ images, owned }: Machines, { docker, deployment }: Machine) {
  docker.docker('load', '--quiet', '--input', images)
  await loadOldPostgres(docker, deployment.folder)
  initialise(deployment, owned.answers)
  const settings = `POSTGRES_MAJOR=${OLD_POSTGRES.major}\nPOSTGRES_VERSION=${OLD_POSTGRES.version}\n`
  deployment.rewrite('.env', (text) => text + settings)
  deployment.must('up')
  const owner = await asOwner(owned)
  await untilBackedUp(deployment)
  const version = query(deployment, 'postgres', 'show server_version')
  return [
    ...owner,
    {
      title: 'installed on the old version',
      isRight: version.startsWith(`${OLD_POSTGRES.major}.`),
      figure: version,
    },
  ]
}

function refuses({ deployment }: Machine): Result[] {
  const other = deployment.gatehouse(['upgrade', '--postgres', '16'])
  const same = deployment.gatehouse(['upgrade', '--postgres', String(OLD_POSTGRES.major)])
  return [
    {
      title: 'a version that the release lacks',
      isRight: other.status !== 0 && other.output.includes(`has PostgreSQL ${NEW_MAJOR}`),
      figure: other.output,
    },
    {
      title: 'the version that there is',
      isRight: same.status !== 0 && same.output.includes('already'),
      figure: same.output,
    },
  ]
}

/** A database that takes no connections can't be dumped. */
function leavesTheOld({ docker, deployment }: Machine): Result {
  query(deployment, 'postgres', 'create database closed')
  query(deployment, 'postgres', 'alter database closed allow_connections false')
  const { status, output } = deployment.gatehouse(['upgrade', '--postgres', String(NEW_MAJOR)])
  query(deployment, 'postgres', 'drop database closed')
  const volumes = docker.docker('volume', 'ls', '--quiet').split('\n')
  const version = query(deployment, 'postgres', 'show server_version')
  const isKept = !volumes.includes(`gatehouse_postgres-${NEW_MAJOR}`)
  return {
    title: 'a copy that fails changes nothing',
    isRight: status !== 0 && isKept && version.startsWith(`${OLD_POSTGRES.major}.`),
    figure: `${output.split('\n').at(-1)} (${version})`,
  }
}

async function upgrades({ owned }: Machines, { docker, deployment }: Machine): Promise<Result[]> {
  const before = DATABASES.map((database) => rowsOf(deployment, database))
  const api = measureAvailability(() => owned.visit(`${owned.site}/api/services`))
  const pages = measureAvailability(() => owned.visit(`${owned.site}/`))
  const {
    status,
    output,
    seconds: took,
  } = await deployment.startGatehouse(['upgrade', '--postgres', String(NEW_MAJOR)])
  const [apiAway, pagesAway] = [await api.end(), await pages.end()]
  if (status !== 0) return [{ title: 'upgrade --postgres', isRight: false, figure: output }]
  const after = DATABASES.map((database) => rowsOf(deployment, database))
  const begun = Date.now()
  const headers = bearer(await tokenOf(owned))
  const list = await owned.visit(`${owned.site}/api/tickets?q=${TICKET.subject}`, { headers })
  const version = query(deployment, 'postgres', 'show server_version')
  const volumes = docker.docker('volume', 'ls', '--quiet').split('\n')
  onTerminal({ docker, deployment } as Machine, ['kit'])
  const failures = failuresOf(deployment)
  return [
    {
      title: 'copied',
      isRight: version.startsWith(`${NEW_MAJOR}.`),
      figure: `${version}, ${took.toFixed(1)} s with two backups`,
    },
    ...DATABASES.map((database, index) => equalRows(database, before[index], after[index])),
    {
      title: 'the person signs in with her factor',
      isRight: list.status === 200 && list.body.includes(TICKET.subject),
      figure: `${list.status}, her ticket is there, ${seconds(begun)} s`,
    },
    {
      title: 'public pages',
      isRight: pagesAway.failed === 0 && pagesAway.asked > 100,
      figure: `${pagesAway.failed} of ${pagesAway.asked} failed (${pagesAway.text})`,
    },
    {
      title: 'the API comes back',
      isRight: apiAway.asked > 0,
      figure: `away ${apiAway.seconds.toFixed(1)} s (${apiAway.text})`,
    },
    {
      title: 'the old cluster is kept',
      isRight: volumes.includes(OLD_VOLUME),
      figure: volumes.filter((name) => name.includes('postgres')).join(', '),
    },
    {
      title: 'the doctor after a full backup',
      isRight: failures.length === 0,
      figure: failures.join('; ') || 'no failure',
    },
  ]
}

function equalRows(
  database: string,
  before: Map<string, string> | undefined,
  after: Map<string, string> | undefined,
): Result {
  const tables = [...(before ?? [])]
  const other = tables.filter(([table, rows]) => after?.get(table) !== rows)
  const count = tables.reduce((sum, [, rows]) => sum + Number(rows.split(' ')[0]), 0)
  return {
    title: `rows of ${database}`,
    isRight: other.length === 0 && count > 0,
    figure:
      other.map(([table, rows]) => `${table}: ${rows}, then ${after?.get(table)}`).join('; ') ||
      `${count} in ${tables.length} tables are equal`,
  }
}

function forgets({ docker, deployment }: Machine): Result {
  const output = deployment.must('upgrade', '--forget')
  const volumes = docker.docker('volume', 'ls', '--quiet').split('\n')
  const again = deployment.must('upgrade', '--forget')
  return {
    title: 'the old cluster is removed',
    isRight: !volumes.includes(OLD_VOLUME) && again === '',
    figure: output,
  }
}

/** Number and hash of the rows of each table. */
function rowsOf(deployment: Deployment, database: string) {
  const tables = query(
    deployment,
    database,
    `select table_name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
    .split('\n')
    .filter((name) => TABLES[database]?.test(name))
  return new Map(
    tables.map((table) => {
      const rows = query(deployment, database, `select t::text from "${table}" t order by 1`)
      const hash = createHash('sha256').update(rows).digest('hex').slice(0, 12)
      return [table, `${rows === '' ? 0 : rows.split('\n').length} ${hash}`]
    }),
  )
}

function query(deployment: Deployment, database: string, sql: string) {
  const psql = ['psql', '--username=postgres', `--dbname=${database}`, '-Atc', sql]
  const { status, stdout, output } = deployment.exec('postgres', ...psql)
  if (status !== 0) throw new Error(`${sql}: ${output}`)
  return stdout.trim()
}
