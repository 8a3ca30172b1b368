import { useAuth } from 'react-oidc-context'
import { Link, useLoaderData } from 'react-router'
import { toVisitor } from '#auth.ts'
import { formatInstant } from '#content/dates.ts'
import { EXPECTED, requestTexts as texts, toAuthor } from '#content/requests.ts'
import type { loadRequest, Message, Step, Ticket } from '#tickets.ts'
import { RequestActs } from './request-acts.tsx'
import { StatusBadge } from './status-badge.tsx'
import '#styles/desk.scss'

/** One request, for its client and for staff: what happened, and what can be done next. */
export function Request() {
  const { ticket, messages, history } = useLoaderData<Awaited<ReturnType<typeof loadRequest>>>()
  const isStaff = toVisitor(useAuth().user)?.role === 'admin'
  const expected = EXPECTED[ticket.status]
  return (
    <div className="wrap">
      <div className="page-h">
        <p className="mono muted">{texts.reference(ticket.number)}</p>
        <h1>{ticket.subject}</h1>
        <p className="turn-line">
          <StatusBadge status={ticket.status} /> {isStaff ? expected?.staff : expected?.client}
        </p>
      </div>
      <div className="contact-grid">
        <div>
          <h2 className="visually-hidden">{texts.timeline}</h2>
          <ol className="timeline">
            {toTimeline(ticket, messages, history).map((entry) => (
              <Entry key={entry.id} {...entry} />
            ))}
          </ol>
          <RequestActs key={ticket.id} ticket={ticket} isStaff={isStaff} />
        </div>
        <aside>
          <Facts ticket={ticket} isStaff={isStaff} />
        </aside>
      </div>
    </div>
  )
}

const Facts = ({ ticket, isStaff }: { ticket: Ticket; isStaff: boolean }) => (
  <ul className="aside-list">
    <li>
      <strong>{texts.opened}</strong>
      {formatInstant(ticket.openedAt)}
    </li>
    <li>
      <strong>{texts.type}</strong>
      {ticket.contactType}
    </li>
    {ticket.dueAt && (
      <li>
        <strong>{texts.due}</strong>
        {formatInstant(ticket.dueAt)}
      </li>
    )}
    {ticket.callbackAt && (
      <li>
        <strong>{texts.callback}</strong>
        {formatInstant(ticket.callbackAt)}
      </li>
    )}
    {isStaff && (
      <li>
        <Link to={`/tickets/${ticket.id}`}>{texts.record}</Link>
      </li>
    )}
  </ul>
)

type TimelineEntry = {
  id: string
  at: string
  who: string
  text: string
  kind: 'message' | 'staff' | 'internal' | 'status'
}

/** The opening, replies, notes and status changes, in the order of time. */
function toTimeline(ticket: Ticket, messages: Message[], history: Step[]): TimelineEntry[] {
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
  const changes = history.flatMap(({ version, at, changes: changed }): TimelineEntry[] => {
    const status = version > 1 ? changed.find(({ field }) => field === 'status') : undefined
    return status
      ? [
          {
            id: `status-${version}`,
            at,
            who: '',
            text: texts.statusChanged(String(status.after)),
            kind: 'status',
          },
        ]
      : []
  })
  return [opening, ...replies, ...changes].sort((a, b) => a.at.localeCompare(b.at))
}

const Entry = ({ at, who, text, kind }: TimelineEntry) => (
  <li className={kind}>
    <p className="meta">
      {who && <strong>{who}</strong>}
      {kind === 'internal' && <span className="sample">{texts.internal}</span>}
      <time className="muted" dateTime={at}>
        {formatInstant(at)}
      </time>
    </p>
    <p className="body">{text}</p>
  </li>
)
