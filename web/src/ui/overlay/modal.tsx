import type { ReactNode } from 'react'
import { siteMessages } from '#messages/site.ts'
import { buildPart, PartFailed, usePart } from '#ui/part.tsx'

export type ModalSize = 'sm' | 'md' | 'lg'

export type ModalProps = {
  isOpen: boolean
  title: string
  size: ModalSize
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
}

const parts = buildPart(siteMessages.parts.dialog, () => import('./modal-parts.tsx'))

/** For whoever knows that a dialog is likely to come. */
export const prepareModal = parts.prepare

/** For whoever opens one: what could not be fetched the last time is tried again. */
export const loadModal = () => void parts.load()

/** Traps the focus while it is open and gives it back afterwards. Fetched with the first one that opens. */
export function Modal(props: ModalProps) {
  const loaded = usePart(parts, props.isOpen)
  if (loaded) return <loaded.OpenModal {...props} />
  return props.isOpen && <PartFailed part={parts} onClose={props.onClose} />
}
