import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asOwner } from './compose-account.ts'
import { inDatabase, liftLimits } from './install-upgrade.ts'
import {
  FIRST,
  initialiseServer,
  onServer,
  unpackRelease,
  withDeployer,
  type Server,
} from './deployed-server.ts'
import { report, seconds, type Result } from './kit/results.ts'
import {
  attachToTicket,
  failuresIn,
  judgeKit,
  kitOf,
  WRITTEN,
  writeUntilLost,
} from './restore-new-machine-lost.ts'
import {
  judgeDoctor,
  judgeSecond,
  judgeTime,
  judgeWork,
  judgeWrong,
  WRONG,
  type Lost,
} from './restore-new-machine-restored.ts'

const SYSTEM = 'debian-13'

/** The same with the release archive on servers without containers. */
export async function restoreServers() {
  const started = Date.now()
  const results = await withDeployer('restore', async (outside) => {
    const lost = await onServer({ outside, system: SYSTEM }, loseServer)
    if (!lost.kit) return lost.results
    const restored = await onServer({ outside, system: SYSTEM, isBare: true }, (server) =>
      restoreServer(server, lost),
    )
    return [...lost.results, ...restored]
  })
  return report('restore-new-machine server', results, `all in ${seconds(started)} s`)
}

async function loseServer(server: Server) {
  const { machine, env, owned } = server
  const begun = Date.now()
  await unpackRelease(server)
  await initialiseServer(server)
  const up = await machine.run(`${FIRST} up`, env)
  const installed = `A is up after ${seconds(begun)} s`
  const owner = await asOwner(owned)
  const attached = await attachToTicket(owned, 'attached before the backup')
  const backup = await machine.run('gatehouse backup', {})
  const before = await failuresOf(server)
  const piped = await machine.run('gatehouse kit', {})
  const shown = await onTerminal(server, 'gatehouse kit')
  const kit = kitOf(shown.text)
  const after = await failuresOf(server)
  const { text: secret } = await machine.ask('cat /etc/gatehouse/secrets/backup_pass_phrase')
  const results: Result[] = [
    ...owner,
    {
      title: 'server A is installed',
      isRight: backup.code === 0,
      figure: backup.code === 0 ? installed : `${up.text}\n${backup.text}`,
    },
    ...judgeKit({ before, piped: resultOf(piped), kit, after, secret }),
  ]
  await liftLimits(server, 'gatehouse up')
  return { results, kit, attached, ...(await writeUntilLost(owned)) }
}

async function restoreServer(server: Server, lost: Lost): Promise<Result[]> {
  const { owned } = server
  const begun = Date.now()
  await unpackRelease(server)
  const wrong: Result[] = []
  for (const [name, change, sentence] of WRONG)
    wrong.push(judgeWrong(name, sentence, await restore(server, change(lost.kit ?? ''))))
  const restored = await restore(server, lost.kit ?? '')
  const took = Number(seconds(begun))
  // The doctor at its end names the lost file, and that the kit was not shown here.
  if (!restored.output.includes('it serves'))
    return [...wrong, { title: 'restore', isRight: false, figure: restored.output }]
  const work = await judgeWork(owned, { ...lost, found: await numbersOf(server) })
  const again = await restore(server, lost.kit ?? '')
  await onTerminal(server, 'gatehouse kit')
  return [
    ...wrong,
    judgeTime(took, wrong.length),
    ...work,
    judgeSecond(again),
    judgeDoctor(await failuresOf(server)),
  ]
}

async function restore({ machine, root, env }: Server, kit: string) {
  writeFileSync(join(root, 'root/kit'), `${kit}\n`)
  // The ports are restored.
  const { KEYCLOAK_ARCHIVE = '' } = env
  return resultOf(await machine.run(`${FIRST} restore </root/kit`, { KEYCLOAK_ARCHIVE }))
}

const onTerminal = ({ machine }: Server, command: string) =>
  machine.run(`script -qec '${command}' /dev/null`, {})

async function failuresOf({ machine }: Server) {
  return failuresIn((await machine.ask('gatehouse doctor --json 2>/dev/null')).text)
}

async function numbersOf({ machine }: Server) {
  const query = inDatabase(`select subject from tickets where subject like '${WRITTEN} %'`)
  const { text } = await machine.ask(query)
  return new Set(text.split('\n').map((line) => Number(line.slice(WRITTEN.length + 1))))
}

const resultOf = ({ code, text }: { code: number | null; text: string }) => ({
  status: code,
  output: text,
})
