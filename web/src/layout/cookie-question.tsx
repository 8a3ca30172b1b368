import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { hasPrivacyControl, readChoice, stopAsking, storeChoice, type Choice } from './consent.ts'
import { consentToasts, cookieTexts } from '#messages/cookies.ts'
import { consent } from '#base/site.ts'
import { showToast } from '#feedback/toasts.tsx'

/** The question itself: fetched when it is asked, which is once per tab. */
export function CookieQuestion({ wantsFocus }: { wantsFocus: boolean }) {
  // What is in force, or the default where nobody has chosen. It is no consent: pressing a button is.
  const [isOn, setOn] = useState(startsOn)
  const dialog = useFocusWhile(wantsFocus)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A dialog above it is what Esc is meant for.
      if (event.key === 'Escape' && !document.querySelector('[aria-modal="true"]')) stopAsking()
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
          <span>{isOn ? cookieTexts.analyticsHelp : helpWhileOff()}</span>
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

function startsOn() {
  const choice = readChoice()
  return choice ? choice === 'all' : consent.analyticsDefault === 'on' && !hasPrivacyControl()
}

/** The switch is no button: whoever turns it off reads what each of them does. */
const helpWhileOff = () =>
  hasPrivacyControl() ? cookieTexts.privacyControl : cookieTexts.analyticsOff

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
