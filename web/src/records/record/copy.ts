import { recordMessages } from '#messages/record.ts'
import { showToast } from '#feedback/toasts.tsx'

/** Puts a text on the clipboard and says whether that worked. */
export async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ message: recordMessages.copied, type: 'success' })
  } catch {
    showToast({ message: recordMessages.copyFailed, type: 'warning' })
  }
}
