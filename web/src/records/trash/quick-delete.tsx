import { useEffect, useEffectEvent, useRef } from 'react'
import { useFetcher } from 'react-router'
import { recordMessages } from '#messages/record.ts'
import { specifiedPageMessages } from '#messages/specified-pages.ts'
import { closeModal, showModal } from '#feedback/modals.tsx'
import { showToast } from '#feedback/toasts.tsx'
import { nameOf, type Definition } from '#data/definitions.ts'
import { BusyButton } from '#ui/busy-button.tsx'
import type { RefusedAction } from '#records/shared/actions.ts'
import { displayOf, type RecordData } from '#records/shared/loader-errors.ts'

type Deletion = { definition: Definition; record: RecordData; search: string }

/** Confirms and deletes a row's record through the route's action, with the version shown. */
export const confirmDelete = ({ definition, record, search }: Deletion) =>
  showModal({
    title: recordMessages.deleteNowQuestion(displayOf(definition, record)),
    body: definition.trash ? recordMessages.trashKept : recordMessages.deleteWarning,
    footer: <Buttons definition={definition} record={record} search={search} />,
  })

function Buttons({ definition, record, search }: Deletion) {
  const fetcher = useFetcher<RefusedAction>()
  const isSent = useRef(false)
  const isBusy = fetcher.state !== 'idle'
  const onResult = useEffectEvent(() => {
    if (fetcher.data)
      showToast({
        message: specifiedPageMessages.deleteFailed(
          nameOf(definition),
          displayOf(definition, record),
        ),
        note: fetcher.data.text,
        type: 'danger',
      })
    closeModal()
  })
  useEffect(() => {
    if (isSent.current && !isBusy) onResult()
  }, [isBusy])

  function remove() {
    isSent.current = true
    const query = new URLSearchParams({ list: search })
    if (record['version'] !== undefined) query.set('version', String(record['version']))
    const id = encodeURIComponent(String(record['id']))
    void fetcher.submit(null, {
      method: 'DELETE',
      action: `/${definition.path.toLowerCase()}/${id}?${query}`,
    })
  }
  return (
    <>
      <button type="button" className="btn btn-secondary" onClick={closeModal}>
        {recordMessages.keepRecord}
      </button>
      <BusyButton
        className="btn btn-danger"
        isBusy={isBusy}
        busyLabel={specifiedPageMessages.deleting}
        onClick={remove}
      >
        {specifiedPageMessages.delete}
      </BusyButton>
    </>
  )
}
