import { Link, useLoaderData } from 'react-router'
import { formatInstant } from '#base/dates.ts'
import { site } from '#base/site.ts'
import { requestMessages } from '#messages/requests.ts'
import { FileList } from '#files/file-list.tsx'
import type { loadRequest, Ticket } from '#data/tickets.ts'
import { PhoneLink } from '#ui/contact-lines.tsx'
import { RequestActions } from './request-actions.tsx'
import { toTimeline, type TimelineItem } from './request-timeline.ts'
import { StatusBadge } from './status-badge.tsx'
import '#styles/portal.scss'

export function RequestPage() {
  const { ticket, messages, history, isStaff, sub } =
    useLoaderData<Awaited<ReturnType<typeof loadRequest>>>()
  const expected = requestMessages.expected[ticket.status]
  return (
    <div className="wrap">
      <title>{`${ticket.subject} · ${site.name}`}</title>
      <div className="page-h">
        <p className="mono muted">{requestMessages.reference(ticket.number)}</p>
        <h1>{ticket.subject}</h1>
        <p className="turn-line">
          <StatusBadge status={ticket.status} /> {isStaff ? expected?.staff : expected?.client}
        </p>
      </div>
      <div className="contact-grid">
        <div>
          <h2 className="visually-hidden">{requestMessages.timeline}</h2>
          <ol className="timeline">
            {toTimeline(ticket, messages, history).map((entry) => (
              <Entry key={entry.id} {...entry} />
            ))}
          </ol>
          <RequestActions key={ticket.id} ticket={ticket} isStaff={isStaff} sub={sub} />
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
      <strong>{requestMessages.opened}</strong>
      {formatInstant(ticket.openedAt)}
    </li>
    <li>
      <strong>{requestMessages.type}</strong>
      {ticket.contactType}
    </li>
    {ticket.dueAt && (
      <li>
        <strong>{requestMessages.due}</strong>
        {formatInstant(ticket.dueAt)}
      </li>
    )}
    {ticket.phone && (
      <li>
        <strong>{requestMessages.phone}</strong>
        <PhoneLink phone={ticket.phone} />
      </li>
    )}
    {ticket.callbackWish && (
      <li>
        <strong>{requestMessages.callbackWish}</strong>
        {ticket.callbackWish}
      </li>
    )}
    {ticket.callbackAt && (
      <li>
        <strong>{requestMessages.callback}</strong>
        {formatInstant(ticket.callbackAt)}
      </li>
    )}
    {isStaff && (
      <li>
        <Link to={`/tickets/${ticket.id}`}>{requestMessages.record}</Link>
      </li>
    )}
  </ul>
)

const Entry = ({ at, who, text, kind, record, files }: TimelineItem) => (
  <li className={kind}>
    <p className="meta">
      {who && <strong>{who}</strong>}
      {kind === 'internal' && <span className="note-mark">{requestMessages.internal}</span>}
      <time className="muted" dateTime={at}>
        {formatInstant(at)}
      </time>
    </p>
    <p className="body">{text}</p>
    {files.length > 0 && (
      <FileList
        record={record}
        label={requestMessages.filesOf(who, formatInstant(at))}
        files={files}
      />
    )}
  </li>
)
