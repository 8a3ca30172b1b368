import { record as words } from '#content/record.ts'
import { showToast } from '#feedback/toasts.tsx'
import { nameOf, type Definition } from '#models.ts'
import { loadCounts } from './counts.ts'
import { postOrTell } from '#feedback/post.ts'
import { undoAction } from '#feedback/undo.ts'

/** A record in the trash, as lists and its own page know it. */
export type Trashed = { id: string; name: string }

/** Takes a record out of the trash and says how that went. */
export async function restoreRecord(
  definition: Definition,
  { id, name }: Trashed,
  onUndone: () => void,
) {
  const path = `${definition.path}/${encodeURIComponent(id)}/restore`
  const response = await postOrTell(path, { body: {} })
  if (!response) return false
  showToast({
    message: words.restored(nameOf(definition), name),
    type: 'success',
    ...(await undoAction({
      definition,
      done: 'restore',
      operationId: response.headers.get('operation-id'),
      onUndone,
    })),
  })
  void loadCounts({ isStale: true })
  return true
}
