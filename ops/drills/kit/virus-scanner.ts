import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isScannerUp } from '../../../api/src/platform/files/scanner.ts'
import { installMissing } from '../../../tools/stack/debian.ts'
import { freePort } from '../../../tools/stack/settings.ts'

const PROGRAM = '/usr/sbin/clamd'
const HOST = '127.0.0.1'
const START_TRIES = 100
const POLL_MS = 300

/** EICAR's harmless test file, in two parts: scanners of this machine must not find it here. */
export const EICAR = [
  'X5O!P%@AP[4\\PZX54(P^)7CC)7}$',
  'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*',
].join('')

/** Debian's clamd with one signature, as its makers' 3 GB of them can't be had everywhere. */
export async function startVirusScanner(directory: string) {
  installMissing({ 'clamav-daemon': PROGRAM })
  const database = join(directory, 'signatures')
  await mkdir(database, { recursive: true })
  await writeFile(
    join(database, 'drill.ndb'),
    `Drill.Eicar:0:*:${Buffer.from(EICAR).toString('hex')}\n`,
  )
  const port = await freePort()
  const config = join(directory, 'clamd.conf')
  await writeFile(
    config,
    [
      `TCPSocket ${port}`,
      `TCPAddr ${HOST}`,
      `DatabaseDirectory ${database}`,
      'Foreground yes',
      ...(process.getuid?.() === 0 ? ['User root'] : []),
      // As docs/operating.md asks for.
      'AlertExceedsMax yes',
      'StreamMaxLength 100M',
      '',
    ].join('\n'),
  )
  const log = await open(join(directory, 'clamd.log'), 'a')
  const start = async () => {
    const child = spawn(PROGRAM, ['-c', config], { stdio: ['ignore', log.fd, log.fd] })
    for (let tries = 1; !(await isScannerUp({ host: HOST, port, timeoutMs: 1_000 })); tries++) {
      if (tries === START_TRIES || child.exitCode !== null)
        throw new Error(`clamd did not start: ${join(directory, 'clamd.log')}`)
      await setTimeout(POLL_MS)
    }
    return child
  }
  let child = await start()
  const end = async () => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    url: `tcp://${HOST}:${port}`,
    /** Accepts connections, by the kernel, and says nothing. */
    silence: () => child.kill('SIGSTOP'),
    speak: () => child.kill('SIGCONT'),
    goAway: end,
    comeBack: async () => void (child = await start()),
    stop: async () => {
      await end()
      await log.close()
    },
  }
}
