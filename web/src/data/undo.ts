import type { Action } from '@gatehouse/model'
import { currentUser, toVisitor } from '#auth/auth.ts'
import { formMessages } from '#messages/form.ts'
import { showToast, type Toast } from '#feedback/toasts.tsx'
import { canDo, type Definition } from './definitions.ts'
import { postOrTell } from './post.ts'

/** The right that taking back each kind of change needs: the API asks for the same. */
const NEEDS = {
  create: 'delete',
  update: 'update',
  delete: 'delete',
  restore: 'delete',
} as const satisfies Record<string, Action>

type Done = {
  definition: Definition
  done: keyof typeof NEEDS
  operationId: string | null
  /** Leads to a page that shows it. */
  onUndone: () => void
}

/**
 * For a toast that tells of a change: takes it back, with everything that was done along with it. Nothing where the server
 * keeps no history or names no operation, or where the visitor has no right to take it back.
 */
export async function undoAction({
  definition,
  done,
  operationId,
  onUndone,
}: Done): Promise<Pick<Toast, 'action'>> {
  if (!definition.trash || !operationId) return {}
  if (!canDo(definition, NEEDS[done], toVisitor(await currentUser()))) return {}
  return offerUndo(operationId, onUndone)
}

/** For what the server names an operation of only where the visitor may take it back. */
export const offerUndo = (
  operationId: string | null,
  onUndone: () => void,
): Pick<Toast, 'action'> =>
  operationId
    ? { action: { label: formMessages.undo, run: () => void undo(operationId, onUndone) } }
    : {}

/** Takes an operation back at once, and says how that went. */
export async function undo(operationId: string, onUndone: () => void) {
  const path = `operations/${encodeURIComponent(operationId)}/undo`
  if (!(await postOrTell(path))) return
  showToast({ message: formMessages.undone, type: 'success' })
  onUndone()
}
