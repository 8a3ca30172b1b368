import { recordMessages } from '#messages/record.ts'
import { showToast } from '#feedback/toasts.tsx'
import { nameOf, type Definition } from '#data/definitions.ts'
import { loadCounts } from '#records/record/counts.ts'
import { postOrTell } from '#data/post.ts'
import { undoAction } from '#data/undo.ts'

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
    message: recordMessages.restored(nameOf(definition), name),
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
