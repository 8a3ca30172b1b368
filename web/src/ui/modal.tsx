import { useEffect, type ReactNode } from 'react'
import { buildStore } from '#store.ts'
import type * as ModalParts from './modal-parts.tsx'

export type ModalSize = 'sm' | 'md' | 'lg'

export type ModalProps = {
  isOpen: boolean
  title: string
  size: ModalSize
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
}

const parts = buildStore<typeof ModalParts | null>(null)

/** For whoever knows that a dialog is likely to come. */
export async function loadModal() {
  if (!parts.get()) parts.set(await import('./modal-parts.tsx'))
}

/** Traps the focus while it is open and gives it back afterwards. Fetched with the first one that opens. */
export function Modal(props: ModalProps) {
  const loaded = parts.use()
  useEffect(() => {
    if (props.isOpen) void loadModal().catch(() => {})
  }, [props.isOpen])
  return loaded && <loaded.OpenModal {...props} />
}
