import { Link, useLoaderData } from 'react-router'
import { formatInstant } from '#content/dates.ts'
import { EXPECTED, requestTexts as texts } from '#content/requests.ts'
import type { loadRequests, Message, Ticket } from '#tickets.ts'
import { StatusBadge } from './status-badge.tsx'
import '#styles/desk.scss'

const OVER = ['Resolved', 'Closed']

/** What a client wrote, and whose turn it is. */
export function Requests() {
  const { tickets, messages } = useLoaderData<Awaited<ReturnType<typeof loadRequests>>>()
  const open = tickets.filter(({ status }) => !OVER.includes(status))
  const done = tickets.filter(({ status }) => OVER.includes(status))
  return (
    <div className="wrap">
      <div className="page-h notice-h">
        <div>
          <h1>{texts.title}</h1>
          <p className="lead">{texts.lead}</p>
        </div>
        <Link className="btn btn-primary" to="/contact">
          {texts.create}
        </Link>
      </div>
      {tickets.length === 0 && (
        <div className="empty">
          <p>
            <strong>{texts.empty}</strong>
          </p>
          <p>{texts.emptyNext}</p>
        </div>
      )}
      <Group title={texts.open} tickets={open} messages={messages} />
      <Group title={texts.done} tickets={done} messages={messages} />
    </div>
  )
}

function Group(props: { title: string; tickets: Ticket[]; messages: Message[] }) {
  if (props.tickets.length === 0) return null
  return (
    <section className="requests">
      <h2>
        {props.title} <span className="muted num">{props.tickets.length}</span>
      </h2>
      <ul>
        {props.tickets.map((ticket) => (
          <Row
            key={ticket.id}
            ticket={ticket}
            last={props.messages.find((message) => message.ticket === ticket.id)}
          />
        ))}
      </ul>
    </section>
  )
}

const Row = ({ ticket, last }: { ticket: Ticket; last: Message | undefined }) => (
  <li>
    <div>
      <h3>
        <Link to={`/requests/${ticket.id}`}>{ticket.subject}</Link>
      </h3>
      <p className="muted">
        <span className="mono">{texts.reference(ticket.number)}</span> · {texts.opened}{' '}
        <time dateTime={ticket.openedAt}>{formatInstant(ticket.openedAt)}</time>
      </p>
      {last && (
        <p className="last">
          <strong>{last.fromStaff ? texts.us : texts.you}</strong> {firstLine(last.body)}{' '}
          <time className="muted" dateTime={last.createdAt}>
            {formatInstant(last.createdAt)}
          </time>
        </p>
      )}
    </div>
    <div className="turn">
      <StatusBadge status={ticket.status} />
      <p className="muted">{EXPECTED[ticket.status]?.client}</p>
    </div>
  </li>
)

const LINE_LENGTH = 120

function firstLine(text: string) {
  const [line = ''] = text.split('\n')
  return line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line
}
