import { useState } from 'react'
import { formMessages } from '#messages/form.ts'
import { claimDrafts, draftKey } from '#base/drafts.ts'
import { useLeaveGuard } from '#forms/leave-guard.tsx'
import { readDraft, writeDraft, type Typed } from '#forms/record-draft.ts'
import { Icon } from '#ui/icon.tsx'
import type { Base } from '#data/mutate.ts'

type Options = { sub: string; address: string }

/** What is typed and not saved: kept in this tab with every change, and asked about before the page is left. */
export function useUnsaved({ sub, address }: Options) {
  const key = draftKey({ kind: 'record', sub, about: address })
  const guard = useLeaveGuard()
  const [draft, setDraft] = useState(() => {
    claimDrafts(sub)
    return readDraft(key)
  })
  const [typed, setTyped] = useState<Typed | null>(draft)
  const forget = () => {
    setTyped(null)
    writeDraft(key, null)
    guard.hold(false)
    setDraft(null)
  }
  return {
    draft,
    typed,
    forget,
    guard: guard.element,
    keep(now: Typed | null, base: Base | null) {
      setTyped(now)
      guard.hold(now !== null)
      writeDraft(key, now && { ...now, record: base?.record ?? null, etag: base?.etag ?? null })
    },
  }
}

export const RestoredNote = ({ onDiscard }: { onDiscard: () => void }) => (
  <div className="note info restored" role="status">
    <Icon name="info-circle-fill" />
    <p>{formMessages.restored}</p>
    <button type="button" className="btn btn-secondary btn-sm" onClick={onDiscard}>
      {formMessages.discard}
    </button>
  </div>
)
