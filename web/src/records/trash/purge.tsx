import { useState } from 'react'
import { recordMessages } from '#messages/record.ts'
import { closeModal, showModal } from '#feedback/modals.tsx'
import { showToast } from '#feedback/toasts.tsx'
import { nameOf, type Definition } from '#data/definitions.ts'
import { postOrTell } from '#data/post.ts'
import type { Trashed } from './restore.ts'

/** What can't be undone is not done by a slip of the hand: it asks for the record's own name. */
export const askPurge = (definition: Definition, trashed: Trashed, onPurged: () => void) =>
  showModal({
    title: recordMessages.purgeQuestion(trashed.name),
    body: (
      <PurgeQuestion
        name={trashed.name}
        purge={async () => {
          if (await isPurged(definition, trashed)) onPurged()
        }}
      />
    ),
  })

async function isPurged(definition: Definition, { id, name }: Trashed) {
  const path = `${definition.path}/${encodeURIComponent(id)}/purge`
  if (!(await postOrTell(path))) return false
  showToast({ message: recordMessages.purged(nameOf(definition), name), type: 'success' })
  return true
}

function PurgeQuestion({ name, purge }: { name: string; purge: () => Promise<void> }) {
  const [typed, setTyped] = useState('')
  const [isPurging, setPurging] = useState(false)
  const isConfirmed = typed.trim() === name.trim()
  return (
    <form
      method="post"
      className="purge"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isConfirmed || isPurging) return
        setPurging(true)
        void purge().finally(closeModal)
      }}
    >
      <p>{recordMessages.purgeWarning}</p>
      <label>
        <span className="form-label">{recordMessages.purgeConfirm(name)}</span>
        <input
          className="form-control"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <div className="foot">
        <button type="button" className="btn btn-secondary btn-sm" onClick={closeModal}>
          {recordMessages.keepRecord}
        </button>
        <button
          type="submit"
          className="btn btn-danger btn-sm"
          disabled={!isConfirmed || isPurging}
        >
          {isPurging ? recordMessages.purging : recordMessages.purge}
        </button>
      </div>
    </form>
  )
}
