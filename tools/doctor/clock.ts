import { failure, ok } from './finding.ts'

/** What the API allows a token's times to be off by. */
const DIFFERENCE_MAX_MS = 30_000

export function checkClock(whose: string, timeMs: number) {
  const difference = Math.abs(timeMs - Date.now())
  const seconds = (difference / 1000).toFixed(1)
  return difference <= DIFFERENCE_MAX_MS
    ? ok(`The clock of ${whose} differs from ours by ${seconds} s`)
    : failure(
        `The clock of ${whose} differs from ours by ${seconds} s`,
        'let both machines set their clocks by NTP (timedatectl set-ntp true)',
      )
}
