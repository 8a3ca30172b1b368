import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { failure, ok, warning, type Patient } from './finding.ts'

const HOUR_MS = 3_600_000
/** Once a day, and the time one may take. */
const AGE_MAX_HOURS = 26

export function checkBackups({ env, config }: Patient) {
  const directory = env['BACKUP_DIR']
  if (!directory)
    return [
      warning(
        'Whether there are backups is not known: BACKUP_DIR is not set',
        'set it to where ops/backup.sh writes, or watch your own backups',
      ),
    ]
  const ages = existsSync(directory)
    ? readdirSync(directory)
        .filter((name) => !name.startsWith('.'))
        .map((name) => hoursSince(join(directory, name)))
    : []
  if (ages.length === 0) return [failure(`There is no backup in ${directory}`, 'ops/backup.sh')]
  const [newest, oldest] = [Math.min(...ages), Math.max(...ages)]
  if (newest > AGE_MAX_HOURS)
    return [
      failure(
        `The last backup is ${Math.round(newest)} hours old`,
        'see why: systemctl status gatehouse-backup',
      ),
    ]
  const days = config?.backups.retentionDays ?? Infinity
  // One day of grace: they are taken away when the next one is made.
  return oldest > (days + 1) * 24
    ? [
        failure(
          `A backup is ${Math.floor(oldest / 24)} days old, and the privacy notice promises ${days}`,
          'let ops/backup.sh run, which takes old ones away',
        ),
      ]
    : [ok(`The last backup is ${newest.toFixed(1)} hours old`)]
}

const hoursSince = (file: string) => (Date.now() - statSync(file).mtimeMs) / HOUR_MS
