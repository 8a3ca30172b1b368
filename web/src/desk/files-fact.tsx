import { systemMessages } from '#messages/system.ts'
import { Fact, type Tone } from './fact.tsx'
import { InfectedRecords } from './infected-files.tsx'

export type FilesState = {
  store: keyof typeof systemMessages.filesIn
  freeShare: number | null
  scanner: keyof typeof systemMessages.scanners
  unchecked: number
  infected: number
  infectedIn: { model: string; id: string }[]
}

/** The server refuses uploads below it. */
const FREE_MIN = 0.05
const FREE_LOW = 0.15

/** Null: this server stores none. */
export function FilesFact({ files }: { files: FilesState | null }) {
  if (files === null)
    return (
      <Fact label={systemMessages.files} tone="warning">
        {systemMessages.filesOff}
      </Fact>
    )
  const { store, freeShare, scanner, unchecked, infected, infectedIn } = files
  const sentences = [
    systemMessages.filesIn[store],
    ...(freeShare === null ? [] : [spaceOf(freeShare)]),
    systemMessages.scanners[scanner],
    ...(unchecked > 0 ? [systemMessages.unchecked(unchecked)] : []),
    ...(infected > 0 ? [systemMessages.infected(infected)] : []),
  ]
  return (
    <Fact label={systemMessages.files} tone={toneOf(files)}>
      {sentences.join(' ')}
      {infectedIn.length > 0 && <InfectedRecords records={infectedIn} />}
    </Fact>
  )
}

function spaceOf(share: number) {
  const percent = Math.floor(share * 100)
  return share < FREE_MIN ? systemMessages.diskFull(percent) : systemMessages.diskFree(percent)
}

function toneOf({ freeShare, scanner, infected }: FilesState): Tone {
  const free = freeShare ?? 1
  if (free < FREE_MIN || scanner === 'down' || infected > 0) return 'danger'
  return free < FREE_LOW || scanner === 'none' ? 'warning' : 'success'
}
