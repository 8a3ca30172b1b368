import { formatList, formatNumber, plural } from '#base/format.ts'

export const systemMessages = {
  title: 'System',
  lead: 'Health of this installation, and how to fix what needs attention.',
  release: 'Version',
  api: (version: string) => `API ${version}`,
  notice: (version: string) => `Privacy notice ${version}`,
  since: 'Running since',
  migrations: 'Database',
  upToDate: (latest: string) => `Up to date (${latest})`,
  missing: (names: string[]) =>
    `Migrations not applied: ${formatList(names)}. Run npm run db:migrate.`,
  unknown: (names: string[]) =>
    `A newer version has migrated this database: ${formatList(names)}. Reinstall that version when you can.`,
  jobs: 'Background jobs',
  job: (name: string, waiting: number, failed: number) =>
    `${name}: ${formatNumber(waiting)} queued, ${formatNumber(failed)} failed in the last hour`,
  jobsFailed: 'Search the log for the job’s name; its entry says why it failed.',
  mails: 'Email',
  mailsGone: 'Queue empty.',
  mailsWaiting: (count: number, minutes: number) =>
    `${formatNumber(count)} queued, oldest ${formatNumber(minutes)} min.`,
  mailsStuck: 'Email isn’t being sent. Run npm run doctor to check the relay and SMTP_URL.',
  mailsOff: 'No relay is configured: email stays queued until SMTP_URL is set.',
  mailsDead: (count: number) => `${formatNumber(count)} undelivered, see below.`,
  trash: 'Trash',
  trashFine: 'Records are permanently deleted after 30 days.',
  trashRefused: (count: number) =>
    plural(count, {
      one: '1 record couldn’t be permanently deleted after at least three attempts:',
      other: `${formatNumber(count)} records couldn’t be permanently deleted after at least three attempts:`,
    }),
  refusedRecord: (title: string, id: string, reason: string) => `${title} ${id} (${reason})`,
  refusedReasons: {
    locked: 'someone was working on it',
    'in-use': 'other records still refer to it',
    restricted: 'it, or a record that would be deleted with it, is restricted',
    'too-many-children': 'too many records would be deleted with it',
  } as Record<string, string>,
  refusedOther: 'search the log for its ID',
  identity: 'Identity provider',
  identityUp: 'Signing keys confirmed',
  identityDown: 'Not responding. Sessions continue; new sign-ins fail.',
  revocation: 'Revocation',
  revocations: {
    checked: 'Anyone who is disabled or signed out loses access within ten seconds.',
    late: 'Revocation is not checked at present: the identity provider’s log can’t be read. Someone disabled or signed out there keeps access until their token ends, five minutes at most. What you do under People takes effect immediately.',
    unknown:
      'Revocation is not checked: we have no account at the identity provider (IDENTITY_SERVICE_SECRET). Someone disabled or signed out there keeps access until their token ends.',
  },
  files: 'Files',
  filesOff: 'Not stored here: FILES_DIR is not set (docs/operating.md).',
  filesIn: { disk: 'On this server.', bucket: 'In a bucket.' },
  diskFree: (percent: number) => `${formatNumber(percent)} % of the disk is free.`,
  diskFull: (percent: number) =>
    `Only ${formatNumber(percent)} % of the disk is free: new files are refused. Free some space.`,
  scanners: {
    up: 'The virus scanner responds.',
    down: 'The virus scanner doesn’t respond: new files can’t be opened until it does.',
    none: 'No virus scanner: files can be opened unchecked. Set CLAMD_URL (docs/operating.md).',
  },
  unchecked: (count: number) =>
    plural(count, {
      one: '1 file waits for the scanner.',
      other: `${formatNumber(count)} files wait for the scanner.`,
    }),
  infected: (count: number) =>
    plural(count, {
      one: '1 attached file contains malware and can’t be opened. Take it out:',
      other: `${formatNumber(count)} attached files contain malware and can’t be opened. Take them out:`,
    }),
  backup: 'Backup',
  backupUnwatched: 'Not monitored. Set BACKUP_STATUS_FILE (docs/operating.md).',
  backupNever:
    'No completed backup. Set up ops/backup, then run npm run drill -- restore on another machine.',
  backupOld: (at: string) => `Last backup is too old: ${at}. Check the gatehouse-backup timer.`,
  backupFine: (at: string) => `Completed ${at}`,
}
