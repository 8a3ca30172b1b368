import { existsSync, statfsSync } from 'node:fs'
import { failure, ok, warning, type Installation } from './finding.ts'

const NODE_MIN = 24
const FREE_WARNING = 0.1
const FREE_FAILURE = 0.03
/** Clock tolerance of the API for tokens. */
const DIFFERENCE_MAX_MS = 30_000

export const checkNode = (_patient: Installation, version = process.versions.node) =>
  Number(version.split('.')[0]) >= NODE_MIN
    ? [ok(`Node ${version}`)]
    : [
        failure(
          `Node ${version} is too old`,
          `use Node ${NODE_MIN} or newer: npm ci brings one, and npm run uses it`,
        ),
      ]

/** A full disk stops the database first. */
export const checkDisk = ({ env }: Installation, freeOf = freeShare) =>
  [import.meta.dirname, env['PAGES_DIR'], env['BACKUP_DIR']]
    .filter((place): place is string => Boolean(place) && existsSync(place ?? ''))
    .map((folder) => {
      const free = freeOf(folder)
      const what = `${Math.round(free * 100)}% of the disk of ${folder} is free`
      const todo = 'free some space, or use a larger disk'
      if (free < FREE_FAILURE) return failure(what, todo)
      return free < FREE_WARNING ? warning(what, todo) : ok(what)
    })

function freeShare(folder: string) {
  const { bavail, blocks } = statfsSync(folder)
  return bavail / blocks
}

export function checkClock(whose: string, timeMs: number) {
  const difference = Math.abs(timeMs - Date.now())
  const seconds = (difference / 1000).toFixed(1)
  return difference <= DIFFERENCE_MAX_MS
    ? ok(`Clock of ${whose} differs from ours by ${seconds} s`)
    : failure(
        `Clock of ${whose} differs from ours by ${seconds} s`,
        'synchronise both clocks by NTP: timedatectl set-ntp true',
      )
}
