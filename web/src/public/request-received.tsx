import { Link, useLoaderData } from 'react-router'
import { formatDay } from '#base/dates.ts'
import { privacyMessages } from '#messages/privacy.ts'
import { siteMessages } from '#messages/site.ts'

/** Confirmation of a privacy request sent without scripts; without its reference if the server failed to render the page. */
export function RequestReceived() {
  const received = useLoaderData<Received | undefined>()
  return (
    <div className="wrap">
      <div className="page-h">
        <h1>{siteMessages.requestReceived}</h1>
        <p className="lead">
          {received ? receivedMessage(received) : privacyMessages.receivedPage}
        </p>
        <div className="acts">
          <Link className="btn btn-secondary" to="/privacy">
            {siteMessages.privacyNotice}
          </Link>
        </div>
      </div>
    </div>
  )
}

export type Received = { reference: string; dueOn: string; isEmailed: boolean }

/** Mentions an email only if one was queued. */
export function receivedMessage({ reference, dueOn, isEmailed }: Received) {
  const day = formatDay(dueOn)
  return isEmailed
    ? privacyMessages.receivedNextEmailed(reference, day)
    : privacyMessages.receivedNext(reference, day)
}
