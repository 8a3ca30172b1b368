import { useState } from 'react'
import { Link, useLoaderData } from 'react-router'
import { formatInstant } from '#base/dates.ts'
import { formatCount } from '#base/format.ts'
import { requestMessages } from '#messages/requests.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { showToast } from '#feedback/toasts.tsx'
import {
  loadGroup,
  type GroupName,
  type Message,
  type RequestGroup,
  type Ticket,
} from '#data/tickets.ts'
import type { loadRequests } from '#data/tickets.ts'
import { toAuthor } from './request-timeline.ts'
import { StatusBadge } from './status-badge.tsx'
import '#styles/portal.scss'

export function Requests() {
  const { isStaff, open, closed } = useLoaderData<Awaited<ReturnType<typeof loadRequests>>>()
  const isEmpty = open.items.length + closed.items.length === 0
  return (
    <div className="wrap">
      <div className="page-h notice-h">
        <div>
          <h1>{isStaff ? siteMessages.staffRequests : siteMessages.requests}</h1>
          <p className="lead">{isStaff ? requestMessages.staffLead : requestMessages.lead}</p>
        </div>
        <Link className="btn btn-primary" to="/contact">
          {requestMessages.create}
        </Link>
      </div>
      {isEmpty && (
        <div className="empty">
          <p>
            <strong>{specifiedPageMessages.noData}</strong>
          </p>
          <p>{isStaff ? requestMessages.staffEmptyNext : requestMessages.emptyNext}</p>
        </div>
      )}
      <Group key={`open ${keyOf(open)}`} name="open" first={open} isStaff={isStaff} />
      <Group key={`closed ${keyOf(closed)}`} name="closed" first={closed} isStaff={isStaff} />
    </div>
  )
}

/** Key of the loaded first page: a new one discards the pages after it. */
const keyOf = ({ items, next }: RequestGroup) => `${items[0]?.id} ${next}`

function Group(props: { name: GroupName; first: RequestGroup; isStaff: boolean }) {
  const [pages, setPages] = useState([props.first])
  const [isLoading, setIsLoading] = useState(false)
  const next = pages.at(-1)?.next ?? null

  const showMore = async () => {
    setIsLoading(true)
    const page = await loadGroup(props.name, next).catch(() => null)
    if (page) setPages([...pages, page])
    else showToast({ message: requestMessages.moreFailed, type: 'danger' })
    setIsLoading(false)
  }

  if (props.first.items.length === 0) return null
  return (
    <section className="requests">
      <h2>
        {requestMessages[props.name]} <span className="muted num">{toCount(props.first)}</span>
      </h2>
      <ul>
        {pages.flatMap(({ items, latest }) =>
          items.map((ticket) => (
            <Row
              key={ticket.id}
              ticket={ticket}
              last={latest.find((message) => message.ticket === ticket.id)}
              isStaff={props.isStaff}
            />
          )),
        )}
      </ul>
      {next && (
        <button
          type="button"
          className="btn btn-secondary load-more"
          disabled={isLoading}
          onClick={() => void showMore()}
        >
          {isLoading ? requestMessages.loading : requestMessages.more}
          <span className="visually-hidden"> {requestMessages[props.name]}</span>
        </button>
      )}
    </section>
  )
}

const toCount = ({ items, total }: RequestGroup) =>
  total ? formatCount(total.count, total.exact) : items.length

type RowProps = { ticket: Ticket; last: Message | undefined; isStaff: boolean }

const Row = ({ ticket, last, isStaff }: RowProps) => (
  <li>
    <div>
      <h3>
        <Link to={`/requests/${ticket.id}`}>{ticket.subject}</Link>
      </h3>
      <p className="muted">
        <span className="mono">{requestMessages.reference(ticket.number)}</span> ·{' '}
        {requestMessages.opened}{' '}
        <time dateTime={ticket.openedAt}>{formatInstant(ticket.openedAt)}</time>
      </p>
      {last && (
        <p className="last">
          <strong>{toAuthor(last)}</strong> {firstLine(last.body)}{' '}
          <time className="muted" dateTime={last.createdAt}>
            {formatInstant(last.createdAt)}
          </time>
        </p>
      )}
    </div>
    <div className="turn">
      <StatusBadge status={ticket.status} />
      <p className="muted">
        {requestMessages.expected[ticket.status]?.[isStaff ? 'staff' : 'client']}
      </p>
    </div>
  </li>
)

const LINE_LENGTH = 120

function firstLine(text: string) {
  const [line = ''] = text.split('\n')
  return line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line
}
