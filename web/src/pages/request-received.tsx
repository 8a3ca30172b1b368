import { Link } from 'react-router'
import { privacyTexts } from '#content/privacy.ts'
import { texts } from '#content/texts.ts'

/** Where a privacy request that was sent without scripts ends: the same page for everybody, the reference is in the email. */
export const RequestReceived = () => (
  <div className="wrap">
    <div className="page-h">
      <h1>{texts.requestReceived}</h1>
      <p className="lead">{privacyTexts.receivedPage}</p>
      <div className="acts">
        <Link className="btn btn-secondary" to="/privacy">
          {texts.privacyNotice}
        </Link>
      </div>
    </div>
  </div>
)
