import { useEffect, useState } from 'react'
import { useBlocker } from 'react-router'
import { formMessages } from '#messages/form.ts'
import { Modal } from '#ui/overlay/modal.tsx'

/** Forms with unsaved changes. A drawer and its page share one guard: the router supports one blocker at a time. */
const unsavedForms = new Set<object>()

export function useLeaveGuard() {
  const [holder] = useState({})
  useEffect(() => () => void unsavedForms.delete(holder), [holder])
  return {
    hold: (isOn: boolean) => void (isOn ? unsavedForms.add(holder) : unsavedForms.delete(holder)),
    isHeld: () => unsavedForms.has(holder),
  }
}

export function LeaveGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsavedForms.size > 0 && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    const preventUnload = (event: BeforeUnloadEvent) => {
      if (unsavedForms.size > 0) event.preventDefault()
    }
    window.addEventListener('beforeunload', preventUnload)
    return () => window.removeEventListener('beforeunload', preventUnload)
  }, [])
  return (
    <LeaveQuestion
      isOpen={blocker.state === 'blocked'}
      messages={LEAVE}
      onStay={() => blocker.reset?.()}
      onLeave={() => blocker.proceed?.()}
    />
  )
}

type Messages = { title: string; body: string; stay: string; leave: string }

const LEAVE: Messages = {
  title: formMessages.leaveTitle,
  body: formMessages.unsavedKept,
  stay: formMessages.stay,
  leave: formMessages.leave,
}

export function LeaveQuestion(props: {
  isOpen: boolean
  messages: Messages
  onStay: () => void
  onLeave: () => void
}) {
  const { isOpen, messages, onStay, onLeave } = props
  return (
    <Modal
      isOpen={isOpen}
      title={messages.title}
      size="md"
      onClose={onStay}
      footer={
        <>
          <button type="button" className="btn btn-secondary" onClick={onLeave}>
            {messages.leave}
          </button>
          <button type="button" className="btn btn-primary" onClick={onStay}>
            {messages.stay}
          </button>
        </>
      }
    >
      <p>{messages.body}</p>
    </Modal>
  )
}
