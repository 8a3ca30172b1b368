/** The words of the System page. */
export const systemMessages = {
  title: 'System',
  lead: 'How this installation is, and what to do where it is not well.',
  release: 'Release',
  api: (version: string) => `API ${version}`,
  notice: (version: string) => `Privacy notice ${version}`,
  since: 'Running since',
  migrations: 'Database',
  upToDate: (latest: string) => `Up to date (${latest})`,
  missing: (names: string[]) =>
    `Migrations are missing: ${names.join(', ')}. Run npm run db:migrate, or the install script again.`,
  unknown: (names: string[]) =>
    `A newer release has migrated this database: ${names.join(', ')}. Install that release again when you can.`,
  jobs: 'Background work',
  job: (name: string, waiting: number, failed: number) =>
    `${name}: ${waiting} waiting, ${failed} given up in the last hour`,
  jobsFailed: 'Look for the name of the job in the log; its line says why it was given up.',
  mails: 'Email',
  mailsGone: 'Queue empty.',
  mailsWaiting: (count: number, minutes: number) => `${count} queued, oldest ${minutes} min.`,
  mailsStuck: "Email isn't being sent. Run npm run doctor to check the relay and SMTP_URL.",
  mailsOff: 'No relay is configured: email stays queued until SMTP_URL is set.',
  mailsDead: (count: number) => `${count} undelivered, see below.`,
  trash: 'Trash',
  trashFine: 'Records are permanently deleted after 30 days.',
  trashRefused: (count: number) =>
    `${count === 1 ? '1 record' : `${count} records`} couldn't be permanently deleted, three times or more:`,
  refusedRecord: (title: string, id: string, reason: string) => `${title} ${id} (${reason})`,
  refusedReasons: {
    locked: 'someone was working on it',
    'in-use': 'other records still refer to it',
    restricted: 'it, or what would go with it, is restricted',
    'too-many-children': 'too many records would go with it',
  } as Record<string, string>,
  refusedOther: 'search the log for its id',
  identity: 'Identity provider',
  identityUp: 'Gave its keys when it was last asked',
  identityDown:
    'Does not answer. Who is signed in goes on working until their sign-in ends; nobody new can sign in.',
  backup: 'Backup',
  backupUnwatched: 'Nobody watches it: set BACKUP_STATUS_FILE (docs/operating.md).',
  backupNever:
    'There is no finished backup. Run npm run drill -- restore on another machine, then ops/backup.',
  backupOld: (at: string) => `The last one is too old: ${at}. Look at the timer gatehouse-backup.`,
  backupFine: (at: string) => `Finished ${at}`,
}
