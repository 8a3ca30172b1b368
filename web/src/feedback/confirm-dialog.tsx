import { writeMessages } from '#messages/write.ts'
import { closeModal, showModal } from './modals.tsx'

type Question = {
  title: string
  body: string
  /** Label of the confirming button. */
  label: string
  isDanger?: boolean
}

/** Asks for confirmation of an action that can't be undone with one click. */
export const confirmDialog = (
  { title, body, label, isDanger = false }: Question,
  run: () => void,
) =>
  showModal({
    title,
    body,
    footer: (
      <>
        <button type="button" className="btn btn-secondary" onClick={closeModal}>
          {writeMessages.cancel}
        </button>
        <button
          type="button"
          className={`btn ${isDanger ? 'btn-danger' : 'btn-primary'}`}
          onClick={() => {
            closeModal()
            run()
          }}
        >
          {label}
        </button>
      </>
    ),
  })
