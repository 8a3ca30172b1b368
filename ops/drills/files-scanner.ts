import { readdir } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { FilePlace } from './files.ts'
import { tokenFor, watchMemory, type FilesOptions } from './files-transfers.ts'
import { startApi } from './kit/api-process.ts'
import { seconds, type Result } from './kit/results.ts'
import { EICAR, startVirusScanner } from './kit/virus-scanner.ts'
import { zipOf } from './kit/zip.ts'

const BOMB_BYTES = 500_000_000
const SLOW_MS = 5_000
/** The scanner's 30 seconds, and a busy machine. */
const SILENT_MAX_S = 40
/** Files without a verdict are asked about each minute. */
const RECHECK_MAX_MS = 150_000
const PEAK_MAX_MB = 250

/** ClamAV finds, also in archives, is slow, silent and away; nothing without its verdict is handed out. */
export async function checkScanner(
  place: FilePlace,
  { environment }: FilesOptions,
): Promise<Result[]> {
  const scanner = await startVirusScanner(environment.directory)
  const api = await startApi({ env: { ...place.env, CLAMD_URL: scanner.url } })
  const memory = watchMemory(api.pid)
  const token = await tokenFor(environment, 'scanner')
  const upload = async (name: string, content: Buffer | string) => {
    const started = Date.now()
    const response = await fetch(`${api.base}/api/files`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/octet-stream',
        'x-file-name': name,
      },
      body: new Uint8Array(Buffer.from(content)),
    })
    const { id = '', code, state } = (await response.json()) as Record<string, string>
    const said = `${response.status} ${code ?? state}`
    return { id, said, figure: `${said} after ${seconds(started)} s` }
  }
  const expectOf = async (
    title: string,
    answer: Promise<{ said: string; figure: string }>,
    expected: string[],
  ): Promise<Result> => {
    const { said, figure } = await answer
    return { title, isRight: expected.includes(said), figure }
  }
  const verdict = async (id: string) =>
    (await environment.ask('select verdict from files where id = $1', [id]))[0]?.['verdict']
  try {
    const before = await bytesIn(place)
    const once = zipOf('eicar.com', Buffer.from(EICAR))
    const refused = [
      await expectOf('EICAR', upload('a.txt', EICAR), ['422 file-refused']),
      await expectOf('EICAR zipped', upload('a.zip', once), ['422 file-refused']),
      await expectOf('EICAR zipped twice', upload('b.zip', zipOf('a.zip', once)), [
        '422 file-refused',
      ]),
    ]
    const left = (await bytesIn(place)) - before
    const bomb = zipOf('zero', Buffer.alloc(BOMB_BYTES))
    const passing = [
      await expectOf('a clean file', upload('c.txt', 'no virus'), ['201 ready']),
      await expectOf(`a zip bomb of ${BOMB_BYTES / 1e6} MB`, upload('d.zip', bomb), [
        '201 ready',
        '201 unchecked',
        '422 file-refused',
      ]),
    ]

    scanner.silence()
    const slow = upload('slow.txt', 'clean, but slowly')
    await setTimeout(SLOW_MS)
    scanner.speak()
    const late = [await expectOf('a slow scanner', slow, ['201 ready'])]

    scanner.silence()
    const started = Date.now()
    const silent = await upload('silent.txt', EICAR)
    const silentS = Number(seconds(started))
    scanner.speak()
    await scanner.goAway()
    const away = await upload('away.txt', 'clean')
    await scanner.comeBack()
    const back = Date.now()
    const verdicts = async () => [await verdict(silent.id), await verdict(away.id)]
    while ((await verdicts()).includes('unchecked') && Date.now() - back < RECHECK_MAX_MS)
      await setTimeout(1_000)
    const judged = (await verdicts()).join(', ')
    const peak = await memory.stop()
    return [
      ...refused,
      { title: 'bytes left of them', isRight: left === 0, figure: `${left} files` },
      ...passing,
      ...late,
      {
        title: 'a silent scanner',
        isRight: silent.said === '201 unchecked' && silentS <= SILENT_MAX_S,
        figure: silent.figure,
      },
      {
        title: 'a scanner that is away',
        isRight: away.said === '201 unchecked',
        figure: away.figure,
      },
      {
        title: 'judged once it is back',
        isRight: judged === 'infected, clean',
        figure: `${judged} after ${seconds(back)} s`,
      },
      {
        title: 'memory of the API meanwhile',
        isRight: peak <= PEAK_MAX_MB,
        figure: `${peak.toFixed(0)} MB PSS`,
      },
    ]
  } finally {
    await memory.stop()
    await api.stop()
    await scanner.stop()
  }
}

async function bytesIn({ folder }: FilePlace) {
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  return all.filter((one) => one.isFile()).length
}
