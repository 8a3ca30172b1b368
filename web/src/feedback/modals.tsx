import { useSyncExternalStore, type ReactNode } from 'react'
import { Modal, type ModalSize } from '#ui/modal.tsx'

export type ModalContent = {
  title: string
  body: ReactNode
  size?: ModalSize
  footer?: ReactNode
  note?: string
}
type State = { content: ModalContent | null; isOpen: boolean }

/** The content stays while the dialog fades. */
const CLEAR_DELAY_MS = 300

let state: State = { content: null, isOpen: false }
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Opens at once, from anywhere. */
export function showModal(content: ModalContent) {
  clearTimeout(timer)
  setState({ content, isOpen: true })
}

export function closeModal() {
  clearTimeout(timer)
  setState({ ...state, isOpen: false })
  timer = setTimeout(() => setState({ content: null, isOpen: false }), CLEAR_DELAY_MS)
}

export function ModalHost() {
  const { content, isOpen } = useSyncExternalStore(subscribe, () => state)
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

function setState(next: State) {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
