import { useRef, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { formatInstant } from '#base/dates.ts'
import { mailMessages } from '#messages/mails.ts'
import { siteMessages } from '#messages/site.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { useMutate } from '#data/use-mutate.ts'
import { codeLabel, kindLabel, loadMails, type Mail, type MailPage } from './mails.ts'
import { BusyButton } from '#ui/busy-button.tsx'
import { Icon } from '#ui/icon.tsx'

/** `first` is null if loading failed. */
export function UndeliveredMails({ first }: { first: MailPage | null }) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <section aria-labelledby="undelivered">
      <h2 id="undelivered" ref={heading} tabIndex={-1}>
        {mailMessages.title}
      </h2>
      {first ? <Mails first={first} onQueued={() => heading.current?.focus()} /> : <Failed />}
    </section>
  )
}

function Failed() {
  const { state, revalidate } = useRevalidator()
  return (
    <div className="note danger" role="alert">
      <Icon name="exclamation-triangle-fill" />
      <div>
        <p>{mailMessages.failed}</p>
        <button
          type="button"
          className="btn btn-secondary btn-sm"
          disabled={state === 'loading'}
          onClick={() => void revalidate()}
        >
          {siteMessages.tryAgain}
        </button>
      </div>
    </div>
  )
}

function Mails({ first, onQueued }: { first: MailPage; onQueued: () => void }) {
  const { revalidate } = useRevalidator()
  const [later, setLater] = useState<MailPage | null>(null)
  const [loading, setLoading] = useState<'idle' | 'busy' | 'failed'>('idle')
  const next = (later ?? first).next
  // When one leaves the first page, the next page shifts: dedupe.
  const shown = uniqueMails([...first.items, ...(later?.items ?? [])])

  const loadMore = async () => {
    setLoading('busy')
    const page = await loadMails(next)
    setLoading(page ? 'idle' : 'failed')
    if (page) setLater({ items: [...(later?.items ?? []), ...page.items], next: page.next })
  }

  const leave = (id: string) => {
    if (later) setLater({ ...later, items: later.items.filter((mail) => mail.id !== id) })
    void revalidate()
    onQueued()
  }

  if (shown.length === 0) return <p className="muted">{mailMessages.empty}</p>
  return (
    <>
      <p className="muted">{mailMessages.lead}</p>
      <ul className="queue">
        {shown.map((mail) => (
          <Row key={mail.id} mail={mail} onQueued={() => leave(mail.id)} />
        ))}
      </ul>
      {next && (
        <p className="load-more">
          <button
            type="button"
            className="btn btn-secondary btn-sm"
            disabled={loading === 'busy'}
            onClick={() => void loadMore()}
          >
            {loading === 'busy' ? specifiedMessages.loading : mailMessages.more}
          </button>{' '}
          <span role="status">{loading === 'failed' && mailMessages.moreFailed}</span>
        </p>
      )}
    </>
  )
}

const uniqueMails = (mails: Mail[]) => [...new Map(mails.map((mail) => [mail.id, mail])).values()]

function Row({ mail, onQueued }: { mail: Mail; onQueued: () => void }) {
  const { send, pending } = useMutate()
  const { id, kind, record, code, failedAt, canRetry } = mail
  const reference = record?.reference ?? mailMessages.noRecord

  const retry = () =>
    send(
      {
        path: `system/mails/${id}/retry`,
        done: () => mailMessages.queued,
        failed: ({ text }) => `${mailMessages.notQueued} ${text}`,
      },
      { onSaved: onQueued },
    )

  return (
    <li>
      <span>
        {kindLabel(kind)},{' '}
        {record ? <Link to={`/${record.model}/${record.id}`}>{reference}</Link> : reference}
      </span>
      <span className="muted">
        {codeLabel(code)}
        {failedAt && (
          <>
            {' · '}
            <time dateTime={failedAt}>{formatInstant(failedAt)}</time>
          </>
        )}
      </span>
      {canRetry ? (
        <span className="acts">
          <BusyButton
            className="btn btn-secondary btn-sm"
            isBusy={pending.size > 0}
            label={mailMessages.retryLabel(`${kindLabel(kind)}, ${reference}`)}
            onClick={retry}
          >
            {mailMessages.retry}
          </BusyButton>
        </span>
      ) : (
        <span className="muted">{mailMessages.addressGone}</span>
      )}
    </li>
  )
}
