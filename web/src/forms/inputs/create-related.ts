import { createContext, type ComponentType } from 'react'
import type { Choice } from './relation-search.ts'

export type CreateRelatedProps = {
  /** The path of the model to create. */
  to: string
  onMade: (made: Choice) => void
  onClose: () => void
}

/** Creates a related record from a form; null if not supported. */
export const CreateRelated = createContext<{
  canCreate: (to: string) => boolean
  Drawer: ComponentType<CreateRelatedProps>
} | null>(null)
