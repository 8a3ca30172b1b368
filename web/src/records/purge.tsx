import { useState } from 'react'
import { callApi, readFailure } from '#api.ts'
import { record as words } from '#content/record.ts'
import { texts } from '#content/texts.ts'
import { closeModal, showModal } from '#feedback/modals.tsx'
import { showToast } from '#feedback/toasts.tsx'
import type { Definition } from '#models.ts'
import { displayOf, type RecordData } from './loading.ts'

/** What can not be taken back asks for more than a click: the record's own name. */
export function askPurge(definition: Definition, record: RecordData, onPurged: () => void) {
  const name = displayOf(definition, record)
  showModal({
    title: words.purgeQuestion(name),
    body: (
      <PurgeForm
        name={name}
        onConfirm={() => {
          closeModal()
          void purge(definition, record, onPurged)
        }}
      />
    ),
  })
}

async function purge(definition: Definition, record: RecordData, onPurged: () => void) {
  const path = `${definition.path}/${encodeURIComponent(String(record['id']))}/purge`
  const response = await callApi(path, { method: 'POST' }).catch(() => null)
  if (!response?.ok) {
    const text = response ? (await readFailure(response)).text : texts.unreachable
    return showToast({ message: text, type: 'danger' })
  }
  const message = words.purged(definition.viewData.title, displayOf(definition, record))
  showToast({ message, type: 'success' })
  onPurged()
}

function PurgeForm({ name, onConfirm }: { name: string; onConfirm: () => void }) {
  const [typed, setTyped] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.trim() === name.trim()) onConfirm()
      }}
    >
      <p>{words.purgeBody}</p>
      <label className="form-label" htmlFor="purge-name">
        {words.purgeName}
      </label>
      <input
        id="purge-name"
        className="form-control"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="acts modal-acts">
        <button type="button" className="btn btn-secondary" onClick={closeModal}>
          {texts.keepRecord}
        </button>
        <button type="submit" className="btn btn-danger" disabled={typed.trim() !== name.trim()}>
          {words.purgeNow}
        </button>
      </div>
    </form>
  )
}
