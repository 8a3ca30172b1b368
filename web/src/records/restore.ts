import { callApi, readFailure } from '#api.ts'
import { record as words } from '#content/record.ts'
import { texts } from '#content/texts.ts'
import { showToast } from '#feedback/toasts.tsx'
import type { Definition } from '#models.ts'
import { loadCounts } from './counts.ts'
import { undoAction } from './undo.ts'

/** A record in the trash, as lists and its own page know it. */
export type Trashed = { id: string; name: string }

/** Takes a record out of the trash and says how that went. */
export async function restoreRecord(
  definition: Definition,
  { id, name }: Trashed,
  onUndone: () => void,
) {
  const path = `${definition.path}/${encodeURIComponent(id)}/restore`
  const response = await callApi(path, { method: 'POST', body: {} }).catch(() => null)
  if (!response?.ok) {
    const text = response ? (await readFailure(response)).text : texts.unreachable
    showToast({ message: text, type: 'danger' })
    return false
  }
  showToast({
    message: words.restored(definition.viewData.title, name),
    type: 'success',
    ...undoAction(definition, response.headers.get('operation-id'), onUndone),
  })
  void loadCounts({ isStale: true })
  return true
}
