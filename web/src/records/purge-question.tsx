import { useState } from 'react'
import { listTexts } from '#content/list.ts'
import { closeModal } from '#feedback/modals.tsx'

/** What can't be undone is not done by a slip of the hand. */
export function PurgeQuestion({ name, purge }: { name: string; purge: () => Promise<void> }) {
  const [typed, setTyped] = useState('')
  const [isPurging, setPurging] = useState(false)
  return (
    <form
      className="purge"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim() !== name.trim() || isPurging) return
        setPurging(true)
        void purge().finally(closeModal)
      }}
    >
      <p>{listTexts.purgeWarning}</p>
      <label>
        <span className="form-label">{listTexts.purgeConfirm(name)}</span>
        <input
          className="form-control"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </label>
      <div className="foot">
        <button type="button" className="btn btn-secondary btn-sm" onClick={closeModal}>
          {listTexts.keep}
        </button>
        <button
          type="submit"
          className="btn btn-danger btn-sm"
          disabled={typed.trim() !== name.trim() || isPurging}
        >
          {isPurging ? listTexts.purging : listTexts.purge}
        </button>
      </div>
    </form>
  )
}
