import { callApi } from '#data/client.ts'

/** A mail that did not arrive, as the API tells it: not for whom it is, the record says that. */
export type Mail = {
  id: string
  kind: string
  record: { model: string; id: string; reference: string | null } | null
  code: string
  /** Null while it is still being tried. */
  failedAt: string | null
  canRetry: boolean
}
export type MailPage = { items: Mail[]; next: string | null }

/** A page of undelivered mails; null where it can't be had. */
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
