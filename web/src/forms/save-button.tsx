import { formMessages } from '#messages/form.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { SplitButton } from '#ui/overlay/split-button.tsx'

/** Where one goes after saving. */
export type Way = 'leave' | 'stay' | 'new'

type Props = {
  label: string
  ways: { way: Way; label: string }[]
  isSaving: boolean
  onSave: (way: Way) => void
}

export function SaveButton({ label, ways, isSaving, onSave }: Props) {
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
  if (ways.length === 0) return button
  return (
    <SplitButton
      label={formMessages.moreWays}
      isDisabled={isSaving}
      items={ways.map(({ way, label: words }) => ({ label: words, run: () => onSave(way) }))}
    >
      {button}
    </SplitButton>
  )
}
