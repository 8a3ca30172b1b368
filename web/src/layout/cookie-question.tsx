import { cookieMessages } from '#messages/cookies.ts'
import { specifiedCookieMessages } from '#messages/specified-cookies.ts'
import { hashOf } from '#base/hash.ts'
import { analytics, consent, noticeVersion } from '#base/site.ts'

const specified = specifiedCookieMessages

/** Identifies the texts shown, for the proof of consent. */
export const hashOfQuestion = () => hashOf(JSON.stringify({ ...specified, ...cookieMessages }))

/** Rendered at build time into a <template>: boot/consent.ts shows a copy. Only a click on a button is consent. */
export const CookieQuestion = ({ hash }: { hash: string }) => (
  <section
    className="cookie"
    role="dialog"
    aria-labelledby="cookie-title"
    aria-modal="false"
    tabIndex={-1}
    data-version={noticeVersion}
    data-hash={hash}
    data-prompt={consent.dialog === 'when-needed' && !analytics.enabled ? 'never' : undefined}
    data-keep={consent.keep === 'browser' ? 'browser' : undefined}
  >
    <h2 id="cookie-title">{specified.title}</h2>
    <p>
      {cookieMessages.lead} <a href="/privacy#cookies">{cookieMessages.read}</a>
    </p>
    <div className="opt">
      <label htmlFor="cookie-essential">
        <strong>{specified.essential}</strong>
        <span>{cookieMessages.essentialHelp}</span>
      </label>
      <input
        className="switch"
        id="cookie-essential"
        type="checkbox"
        role="switch"
        defaultChecked
        aria-checked
        disabled
      />
    </div>
    <div className="opt">
      <label htmlFor="cookie-analytics">
        <strong>{specified.analytics}</strong>
        <span
          id="cookie-help"
          data-on={cookieMessages.analyticsHelp}
          data-off={cookieMessages.analyticsOff}
          data-control={cookieMessages.privacyControl}
        />
      </label>
      <input
        className="switch"
        id="cookie-analytics"
        type="checkbox"
        role="switch"
        defaultChecked={consent.analyticsDefault === 'on'}
        aria-checked={consent.analyticsDefault === 'on'}
      />
    </div>
    <div className="acts">
      <button type="button" className="btn btn-secondary" data-choice="essential">
        {specified.essentialOnly}
      </button>
      <button type="button" className="btn btn-secondary" data-choice="all">
        {specified.acceptAll}
      </button>
    </div>
  </section>
)
