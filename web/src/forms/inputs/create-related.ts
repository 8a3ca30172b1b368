import { createContext, type ComponentType } from 'react'
import type { Choice } from './relation-search.ts'

export type CreateRelatedProps = {
  /** The path of the model of which one is made. */
  to: string
  onMade: (made: Choice) => void
  onClose: () => void
}

/** How the pages around a form make a record that it may lead to; nothing where they do not. */
export const CreateRelated = createContext<{
  canCreate: (to: string) => boolean
  Drawer: ComponentType<CreateRelatedProps>
} | null>(null)
