import { formTexts } from '#content/form.ts'
import { showToast, type Toast } from '#feedback/toasts.tsx'
import type { Definition } from '#models.ts'
import { postOrTell } from './post.ts'

/**
 * For a toast that tells of a change: takes it back, with everything that was done along with it. Nothing where the server
 * keeps no history or names no operation. `onUndone` leads to a page that shows it.
 */
export const undoAction = (
  { trash }: Definition,
  operationId: string | null,
  onUndone: () => void,
): Pick<Toast, 'action'> =>
  trash && operationId
    ? { action: { label: formTexts.undo, run: () => void undo(operationId, onUndone) } }
    : {}

/** Takes an operation back at once, and says how that went. */
export async function undo(operationId: string, onUndone: () => void) {
  const path = `operations/${encodeURIComponent(operationId)}/undo`
  if (!(await postOrTell(path))) return
  showToast({ message: formTexts.undone, type: 'success' })
  onUndone()
}
