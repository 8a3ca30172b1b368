import type { ReactNode } from 'react'
import { buildStore } from '#base/store.ts'
import { Modal, type ModalSize } from '#ui/overlay/modal.tsx'

export type ModalContent = {
  title: string
  body: ReactNode
  size?: ModalSize
  footer?: ReactNode
  note?: string
}
type State = { content: ModalContent | null; isOpen: boolean }

/** Keeps the content while the dialog fades out. */
const CLEAR_DELAY_MS = 300

const modal = buildStore<State>({ content: null, isOpen: false })
let timer: ReturnType<typeof setTimeout> | undefined

export function showModal(content: ModalContent) {
  clearTimeout(timer)
  modal.set({ content, isOpen: true })
}

export function closeModal() {
  clearTimeout(timer)
  modal.set({ ...modal.get(), isOpen: false })
  timer = setTimeout(() => modal.set({ content: null, isOpen: false }), CLEAR_DELAY_MS)
}

export function ModalHost() {
  const { content, isOpen } = modal.use()
  return (
    <Modal
      isOpen={isOpen}
      title={content?.title ?? ''}
      size={content?.size ?? 'md'}
      onClose={closeModal}
      footer={content?.footer}
    >
      <div className="modal-message">{content?.body}</div>
      {content?.note && <small className="muted">{content.note}</small>}
    </Modal>
  )
}
