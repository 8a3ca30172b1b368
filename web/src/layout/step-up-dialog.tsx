import { useRef, useState } from 'react'
import { confirmIdentity, type StepUpChallenge } from '#auth/challenge.ts'
import { stepUpMessages } from '#messages/step-up.ts'
import { CloseButton, Dialog } from '#ui/overlay/dialog.tsx'

type Pending = { asked: StepUpChallenge; settle: (isDone: boolean) => void }

/** Opens above any other dialog, which keeps its content. */
export function StepUpDialog({ pending }: { pending: Pending | null }) {
  const [state, setState] = useState<'asking' | 'waiting' | 'failed'>('asking')
  const [shown, setShown] = useState(pending)
  const attempt = useRef<AbortController>(null)
  // Keeps the content while the dialog fades out.
  if (pending && pending !== shown) {
    setShown(pending)
    setState('asking')
  }

  const cancel = () => {
    attempt.current?.abort()
    pending?.settle(false)
  }
  async function confirm() {
    if (!pending) return
    attempt.current?.abort()
    const own = new AbortController()
    attempt.current = own
    setState('waiting')
    const isDone = await confirmIdentity(pending.asked, own.signal).catch(() => false)
    if (own.signal.aborted) return
    if (isDone) pending.settle(true)
    else setState('failed')
  }
  const isWaiting = state === 'waiting'
  return (
    <Dialog className="modal" titleId="step-up-title" isOpen={pending !== null} onClose={cancel}>
      <div className="modal-dialog">
        <div className="modal-header">
          <h2 id="step-up-title">{stepUpMessages.title}</h2>
          <CloseButton onClose={cancel} />
        </div>
        <div className="modal-body">
          <p>{shown?.asked.maxAge === null ? stepUpMessages.factor : stepUpMessages.fresh}</p>
          <p>{stepUpMessages.window}</p>
          <p role="status">
            {isWaiting && stepUpMessages.waiting}
            {state === 'failed' && stepUpMessages.failed}
          </p>
        </div>
        <div className="modal-footer">
          <button type="button" className="btn btn-secondary" onClick={cancel}>
            {stepUpMessages.cancel}
          </button>
          <button type="button" className="btn btn-primary" onClick={() => void confirm()}>
            {isWaiting ? stepUpMessages.openAgain : stepUpMessages.confirm}
          </button>
        </div>
      </div>
    </Dialog>
  )
}
