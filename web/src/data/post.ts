import { callApi, readFailure } from './client.ts'
import { siteMessages } from '#messages/site.ts'
import { showToast } from '#feedback/toasts.tsx'

type Sent = { body?: unknown; headers?: Record<string, string> }

/** For what is done without a form: sends it, or says in a toast why that failed and gives null. */
export async function postOrTell(path: string, sent: Sent = {}) {
  // Pressed again before the answer: a toast or a menu may be gone by then, what it sent is not.
  if (underWay.has(path)) return null
  underWay.add(path)
  try {
    return await send(path, sent)
  } finally {
    underWay.delete(path)
  }
}

const underWay = new Set<string>()

async function send(path: string, sent: Sent) {
  const response = await callApi(path, { method: 'POST', ...sent }).catch(() => null)
  if (response?.ok) return response
  const message = response ? (await readFailure(response)).text : siteMessages.unreachable
  showToast({ message, type: 'danger' })
  return null
}
