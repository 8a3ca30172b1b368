import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { hasPrivacyControl, readChoice, stopAsking, storeChoice, type Choice } from './consent.ts'
import { cookieMessages } from '#messages/cookies.ts'
import { specifiedCookieMessages } from '#messages/specified-cookies.ts'
import { hashOf } from '#base/hash.ts'
import { consent, noticeVersion } from '#base/site.ts'
import { mutate } from '#data/mutate.ts'
import { showToast } from '#feedback/toasts.tsx'

const specified = specifiedCookieMessages

/** The question itself: fetched when it is asked, which is once per tab. */
export function CookieQuestion({ wantsFocus }: { wantsFocus: boolean }) {
  // What is in force, or the default where nobody has chosen. It is no consent: pressing a button is.
  const [isOn, setOn] = useState(startsOn)
  const dialog = useFocusWhile(wantsFocus)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A dialog above it is what Esc is meant for.
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) stopAsking()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  // Two presses in one tick come before the question is gone: they are one answer.
  const isAnswered = useRef(false)
  const choose = (choice: Choice) => {
    if (isAnswered.current) return
    isAnswered.current = true
    storeChoice(choice)
    void keepProof(choice, isOn)
    showToast({ message: specified.accepted[choice], type: choice === 'all' ? 'success' : 'info' })
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
      <h2 id="cookie-title">{specified.title}</h2>
      <p>
        {cookieMessages.lead} <Link to="/privacy#cookies">{cookieMessages.read}</Link>
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
          checked
          aria-checked
          disabled
          readOnly
        />
      </div>
      <div className="opt">
        <label htmlFor="cookie-analytics">
          <strong>{specified.analytics}</strong>
          <span>{isOn ? cookieMessages.analyticsHelp : helpWhileOff()}</span>
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
          {specified.essentialOnly}
        </button>
        <button type="button" className="btn btn-secondary" onClick={() => choose('all')}>
          {specified.acceptAll}
        </button>
      </div>
    </section>
  )
}

/**
 * Proof of the answer on the server, without anything about who gave it. It is the firm's duty, not the visitor's: nothing
 * waits for it, and a failure is not theirs to read about.
 */
const keepProof = async (choice: Choice, isSwitchOn: boolean) =>
  mutate({
    path: 'privacy/choices',
    isAnonymous: true,
    body: {
      choiceId: crypto.randomUUID(),
      choice,
      switchState: isSwitchOn,
      gpc: hasPrivacyControl(),
      noticeVersion,
      dialogHash: await hashOf(JSON.stringify({ ...specified, ...cookieMessages })),
    },
  })

function startsOn() {
  const choice = readChoice()
  return choice ? choice === 'all' : consent.analyticsDefault === 'on' && !hasPrivacyControl()
}

/** The switch is no button: anyone who turns it off reads what each of them does. */
const helpWhileOff = () =>
  hasPrivacyControl() ? cookieMessages.privacyControl : cookieMessages.analyticsOff

/** Anyone who asked for the dialog is taken there, and back to where they were. Anyone who did not is left alone. */
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
