import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { asOwner, bearer, tokenOf, type OwnedSite } from './compose-account.ts'
import { initialise } from './compose-init.ts'
import type { Deployment } from './kit/containers/deployment.ts'
import { seconds, type Result } from './kit/results.ts'
import { attachFile } from './kit/attached-file.ts'
import type { Machine, Machines } from './kit/containers/machines.ts'

/** Longer than archive_timeout, so that the last minute is what counts. */
const WRITE_MS = 150_000
const WRITE_PAUSE_MS = 1000
/** A file that is uploaded meanwhile: begun early enough for its record to be in the bucket before the loss. */
const UPLOAD = { afterMs: 40_000, overMs: 25_000 }
/** Nobody creates a ticket a second. */
const WITHOUT_LIMIT = 'CREATIONS_PER_MINUTE=100000\n'
const BACKUP_TIMEOUT_MS = 300_000
const KIT = /----- BEGIN GATEHOUSE RECOVERY KIT -----[^]*----- END GATEHOUSE RECOVERY KIT -----/
export const WRITTEN = 'written'

/** A ticket that the API has acknowledged. */
export type Written = { number: number; at: number }

/** Installs machine A, lets a person work in it, takes its kit, and destroys it while she writes. */
export async function loseMachine({ images, owned }: Machines, machine: Machine) {
  const { deployment, docker } = machine
  const begun = Date.now()
  docker.docker('load', '--quiet', '--input', images)
  initialise(deployment, owned.answers)
  deployment.rewrite('.env', (text) => text + WITHOUT_LIMIT)
  deployment.must('up')
  const installed = `A is up after ${seconds(begun)} s`
  const owner = await asOwner(owned)
  const attached = await attachToTicket(owned, 'attached before the backup')
  await untilBackedUp(deployment)
  deployment.must('compose', 'exec', '-T', 'backup', 'bash', '/etc/gatehouse/backup/backup.sh')
  const before = failuresOf(deployment)
  const piped = deployment.gatehouse(['kit'])
  const shown = onTerminal(machine, ['kit'])
  const kit = kitOf(shown.output)
  const after = failuresOf(deployment)
  const secret = readFileSync(join(deployment.folder, 'secrets/backup_pass_phrase'), 'utf8')
  const results: Result[] = [
    ...owner,
    { title: 'machine A is installed', isRight: true, figure: installed },
    ...judgeKit({ before, piped, kit, after, secret }),
  ]
  return { results, kit, attached, ...(await writeUntilLost(owned)), images }
}

type Shown = {
  /** Failures of the doctor before and after the kit was shown. */
  before: string[]
  after: string[]
  piped: { status: number | null; output: string }
  kit: string | undefined
  secret: string
}

export const judgeKit = ({ before, piped, kit, after, secret }: Shown): Result[] => [
  {
    title: 'the doctor before the kit',
    isRight: before.length === 1 && before[0]?.includes('kit') === true,
    figure: before.join('; '),
  },
  {
    title: 'the kit without a terminal',
    isRight: piped.status !== 0 && !piped.output.includes(secret),
    figure: piped.output,
  },
  {
    title: 'the kit on a terminal',
    isRight: kit?.includes(secret) === true && after.length === 0,
    figure: `${kit?.split('\n').length ?? 0} lines; ${after.join('; ') || 'the doctor has nothing to say'}`,
  },
]

/** Of what a terminal showed. */
export const kitOf = (shown: string) => KIT.exec(shown.replaceAll('\r', ''))?.[0]

export const attachToTicket = async (owned: OwnedSite, content: string, uploadMs?: number) =>
  attachFile({ ...owned, token: await tokenOf(owned) }, content, uploadMs)

/** What the command prints on a terminal, where `input` is typed. */
export const onTerminal = ({ docker, deployment }: Machine, args: string[], input = '') => {
  const command = ['./gatehouse', ...args].join(' ')
  const { status, stdout } = docker.run('script', ['-qec', command, '/dev/null'], {
    cwd: deployment.folder,
    input,
  })
  return { status, output: stdout }
}

export function failuresOf(deployment: Deployment) {
  const { stdout } = deployment.gatehouse(['doctor', '--json'])
  return failuresIn(stdout)
}

/** What the doctor printed as JSON. */
export function failuresIn(json: string) {
  const findings = JSON.parse(json) as { check: string; level: string; what: string }[]
  return findings.filter(({ level }) => level === 'failure').map(({ what }) => what)
}

export async function untilBackedUp(deployment: Deployment) {
  const deadline = Date.now() + BACKUP_TIMEOUT_MS
  while (deployment.exec('backup', 'test', '-e', STATUS).status !== 0) {
    if (Date.now() > deadline)
      throw new Error(`No backup: ${deployment.gatehouse(['compose', 'logs', 'backup']).output}`)
    await setTimeout(2000)
  }
}

const STATUS = '/var/lib/gatehouse/backup/status.json'

/**
 * A ticket a second, and one with a file that the backup does not have; the caller destroys the machine as soon as this returns.
 * `uploadingAt`: a moment at which half of that file was there.
 */
export async function writeUntilLost(owned: OwnedSite) {
  const uploadingAt = Date.now() + UPLOAD.afterMs + UPLOAD.overMs / 2
  const attaching = setTimeout(UPLOAD.afterMs).then(() =>
    attachToTicket(owned, 'attached after the backup', UPLOAD.overMs),
  )
  const [written] = await Promise.all([writeTickets(owned), attaching])
  return { written, uploadingAt, lostAt: Date.now() }
}

async function writeTickets(owned: OwnedSite) {
  const headers = { ...bearer(await tokenOf(owned)), 'content-type': 'application/json' }
  const written: Written[] = []
  const end = Date.now() + WRITE_MS
  for (let number = 1; Date.now() < end; number++) {
    const body = JSON.stringify({
      fullName: 'Erin',
      email: 'erin@gatehouse.test',
      subject: `${WRITTEN} ${number}`,
      message: 'Hello',
    })
    const { status } = await owned.visit(`${owned.site}/api/tickets`, {
      method: 'POST',
      headers,
      body,
    })
    if (status === 201) written.push({ number, at: Date.now() })
    await setTimeout(WRITE_PAUSE_MS)
  }
  return written
}
