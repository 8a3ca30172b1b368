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

/** The dialog itself, lazy-loaded. */
export function CookieQuestion({ wantsFocus }: { wantsFocus: boolean }) {
  // The current choice, or the default. Only a button press is consent.
  const [isOn, setOn] = useState(startsOn)
  const dialog = useFocusWhile(wantsFocus)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Escape belongs to a dialog above.
      if (event.key === 'Escape' && !document.querySelector('dialog[open]')) stopAsking()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  // Two presses in one tick come before it unmounts: one answer.
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

/** Anonymous proof of consent on the server. Fire and forget: a failure is not the visitor's concern. */
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

/** Explains the buttons while the switch is off. */
const helpWhileOff = () =>
  hasPrivacyControl() ? cookieMessages.privacyControl : cookieMessages.analyticsOff

/** Moves the focus in and back, only if the user opened the dialog. */
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
