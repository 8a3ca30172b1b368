import type { FileLabel } from '@gatehouse/model'
import { readFileLabels } from '#files/file-labels.ts'
import { requestMessages } from '#messages/requests.ts'
import type { Message, TicketRevision, Ticket } from '#data/tickets.ts'

export type TimelineItem = {
  id: string
  at: string
  who: string
  text: string
  kind: 'message' | 'staff' | 'internal' | 'status'
  /** The record that has the files. */
  record: string
  files: FileLabel[]
}

/** The author's name, never "You": a colleague may have written it. */
export const toAuthor = ({ fromStaff, authorName }: Pick<Message, 'fromStaff' | 'authorName'>) =>
  fromStaff ? requestMessages.us : (authorName ?? requestMessages.client)

export function toTimeline(
  ticket: Ticket,
  messages: Message[],
  history: TicketRevision[],
): TimelineItem[] {
  const opening: TimelineItem = {
    id: ticket.id,
    at: ticket.openedAt,
    who: ticket.fullName,
    text: ticket.message,
    kind: 'message',
    record: `tickets/${ticket.id}`,
    files: readFileLabels(ticket.labels, 'attachments'),
  }
  const replies = messages.map(
    ({ id, createdAt, fromStaff, authorName, body, internal, labels }): TimelineItem => ({
      id,
      at: createdAt,
      who: toAuthor({ fromStaff, authorName }),
      text: body,
      kind: internal ? 'internal' : fromStaff ? 'staff' : 'message',
      record: `messages/${id}`,
      files: readFileLabels(labels, 'attachments'),
    }),
  )
  const changes = history.flatMap(({ version, action, at, changes: changed }): TimelineItem[] => {
    // Deletion and restore list every field as changed, without a new status.
    const status = action === 'update' ? changed.find(({ field }) => field === 'status') : undefined
    return status
      ? [
          {
            id: `status-${version}`,
            at,
            who: '',
            text: requestMessages.statusChanged(String(status.after)),
            kind: 'status',
            record: `tickets/${ticket.id}`,
            files: [],
          },
        ]
      : []
  })
  return [opening, ...replies, ...changes].sort((a, b) => a.at.localeCompare(b.at))
}
