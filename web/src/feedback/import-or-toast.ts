import { siteMessages } from '#messages/site.ts'
import { importChunk } from '#ui/import-chunk.ts'
import { showToast } from './toasts.tsx'

/** Lazy-loads the code of an action; on failure shows a toast with `retry` and returns null. */
export async function importOrToast<T>(load: () => Promise<T>, retry: () => Promise<void>) {
  try {
    return await importChunk(siteMessages.parts.action, load)
  } catch {
    showToast({
      message: siteMessages.notLoaded(siteMessages.parts.action),
      type: 'danger',
      autohide: false,
      action: { label: siteMessages.tryAgain, run: () => void retry() },
    })
    return null
  }
}
