import { requestMessages } from '#messages/requests.ts'
import type { Message, Step, Ticket } from '#data/tickets.ts'

export type TimelineEntry = {
  id: string
  at: string
  who: string
  text: string
  kind: 'message' | 'staff' | 'internal' | 'status'
}

/** By name, and never as "You": a colleague may have written it. */
export const toAuthor = ({ fromStaff, authorName }: Pick<Message, 'fromStaff' | 'authorName'>) =>
  fromStaff ? requestMessages.us : (authorName ?? requestMessages.client)

/** The opening, replies, notes and status changes, in the order of time. */
export function toTimeline(ticket: Ticket, messages: Message[], history: Step[]): TimelineEntry[] {
  const opening: TimelineEntry = {
    id: ticket.id,
    at: ticket.openedAt,
    who: ticket.fullName,
    text: ticket.message,
    kind: 'message',
  }
  const replies = messages.map(
    ({ id, createdAt, fromStaff, authorName, body, internal }): TimelineEntry => ({
      id,
      at: createdAt,
      who: toAuthor({ fromStaff, authorName }),
      text: body,
      kind: internal ? 'internal' : fromStaff ? 'staff' : 'message',
    }),
  )
  const changes = history.flatMap(({ version, action, at, changes: changed }): TimelineEntry[] => {
    // In a deletion and a restore every field changes, and the status does not.
    const status = action === 'update' ? changed.find(({ field }) => field === 'status') : undefined
    return status
      ? [
          {
            id: `status-${version}`,
            at,
            who: '',
            text: requestMessages.statusChanged(String(status.after)),
            kind: 'status',
          },
        ]
      : []
  })
  return [opening, ...replies, ...changes].sort((a, b) => a.at.localeCompare(b.at))
}
