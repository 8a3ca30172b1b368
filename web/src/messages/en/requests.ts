import { owner, site } from '#base/site.ts'

const reply = {
  send: 'Send reply',
  sending: 'Sending...',
  sent: 'Reply sent.',
  unmailed: 'Reply saved. No email was sent.',
  failed: 'Your reply wasn’t sent.',
  /** Names its files, and what is attached to, for screen readers. */
  files: 'Reply',
  toThis: 'to the reply',
}

export const requestMessages = {
  lead: 'Everything you’ve asked us, where it stands and who acts next.',
  staffLead: 'Every client’s requests, newest first.',
  create: 'New request',
  open: 'Open',
  closed: 'Closed',
  more: 'Show more',
  loading: 'Loading...',
  moreFailed: 'Couldn’t load more requests. Try again.',
  emptyNext: 'You haven’t sent us a request yet. Messages from the contact form appear here.',
  staffEmptyNext: 'No client has sent a request yet.',
  reference: (number: number) => `#${number}`,
  us: site.name,
  client: 'Client',
  opened: 'Opened',
  type: 'Contact type',
  due: 'First reply due',
  phone: 'Phone',
  callbackWish: 'Good time to call',
  callback: 'Callback scheduled for',
  timeline: 'Conversation',
  statusChanged: (status: string) => `Status changed to ${status}`,
  internal: 'Internal note',
  record: 'Edit ticket fields',
  /** Names the list of a message’s files; `at` is its time. */
  filesOf: (who: string, at: string) => `${who}, ${at}`,
  kept: `Nothing you typed is lost: try again, or email ${owner.email}.`,
  /** Reply and note boxes: label, button and outcome of each. */
  boxes: {
    client: { ...reply, label: 'Your reply' },
    staff: { ...reply, label: 'Reply to client' },
    note: {
      label: 'Internal note (not visible to the client)',
      send: 'Add note',
      sending: 'Adding...',
      sent: 'Note added.',
      unmailed: 'Note added.',
      failed: 'Your note wasn’t added.',
      files: 'Note',
      toThis: 'to the note',
    },
  },
  recipient: (email: string | null) =>
    email === null
      ? 'No email is sent: this ticket has no address. The reply appears in the portal.'
      : `Emailed to ${email}, and shown in the portal.`,
  /** Actions that change the status. */
  acts: {
    close: {
      label: 'Close request',
      done: 'Request closed.',
      already: 'Already closed.',
      failed: 'The request wasn’t closed.',
    },
    reopen: {
      label: 'Reopen request',
      done: 'Request reopened.',
      already: 'Already open.',
      failed: 'The request wasn’t reopened.',
    },
  },
  /** What happens next in each status, for the client and for staff. */
  expected: {
    New: { client: 'We’ll reply next', staff: 'Your turn: reply to the client' },
    Open: { client: 'We’ll reply next', staff: 'Your turn: reply to the client' },
    'Waiting for client': {
      client: 'Your turn: we’re waiting for your reply',
      staff: 'Waiting for the client',
    },
    Resolved: {
      client: 'Resolved. Reopen it if the problem is still there',
      staff: 'Resolved',
    },
    Closed: { client: 'No further action', staff: 'No further action' },
  } as Record<string, { client: string; staff: string }>,
}
