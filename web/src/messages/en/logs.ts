import { formatNumber, plural } from '#base/format.ts'

const eventCount = (count: number) =>
  `${formatNumber(count)} ${plural(count, { one: 'event', other: 'events' })}`

/** The two logs of owners: security events, and changes of all models. */
export const logMessages = {
  events: {
    lead: 'Sign-ins, refusals, roles, exports, and who read what only staff see. Kept for 12 months.',
    empty: 'Nothing was recorded for these filters.',
  },
  changes: {
    lead: 'Who changed what, over all records. The values are in the history of each record.',
    empty: 'Nothing was changed for these filters.',
  },
  zone: (zone: string) => `Times are in ${zone}.`,

  filters: 'Filters',
  kind: 'Event',
  everyKind: 'All events',
  person: 'Person',
  everyone: 'Everyone',
  you: 'You',
  youAre: (name: string) => `${name} (you)`,
  model: 'Records',
  everyModel: 'All records',
  from: 'From',
  to: 'Until',
  apply: 'Show',
  clear: 'Clear filters',
  onlyRecord: (label: string) => `Only ${label}`,
  thisRecord: 'one record',

  time: 'Time',
  who: 'Who',
  what: 'What',
  record: 'Record',
  about: (name: string) => `About ${name}`,
  former: 'Former account',
  kinds: {
    anonymous: 'Visitor',
    user: 'Former account',
    admin: 'Former account',
    system: 'System',
  },
  purged: 'permanently deleted',
  lists: (title: string) => `List of ${title}`,
  actions: {
    create: 'Created',
    update: 'Changed',
    delete: 'Moved to trash',
    restore: 'Restored',
    purge: 'Permanently deleted',
    enable: 'Enabled',
    disable: 'Disabled',
    'sign-out': 'Signed out everywhere',
    forgetfactors: 'Second step removed',
    expire: 'Removed, never confirmed',
    backfill: 'Filled in by an upgrade',
    retry: 'Sent again',
  } as Record<string, string>,
  older: 'Older',
  newest: 'Back to newest',

  exporting: 'Exporting…',
  export: 'Export as CSV',
  exportFailed: 'Couldn’t export. Try again.',

  plot: 'The last 7 days',
  plotName: (total: number, most: number) =>
    `${eventCount(total)} in 7 days by the hour, at most ${formatNumber(most)} in one`,
  plotEmpty: 'No events in the last 7 days.',
  rise: (when: string, count: number) =>
    `Sudden rise: ${eventCount(count)} in the hour from ${when}.`,
  showRise: 'Show them',
  table: 'As a table',
  hour: 'Hour from',
  count: 'Events',
  compared: (when: string, changes: number) =>
    `${formatNumber(changes)} ${plural(changes, { one: 'change', other: 'changes' })} compared with the audit log on ${when}: none missing.`,
  mismatched: (when: string, count: number) =>
    `${formatNumber(count)} ${plural(count, { one: 'entry', other: 'entries' })} of the history and the audit log don’t match (${when}). Someone may have changed the database by hand.`,
}
