import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { bearer, TICKET, tokenOf, type OwnedSite } from './compose-account.ts'
import { readAttached, type AttachedFile } from './kit/attached-file.ts'
import type { Deployment } from './kit/containers/deployment.ts'
import { seconds, type Result } from './kit/results.ts'
import {
  failuresOf,
  onTerminal,
  untilBackedUp,
  WRITTEN,
  type Written,
} from './restore-new-machine-lost.ts'
import type { Machine, Machines } from './kit/containers/machines.ts'

const RESTORE_MAX_S = 900
const LOST_MAX_S = 60
/** Wrong answers, each with the sentence that names it. */
export const WRONG: [name: string, change: (kit: string) => string, sentence: RegExp][] = [
  ['bucket', (kit) => kit.replace('/backups', '/elsewhere'), /no bucket elsewhere at s3\./],
  ['key', (kit) => kit.replace('drill-key', 'other-key'), /BACKUP_S3_KEY/],
  ['secret', (kit) => kit.replace('drill/secret', 'other/secret'), /BACKUP_S3_SECRET/],
  [
    'pass phrase',
    (kit) => kit.replace(/PASS_PHRASE=..../, 'PASS_PHRASE=0000'),
    /pass phrase is not that/,
  ],
]

export type Lost = {
  kit?: string | undefined
  attached: AttachedFile
  written: Written[]
  uploadingAt: number
  lostAt: number
}

/** What the doctor says of a file that was attached after the last backup: the bucket has its row, but not its bytes. */
const LOST_FILE = /^The bytes of 1 file are missing/

/** On machine B. */
export async function restoreMachine(
  { owned }: Machines,
  machine: Machine,
  lost: Lost & { images: string },
): Promise<Result[]> {
  const { kit = '', images } = lost
  const { deployment } = machine
  const begun = Date.now()
  const wrong = await refuseWrong(machine, { kit, images })
  const restored = deployment.gatehouse(['restore'], `${kit}\n`)
  const took = Number(seconds(begun))
  if (restored.status !== 0)
    return [...wrong, { title: 'restore', isRight: false, figure: restored.output }]
  const work = await judgeWork(owned, { ...lost, found: numbersOf(deployment) })
  const again = deployment.gatehouse(['restore'], `${kit}\n`)
  await untilBackedUp(deployment)
  onTerminal(machine, ['kit'])
  return [
    ...wrong,
    judgeTime(took, wrong.length),
    ...work,
    judgeSecond(again),
    judgeDoctor(failuresOf(deployment)),
    ...restoreMoment(machine, { ...lost, kit }),
  ]
}

export const judgeTime = (took: number, wrongKits: number): Result => ({
  title: 'archive and kit to a site that serves',
  isRight: took <= RESTORE_MAX_S,
  figure: `${took} s with ${wrongKits} wrong kits, at most ${RESTORE_MAX_S}`,
})

/** What the person finds again. `found`: numbers of the tickets that are there. */
export async function judgeWork(
  owned: OwnedSite,
  { attached, written, lostAt, found }: Lost & { found: Set<number> },
): Promise<Result[]> {
  const token = await tokenOf(owned)
  const list = await owned.visit(`${owned.site}/api/tickets?q=${TICKET.subject}`, {
    headers: bearer(token),
  })
  const bytes = await readAttached({ ...owned, token }, attached)
  const last = written.findLast(({ number }) => found.has(number))
  const lostSeconds = (lostAt - (last?.at ?? 0)) / 1000
  const missing = written.filter(({ number }) => !found.has(number)).length
  return [
    {
      title: 'the person signs in with her factor',
      isRight: list.status === 200 && list.body.includes(TICKET.subject),
      figure: `${list.status}, her ticket is there`,
    },
    {
      title: 'a file attached before the backup',
      isRight: bytes === attached.content,
      figure: bytes,
    },
    {
      title: 'writes lost',
      isRight: lostSeconds <= LOST_MAX_S && written.length > 60,
      figure: `${lostSeconds.toFixed(1)} s, ${missing} of ${written.length}; at most ${LOST_MAX_S} s`,
    },
  ]
}

