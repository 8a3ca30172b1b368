/** Bar, rail and status line of staff. */
export const shellMessages = {
  site: 'Site',
  new: 'New',
  search: 'Search or jump to',
  searchKey: 'Ctrl K',
  shortcuts: 'Shortcuts',
  shortcutsKey: '?',
  /** Heading of the pages that aren’t records. */
  staffPages: 'Staff pages',
  /** Read after the number beside Desk. */
  awaitingReply: 'awaiting reply',
}
