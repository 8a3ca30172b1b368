import { useEffect, useState } from 'react'
import type { Failure } from '#data/failure.ts'
import { specifiedMessages } from '#messages/specified.ts'
import { prepareInputs } from '#forms/inputs/record-inputs.tsx'
import { LeaveGuard } from '#forms/leave-guard.tsx'
import { Busy } from '#ui/status-screen.tsx'
import { FormDrawer } from './form-drawer.tsx'
import type { ModelAction } from './model-actions.ts'

export type ActionDrawerProps = {
  action: ModelAction
  /** URL that its draft is stored under. */
  address: string
  /** Resolves to the failure, or undefined on success. */
  onSend: (body: Record<string, unknown>) => Promise<Failure | undefined>
  onClose: () => void
}

/** After a failure it remains open with its input. */
export function ActionDrawer({ action, address, onSend, onClose }: ActionDrawerProps) {
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    void prepareInputs(action.fields).then(() => setReady(true))
  }, [action])

  async function send(body: Record<string, unknown>) {
    const failure = await onSend(body)
    if (!failure) onClose()
    return failure
  }

  return (
    <FormDrawer
      title={action.label}
      address={address}
      fields={isReady ? action.fields : []}
      idPrefix="action"
      saveLabel={action.label}
      onSave={send}
      onClose={onClose}
    >
      <LeaveGuard />
      {!isReady && <Busy text={specifiedMessages.loadingRoute} />}
      {action.confirm && <p>{action.confirm}</p>}
    </FormDrawer>
  )
}
