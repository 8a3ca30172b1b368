import { recordMessages } from '#messages/record.ts'
import { showToast } from '#feedback/toasts.tsx'

export async function copyToClipboard(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ message: recordMessages.copied, type: 'success' })
  } catch {
    showToast({ message: recordMessages.copyFailed, type: 'warning' })
  }
}
