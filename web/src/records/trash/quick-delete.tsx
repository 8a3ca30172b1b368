import { useEffect, useEffectEvent, useRef } from 'react'
import { useFetcher } from 'react-router'
import type { Failure } from '#data/client.ts'
import { recordMessages } from '#messages/record.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { closeModal, showModal } from '#feedback/modals.tsx'
import { showToast } from '#feedback/toasts.tsx'
import { nameOf, type Definition } from '#data/definitions.ts'
import { displayOf, type RecordData } from '#records/record/loading.ts'

/** Deletes a record of a list, after a question: sent straight to the route's action, upon the version that is shown. */
export function useQuickDelete(definition: Definition, search: string) {
  const fetcher = useFetcher<Failure>()
  const asked = useRef('')
  const tell = useEffectEvent(({ text }: Failure) =>
    showToast({
      message: specifiedPageMessages.deleteFailed(nameOf(definition), asked.current),
      note: text,
      type: 'danger',
    }),
  )
  useEffect(() => {
    if (fetcher.data) tell(fetcher.data)
  }, [fetcher.data])

  function remove(record: RecordData) {
    closeModal()
    asked.current = displayOf(definition, record)
    const query = new URLSearchParams({ list: search })
    if (record['version'] !== undefined) query.set('version', String(record['version']))
    const id = encodeURIComponent(String(record['id']))
    void fetcher.submit(null, {
      method: 'DELETE',
      action: `/${definition.path.toLowerCase()}/${id}?${query}`,
    })
  }

  return (record: RecordData) =>
    showModal({
      title: recordMessages.deleteNowQuestion(displayOf(definition, record)),
      body: definition.trash ? recordMessages.trashKept : recordMessages.deleteWarning,
      footer: (
        <>
          <button type="button" className="btn btn-secondary" onClick={closeModal}>
            {recordMessages.keepRecord}
          </button>
          <button type="button" className="btn btn-danger" onClick={() => remove(record)}>
            {specifiedPageMessages.delete}
          </button>
        </>
      ),
    })
}
