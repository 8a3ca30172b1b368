import { site } from './site.ts'

export const requestTexts = {
  title: 'My requests',
  lead: 'What you wrote to us, what became of it, and who has to do something next.',
  create: 'New request',
  open: 'Open',
  done: 'Done',
  empty: 'No data available',
  emptyNext: 'Nothing yet. What you send with the contact form appears here.',
  reference: (number: number) => `#${number}`,
  lastAnswer: 'Last answer',
  us: site.name,
  you: 'You',
  opened: 'Opened',
  type: 'Type',
  due: 'First answer due',
  callback: 'Callback agreed for',
  timeline: 'What happened',
  statusChanged: (status: string) => `Status: ${status}`,
  internal: 'Internal note',
  answer: 'Your answer',
  staffAnswer: 'Answer to the client',
  isInternal: 'Internal note: the client does not see it',
  send: 'Send answer',
  sending: 'Sending...',
  close: 'Close this request',
  reopen: 'Reopen this request',
  sent: 'Your answer was sent.',
  notSent: 'The answer was not sent.',
  kept: 'What you typed is still here. Try again in a moment.',
  record: 'Open the record',
}

/** What a status means for whom; the words of a list and of a page. */
export const EXPECTED: Record<string, { client: string; staff: string; kind: string }> = {
  New: { client: 'We answer next', staff: 'Answer the client', kind: 'info' },
  Open: { client: 'We answer next', staff: 'Answer the client', kind: 'info' },
  'Waiting for client': {
    client: 'Your turn: we are waiting for your answer',
    staff: 'The client answers next',
    kind: 'warning',
  },
  Resolved: { client: 'Solved. Reopen it if it is not', staff: 'Solved', kind: 'success' },
  Closed: { client: 'Nothing more to do', staff: 'Nothing more to do', kind: 'neutral' },
}
