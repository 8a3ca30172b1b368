import { callApi } from '#data/client.ts'
import { mailMessages } from '#messages/mails.ts'

/** An undelivered email, without its recipient, which is in the record. */
export type Mail = {
  id: string
  kind: string
  record: { model: string; id: string; reference: string | null } | null
  code: string
  /** Null while retries continue. */
  failedAt: string | null
  canRetry: boolean
}
export type MailPage = { items: Mail[]; next: string | null }

export async function loadMails(after: string | null, signal?: AbortSignal) {
  try {
    const response = await callApi(
      `system/mails${after ? `?after=${after}` : ''}`,
      signal ? { signal } : {},
    )
    return response.ok ? ((await response.json()) as MailPage) : null
  } catch (error) {
    if (signal?.aborted) throw error
    return null
  }
}

export const kindLabel = (kind: string) => mailMessages.kinds[kind] ?? kind

/** Reason of a failure: our text for a known code, otherwise by the class of the relay's reply. */
export function codeLabel(code: string) {
  const { answered, codes } = mailMessages
  if (codes[code]) return codes[code]
  if (/^5\d\d 5\.1\.(?![78]$)/.test(code)) return answered.address(code)
  return /^\d/.test(code) ? answered.relay(code) : answered.other(code)
}
