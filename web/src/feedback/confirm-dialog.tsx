import { writeMessages } from '#messages/write.ts'
import { closeModal, showModal } from './modals.tsx'

type Question = {
  title: string
  body: string
  /** Of the button that does it. */
  label: string
  isDanger?: boolean
}

/** Asks before an act that isn't undone by a press. */
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
