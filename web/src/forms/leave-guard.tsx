import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { formMessages } from '#messages/form.ts'
import { Modal } from '#ui/overlay/modal.tsx'

/** Asks before a page with unsaved changes is left: `hold` says whether there are any. */
export function useLeaveGuard() {
  const isHeld = useRef(false)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isHeld.current && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isHeld.current) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  const hold = (isOn: boolean) => {
    isHeld.current = isOn
  }
  const stay = () => blocker.reset?.()
  const element = (
    <LeaveQuestion
      isOpen={blocker.state === 'blocked'}
      words={LEAVE}
      onStay={stay}
      onLeave={() => blocker.proceed?.()}
    />
  )
  return { hold, element }
}

type Words = { title: string; body: string; stay: string; leave: string }

const LEAVE: Words = {
  title: formMessages.leaveTitle,
  body: formMessages.leaveBody,
  stay: formMessages.stay,
  leave: formMessages.leave,
}

export function LeaveQuestion(props: {
  isOpen: boolean
  words: Words
  onStay: () => void
  onLeave: () => void
}) {
  const { isOpen, words, onStay, onLeave } = props
  return (
    <Modal
      isOpen={isOpen}
      title={words.title}
      size="md"
      onClose={onStay}
      footer={
        <>
          <button type="button" className="btn btn-secondary" onClick={onLeave}>
            {words.leave}
          </button>
          <button type="button" className="btn btn-primary" onClick={onStay}>
            {words.stay}
          </button>
        </>
      }
    >
      <p>{words.body}</p>
    </Modal>
  )
}
