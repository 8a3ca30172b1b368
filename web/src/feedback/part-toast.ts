import { texts } from '#messages/texts.ts'
import { fetchPart } from '#ui/fetch-part.ts'
import { showToast } from './toasts.tsx'

/** Code for something that is done at once and has no place of its own: null after a toast that offers to `retry`. */
export async function fetchOrToast<T>(load: () => Promise<T>, retry: () => Promise<void>) {
  try {
    return await fetchPart(texts.parts.action, load)
  } catch {
    showToast({
      message: texts.notLoaded(texts.parts.action),
      type: 'danger',
      autohide: false,
      action: { label: texts.tryAgain, run: () => void retry() },
    })
    return null
  }
}
