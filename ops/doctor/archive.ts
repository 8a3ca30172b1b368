import { queryRow } from './database.ts'
import { failure, ok, warning, type Finding, type Installation } from './finding.ts'

/** PostgreSQL closes a segment after a minute (archive_timeout); the archiver tries again after another. */
const LATE_SECONDS = 300
const SEGMENTS_PER_LOG = 256
const READ_LOG =
  'see that the bucket can be reached and its key is right: ./gatehouse compose logs postgres; on a server: journalctl -u postgresql'

export type ArchiverState = {
  mode: string
  /** Names of segments. */
  archived: string | null
  current: string
  secondsSince: number | null
  hasFailedSince: boolean
}

export async function checkArchive({ settings }: Installation): Promise<Finding[]> {
  if (!settings) return []
  try {
    return [archiveFinding(await queryRow<ArchiverState>(settings.databaseUrl, STATE))]
  } catch {
    // Reported by the check of the database.
    return []
  }
}

const STATE = `
  select current_setting('archive_mode') as mode, last_archived_wal as archived,
    pg_walfile_name(pg_current_wal_lsn()) as current,
    extract(epoch from now() - last_archived_time)::float as "secondsSince",
    coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "hasFailedSince"
  from pg_stat_archiver`

/** Judged by the last segment that reached the bucket. An idle database has nothing to archive. */
export function archiveFinding({
  mode,
  archived,
  current,
  secondsSince,
  hasFailedSince,
}: ArchiverState): Finding {
  if (mode === 'off')
    return failure(
      'Changes are not archived: archive_mode is off',
      './gatehouse up starts PostgreSQL with it; on a server gatehouse up',
    )
  const last =
    archived && secondsSince !== null
      ? `${archived}, ${Math.round(secondsSince)} s ago`
      : 'none yet'
  if (hasFailedSince)
    return failure(`Changes do not reach the bucket; the last segment there: ${last}`, READ_LOG)
  if (!archived || secondsSince === null)
    return warning('No change was archived yet', `wait a minute, then ${READ_LOG}`)
  const waiting = numberOf(current) - numberOf(archived) - 1
  return waiting > 0 && secondsSince > LATE_SECONDS
    ? failure(`${waiting} segments wait for the archive; the last one there: ${last}`, READ_LOG)
    : ok(`Changes are archived; the last segment: ${last}`)
}

/** Position of a segment of 16 MB: its name is timeline, log and place in it, eight digits each. */
const numberOf = (segment: string) =>
  Number.parseInt(segment.slice(8, 16), 16) * SEGMENTS_PER_LOG +
  Number.parseInt(segment.slice(16, 24), 16)
