import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { hasPrivacyControl, stopAsking, storeChoice, type Choice } from '#consent.ts'
import { consentToasts, cookieTexts } from '#content/cookies.ts'
import { consent } from '#content/site.ts'
import { showToast } from '#feedback/toasts.tsx'

/** The question itself: fetched when it is asked, which is once per tab. */
export function CookieQuestion({ wantsFocus }: { wantsFocus: boolean }) {
  const isControlled = hasPrivacyControl()
  // The switch shows what "Accept All" would mean. It is no consent: pressing the button is.
  const [isOn, setOn] = useState(consent.analyticsDefault === 'on' && !isControlled)
  const dialog = useFocusWhile(wantsFocus)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') stopAsking()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const choose = (choice: Choice) => {
    void storeChoice(choice, isOn, cookieTexts)
    showToast(consentToasts[choice])
  }
  return (
    <section
      className="cookie"
      role="dialog"
      aria-labelledby="cookie-title"
      aria-modal="false"
      tabIndex={-1}
      ref={dialog}
    >
      <h2 id="cookie-title">{cookieTexts.title}</h2>
      <p>
        {cookieTexts.lead} <Link to="/privacy#cookies">{cookieTexts.read}</Link>
      </p>
      <div className="opt">
        <label htmlFor="cookie-essential">
          <strong>{cookieTexts.essential}</strong>
          <span>{cookieTexts.essentialHelp}</span>
        </label>
        <input
          className="switch"
          id="cookie-essential"
          type="checkbox"
          role="switch"
          checked
          aria-checked
          disabled
          readOnly
        />
      </div>
      <div className="opt">
        <label htmlFor="cookie-analytics">
          <strong>{cookieTexts.analytics}</strong>
          <span>{isControlled ? cookieTexts.privacyControl : cookieTexts.analyticsHelp}</span>
        </label>
        <input
          className="switch"
          id="cookie-analytics"
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-checked={isOn}
          onChange={(event) => setOn(event.target.checked)}
        />
      </div>
      <div className="acts">
        <button type="button" className="btn btn-secondary" onClick={() => choose('essential')}>
          {cookieTexts.essentialOnly}
        </button>
        <button type="button" className="btn btn-secondary" onClick={() => choose('all')}>
          {cookieTexts.acceptAll}
        </button>
      </div>
    </section>
  )
}

/** Whoever asked for the dialog is taken there, and back to where they were. Whoever did not is left alone. */
function useFocusWhile(wantsFocus: boolean) {
  const dialog = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!wantsFocus) return
    const before = document.activeElement
    dialog.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [wantsFocus])
  return dialog
}