type Run = { status: number | null; output: string }

export const judgeSecond = ({ status, output }: Run): Result => ({
  title: 'no second restore over it',
  isRight: status !== 0 && output.includes('never replaces'),
  figure: output,
})

export const judgeDoctor = (failures: string[]): Result => ({
  title:
    'the doctor after a full backup names the file attached after the last one, and nothing else',
  isRight: failures.length === 1 && LOST_FILE.test(failures[0] ?? ''),
  figure: failures.join('; ') || 'no failure',
})

/** Said last. */
export function judgeWrong(name: string, sentence: RegExp, { status, output }: Run): Result {
  const said = output.trim().split('\n').at(-1) ?? ''
  return {
    title: `a wrong ${name} is named`,
    isRight: status !== 0 && sentence.test(said),
    figure: said,
  }
}

/** The first one is pasted into a terminal, the others come from a file. */
async function refuseWrong(machine: Machine, { kit, images }: { kit: string; images: string }) {
  const results: Result[] = []
  for (const [index, [name, change, sentence]] of WRONG.entries()) {
    const input = `${change(kit)}\n`
    const run =
      index === 0
        ? await pasteAtPrompt(machine, ['restore', '--images', images], input)
        : machine.deployment.gatehouse(['restore'], input)
    results.push(judgeWrong(name, sentence, run))
  }
  return results
}

const PROMPT = 'Paste the recovery kit'

/** As a person at a terminal: what is typed before the prompt would be lost. */
async function pasteAtPrompt({ docker, deployment }: Machine, args: string[], input: string) {
  const command = ['./gatehouse', ...args].map((arg) => `'${arg}'`).join(' ')
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: deployment.folder,
    env: docker.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(terminal, 'exit')
  let output = ''
  for await (const part of terminal.stdout.setEncoding('utf8')) {
    const isAsked = output.includes(PROMPT)
    output += String(part)
    if (!isAsked && output.includes(PROMPT)) terminal.stdin.write(input)
  }
  const [status] = await ended
  return { status: status as number | null, output }
}

/** Once more on the same machine, emptied: to a moment at which a ticket was written and half of a file was there. */
function restoreMoment(
  { deployment, docker }: Machine,
  { kit, written, uploadingAt }: Lost & { kit: string },
): Result[] {
  const last = written.findLast(({ at }) => at <= uploadingAt)
  const moment = new Date(last?.at ?? 0).toISOString().replace('T', ' ').replace('Z', '+00')
  deployment.remove()
  docker.run('sh', ['-c', 'rm -rf .env secrets site/* tls/*'], { cwd: deployment.folder })
  const begun = Date.now()
  const { status, output } = deployment.gatehouse(['restore', moment], `${kit}\n`)
  if (status !== 0) return [{ title: 'restore to a moment', isRight: false, figure: output }]
  const newest = Math.max(0, ...numbersOf(deployment))
  const uploading = inDatabase(deployment, `select count(*) from files where stage = 'uploading'`)
  const lostFiles = failuresOf(deployment).filter((what) => /bytes/.test(what))
  return [
    {
      title: 'restore to a moment',
      isRight: newest === last?.number,
      figure: `ticket ${newest} is the newest, ${seconds(begun)} s`,
    },
    {
      title: 'restored in mid-upload, no attached file is without bytes',
      isRight: uploading === '1' && lostFiles.length === 0,
      figure: lostFiles.join('; ') || `${uploading} upload was under way`,
    },
  ]
}

function numbersOf(deployment: Deployment) {
  const subjects = inDatabase(
    deployment,
    `select subject from tickets where subject like '${WRITTEN} %'`,
  )
  return new Set(subjects.split('\n').map((line) => Number(line.slice(WRITTEN.length + 1))))
}

function inDatabase(deployment: Deployment, sql: string) {
  const psql = ['psql', '--username=postgres', '--dbname=gatehouse', '-Atc', sql]
  return deployment.exec('postgres', ...psql).stdout.trim()
}
