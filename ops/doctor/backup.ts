import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkArchive } from './archive.ts'
import { failure, ok, warning, type Finding, type Installation } from './finding.ts'

const HOUR_MS = 3_600_000
/** A day plus the maximum duration of a backup. */
const AGE_MAX_HOURS = 26
const READ_LOG =
  'read why: ./gatehouse compose logs backup; on a server: journalctl -u gatehouse-backup'

type BackupStatus = { finishedAt: string; bucket: string; isComplete: boolean }
type KitNote = { shownAt: string; bucket: string }

export async function checkBackups(installation: Installation): Promise<Finding[]> {
  const { BACKUP_STATUS_FILE: file, BACKUP_BUCKET: bucket } = installation.env
  if (!file)
    return [
      warning(
        'Backups are not monitored: BACKUP_STATUS_FILE is not set',
        'set it to the file ops/backup/backup.sh writes, or monitor your own backups',
      ),
    ]
  if (!bucket)
    return [
      failure(
        'There is no backup outside this machine',
        'name a bucket: ./gatehouse init, then ./gatehouse up (on a server: gatehouse init, gatehouse up)',
      ),
    ]
  return [
    ...checkStatus(readJson<BackupStatus>(file), bucket),
    ...(await checkArchive(installation)),
    checkKit(readJson<KitNote>(join(dirname(file), 'kit.json')), bucket),
  ]
}

function checkStatus(status: Partial<BackupStatus>, bucket: string): Finding[] {
  const finishedAt = Date.parse(status.finishedAt ?? '')
  if (!finishedAt || status.bucket !== bucket)
    return [failure(`No completed backup in ${bucket}`, READ_LOG)]
  const hours = (Date.now() - finishedAt) / HOUR_MS
  return [
    hours > AGE_MAX_HOURS
      ? failure(`The last backup is ${Math.round(hours)} hours old`, READ_LOG)
      : ok(`The last backup is ${hours.toFixed(1)} hours old`),
    ...(status.isComplete
      ? []
      : [
          failure(
            'Some files are not in the backup, because user 999 can’t read them',
            'let it read them, such as tls/key.pem; ./gatehouse compose logs backup names them',
          ),
        ]),
  ]
}

const checkKit = ({ shownAt = '', bucket: of }: Partial<KitNote>, bucket: string) =>
  shownAt && of === bucket
    ? ok(`The recovery kit was shown on ${shownAt.slice(0, 10)}`)
    : failure(
        'Nobody can restore the backups elsewhere: the recovery kit was never shown',
        'store what ./gatehouse kit shows, away from this machine (on a server: gatehouse kit)',
      )

/** Empty if there is none. */
function readJson<T>(file: string): Partial<T> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Partial<T>
  } catch {
    return {}
  }
}
