import { useRef, useState, type ReactNode } from 'react'
import type { Failure } from '#data/client.ts'
import { writeMessages } from '#messages/write.ts'
import { formMessages } from '#messages/form.ts'
import { CreateRelated } from '#forms/inputs/create-related.ts'
import { LeaveQuestion } from '#forms/leave-guard.tsx'
import { RecordForm } from '#forms/record-form.tsx'
import type { FormField } from '#forms/inputs/values.ts'
import { Drawer } from '#ui/overlay/drawer.tsx'

const DISCARD = {
  title: formMessages.discardTitle,
  body: formMessages.discardBody,
  stay: formMessages.keepTyping,
  leave: formMessages.discardClose,
}

type Props = {
  title: string
  /** None as long as they are on their way, or can't be had. */
  fields: FormField[]
  /** The page behind it may have a form too: their fields are told apart. */
  idPrefix: string
  saveLabel: string
  /** What stands above the form, or in its place. */
  children?: ReactNode
  onSave: (body: Record<string, unknown>) => Promise<Failure | undefined>
  onClose: () => void
}

/** A form beside the page it belongs to. Anyone who has typed something is asked before it closes. */
export function FormDrawer({ title, fields, idPrefix, saveLabel, children, ...props }: Props) {
  const { onSave, onClose } = props
  // Not a state: Escape may come before the next rendering.
  const isTyped = useRef(false)
  const [isAsking, setAsking] = useState(false)
  const leave = () => (isTyped.current ? setAsking(true) : onClose())
  return (
    <Drawer isOpen isWide title={title} onClose={leave}>
      {children}
      {fields.length > 0 && (
        // One drawer at a time: its own relations are chosen, not made.
        <CreateRelated value={null}>
          <RecordForm
            fields={fields}
            idPrefix={idPrefix}
            saveLabel={saveLabel}
            cancel={
              <button type="button" className="btn btn-quiet btn-sm" onClick={leave}>
                {writeMessages.cancel}
              </button>
            }
            onTyped={(typed) => {
              isTyped.current = typed !== null
            }}
            onSave={onSave}
          />
        </CreateRelated>
      )}
      <LeaveQuestion
        isOpen={isAsking}
        words={DISCARD}
        onStay={() => setAsking(false)}
        onLeave={onClose}
      />
    </Drawer>
  )
}
