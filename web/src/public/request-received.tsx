import { Link, useLoaderData } from 'react-router'
import { privacyMessages, receivedText, type Received } from '#messages/privacy.ts'
import { siteMessages } from '#messages/site.ts'

/** Where a privacy request that was sent without scripts ends: with its reference, unless the server could not make the page. */
export function RequestReceived() {
  const received = useLoaderData<Received | undefined>()
  return (
    <div className="wrap">
      <div className="page-h">
        <h1>{siteMessages.requestReceived}</h1>
        <p className="lead">{received ? receivedText(received) : privacyMessages.receivedPage}</p>
        <div className="acts">
          <Link className="btn btn-secondary" to="/privacy">
            {siteMessages.privacyNotice}
          </Link>
        </div>
      </div>
    </div>
  )
}
