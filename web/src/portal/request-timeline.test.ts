import { expect, test } from 'vitest'
import type { TicketRevision, Ticket } from '#data/tickets.ts'
import { toTimeline } from './request-timeline.ts'

const TICKET: Ticket = {
  id: 't',
  version: 4,
  number: 1,
  subject: 's',
  message: 'The opening',
  fullName: 'Carol Byrne',
  email: null,
  contactType: 'Query',
  status: 'Open',
  openedAt: '2026-11-15T08:00:00Z',
  dueAt: null,
  phone: null,
  callbackWish: null,
  callbackAt: null,
  lastContactAt: null,
  closedAt: null,
  labels: {},
}

const step = (
  version: number,
  action: string,
  before: unknown,
  after: unknown,
): TicketRevision => ({
  version,
  action,
  at: `2026-11-15T09:0${version}:00Z`,
  changes: [{ field: 'status', before, after }],
})

test('a conversation shows status changes, but not a deletion and a restore', () => {
  const history = [
    step(4, 'restore', null, 'Open'),
    step(3, 'delete', 'Open', null),
    step(2, 'update', 'New', 'Open'),
    step(1, 'create', null, 'New'),
  ]
  expect(toTimeline(TICKET, [], history).map(({ text }) => text)).toEqual([
    'The opening',
    'Status changed to Open',
  ])
})
