import { useState, type ReactNode } from 'react'
import { useAuth } from 'react-oidc-context'
import type { Failure } from '#data/failure.ts'
import { writeMessages } from '#messages/write.ts'
import { formMessages } from '#messages/form.ts'
import { CreateRelated } from '#forms/inputs/create-related.ts'
import { LeaveQuestion } from '#forms/leave-guard.tsx'
import { RecordForm } from '#forms/record-form.tsx'
import { useRecordDraft } from '#forms/use-record-draft.tsx'
import type { FormField } from '#forms/inputs/values.ts'
import { Drawer } from '#ui/overlay/drawer.tsx'

const CLOSE = {
  title: formMessages.closeTitle,
  body: formMessages.unsavedKept,
  stay: formMessages.keepEditing,
  leave: formMessages.closeForm,
}

type Props = {
  title: string
  /** URL that its draft is stored under. */
  address: string
  /** Empty while loading, or if loading failed. */
  fields: FormField[]
  /** Makes ids unique: the page behind may have a form too. */
  idPrefix: string
  /** Display names of preset relations. */
  labels?: Record<string, string>
  saveLabel: string
  /** Shown above the form, or instead of it. */
  children?: ReactNode
  onSave: (body: Record<string, unknown>) => Promise<Failure | undefined>
  onClose: () => void
}

/** Closing it asks about unsaved changes. */
export function FormDrawer({ title, address, fields, children, onSave, onClose, ...props }: Props) {
  const sub = useAuth().user?.profile.sub ?? ''
  const unsaved = useRecordDraft({ sub, address, fields, current: null })
  const [isConfirming, setConfirming] = useState(false)
  const leave = () => (unsaved.isHeld() ? setConfirming(true) : onClose())

  async function save(body: Record<string, unknown>) {
    const failure = await onSave(body)
    if (!failure) unsaved.forget()
    return failure
  }

  return (
    <Drawer isOpen isWide title={title} onClose={leave}>
      {children}
      {fields.length > 0 && (
        // One drawer at a time: related records can't be created inside.
        <CreateRelated value={null}>
          {unsaved.note}
          <RecordForm
            key={unsaved.round}
            {...props}
            fields={fields}
            typed={unsaved.draft}
            cancel={
              <button type="button" className="btn btn-quiet btn-sm" onClick={leave}>
                {writeMessages.cancel}
              </button>
            }
            onTyped={unsaved.keep}
            onSave={save}
          />
        </CreateRelated>
      )}
      <LeaveQuestion
        isOpen={isConfirming}
        messages={CLOSE}
        onStay={() => setConfirming(false)}
        onLeave={onClose}
      />
    </Drawer>
  )
}
