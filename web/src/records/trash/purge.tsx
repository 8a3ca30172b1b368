import { useState } from 'react'
import { deleteMessages } from '#messages/delete.ts'
import { recordMessages } from '#messages/record.ts'
import { closeModal, showModal } from '#feedback/modals.tsx'
import type { Definition } from '#data/definitions.ts'
import { useMutate } from '#data/use-mutate.ts'
import type { Trashed } from './restore.ts'

/** Irreversible: the user must type the record's name. */
export const confirmPurge = (definition: Definition, trashed: Trashed, onPurged?: () => unknown) =>
  showModal({
    title: deleteMessages.purgeQuestion(trashed.name),
    body: (
      <PurgeQuestion definition={definition} {...trashed} {...(onPurged ? { onPurged } : {})} />
    ),
  })

type Props = Trashed & { definition: Definition; onPurged?: () => unknown }

function PurgeQuestion({ definition, id, name, onPurged }: Props) {
  const [typed, setTyped] = useState('')
  const { send, pending } = useMutate()
  const isPurging = pending.size > 0
  const isConfirmed = typed.trim() === name.trim()
  const purge = () =>
    send(
      {
        path: `${definition.path}/${encodeURIComponent(id)}/purge`,
        done: () => deleteMessages.purged(name),
        failed: ({ text }) => text,
      },
      { ...(onPurged ? { onSaved: onPurged } : {}), onSettled: closeModal },
    )
  return (
    <form
      method="post"
      className="purge"
      onSubmit={(event) => {
        event.preventDefault()
        if (isConfirmed) purge()
      }}
    >
      <p>{deleteMessages.purgeWarning}</p>
      <label>
        <span className="form-label">{deleteMessages.purgeConfirm(name)}</span>
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
          {isPurging ? deleteMessages.purging : recordMessages.purge}
        </button>
      </div>
    </form>
  )
}
