import { useState } from 'react'
import { formMessages } from '#messages/form.ts'
import { claimDrafts, draftKey } from '#base/drafts.ts'
import { changedFields, startValues, type FormField } from '#forms/inputs/values.ts'
import { Icon } from '#ui/icon.tsx'
import type { Base } from '#data/mutate.ts'
import type { RecordData } from '#data/records.ts'
import { useLeaveGuard } from './leave-guard.tsx'
import { readDraft, recordForDraft, writeDraft, type UnsavedValues } from './record-draft.ts'

type Options<Current> = {
  sub: string
  /** The form's URL; several forms of one record differ by query. */
  address: string
  fields: FormField[]
  /** The current record; null on creation. */
  current: Current
}

/** A record form's draft: stored in this tab on every change, restored when the form reopens. */
export function useRecordDraft<Current extends Base | null>(options: Options<Current>) {
  const { sub, address, fields, current } = options
  // Constant: if the session ends while the form is open, the draft keeps its key.
  const [key] = useState(() => draftKey({ kind: 'record', sub, about: address }))
  const { hold, isHeld } = useLeaveGuard()
  const [draft, setDraft] = useState(() => {
    claimDrafts(sub)
    const stored = readDraft(key)
    return stored && current && isSaved(fields, current.record, stored) ? null : stored
  })
  const [typed, setTyped] = useState<UnsavedValues | null>(draft)
  // A draft keeps the version it is based on, so that later changes are not overwritten.
  const [pinned, setPinned] = useState<Base | null>(() =>
    current && draft?.record
      ? { record: { ...current.record, ...draft.record }, etag: draft.etag }
      : null,
  )
  const base: Base | Current = pinned ?? current
  const [round, setRound] = useState(0)

  const discard = () => {
    hold(false)
    writeDraft(key, null)
    setTyped(null)
    setPinned(null)
    setDraft(null)
  }
  const store = (now: UnsavedValues | null) => {
    hold(now !== null)
    writeDraft(key, now && { ...now, ...baseForDraft(fields, base) })
    setTyped(now)
    setPinned(now && base)
  }
  return {
    draft,
    typed,
    base,
    isHeld,
    forget: discard,
    /** React key of the form: discarding the draft resets it. */
    round,
    keep: store,
    note: draft && (
      <RestoredNote
        onDiscard={() => {
          discard()
          setRound(round + 1)
        }}
      />
    ),
  }
}

/** The draft is already saved: the page was closed during the save. */
function isSaved(fields: FormField[], record: RecordData, { values }: UnsavedValues) {
  const typed = fields.filter(({ name }) => name in values)
  return changedFields(typed, startValues(typed, record), values).length === 0
}

/** Without a version there is no base to merge with: only the values are stored. */
const baseForDraft = (fields: FormField[], base: Base | null) =>
  base?.etag
    ? { record: recordForDraft(fields, base.record), etag: base.etag }
    : { record: null, etag: null }

const RestoredNote = ({ onDiscard }: { onDiscard: () => void }) => (
  <div className="note info restored" role="status">
    <Icon name="info-circle-fill" />
    <p>{formMessages.restored}</p>
    <button type="button" className="btn btn-secondary btn-sm" onClick={onDiscard}>
      {formMessages.discard}
    </button>
  </div>
)
