import { readFileSync } from 'node:fs'
import { failure, ok, warning, type Installation } from './finding.ts'

const HOUR_MS = 3_600_000
/** A day plus the maximum duration of a backup. */
const AGE_MAX_HOURS = 26

export function checkBackups({ env }: Installation) {
  const file = env['BACKUP_STATUS_FILE']
  if (!file)
    return [
      warning(
        'Backups are not monitored: BACKUP_STATUS_FILE is not set',
        'set it to the file ops/backup/backup.sh writes, or monitor your own backups',
      ),
    ]
  const finishedAt = readInstant(file)
  if (finishedAt === null)
    return [failure(`No completed backup in ${file}`, 'systemctl start gatehouse-backup')]
  const hours = (Date.now() - finishedAt) / HOUR_MS
  return hours > AGE_MAX_HOURS
    ? [
        failure(
          `The last backup is ${Math.round(hours)} hours old`,
          'find out why: systemctl status gatehouse-backup',
        ),
      ]
    : [ok(`The last backup is ${hours.toFixed(1)} hours old`)]
}

function readInstant(file: string) {
  try {
    const { finishedAt } = JSON.parse(readFileSync(file, 'utf8')) as { finishedAt: string }
    return Date.parse(finishedAt) || null
  } catch {
    return null
  }
}
