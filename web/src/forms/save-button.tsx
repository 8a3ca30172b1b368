import { formMessages } from '#messages/form.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { SplitButton } from '#ui/overlay/split-button.tsx'

export type AfterSave = 'leave' | 'stay' | 'new'

type Props = {
  label: string
  afterSave: { after: AfterSave; label: string }[]
  isSaving: boolean
  onSave: (after: AfterSave) => void
}

export function SaveButton({ label, afterSave, isSaving, onSave }: Props) {
  const button = (
    <button type="submit" className="btn btn-primary btn-sm" disabled={isSaving}>
      {isSaving ? (
        <>
          <span className="spin" aria-hidden="true" /> {specifiedPageMessages.saving}
        </>
      ) : (
        label
      )}
    </button>
  )
  if (afterSave.length === 0) return button
  return (
    <SplitButton
      label={formMessages.moreWays}
      isDisabled={isSaving}
      items={afterSave.map(({ after, label: text }) => ({
        label: text,
        run: () => onSave(after),
      }))}
    >
      {button}
    </SplitButton>
  )
}
