import { createHmac } from 'node:crypto'
import { deriveKeys, isSameSignature } from '#platform/signing-keys.ts'
import { PREVIEW_SIZES, type PreviewSize } from './store.ts'

/** Seconds for which a link opens its file. */
export const LINK_SECONDS = 60

/** A file, or one of its previews: the link of one opens no other. */
type Linked = { id: string; preview?: PreviewSize }

export type FileLinks = ReturnType<typeof buildFileLinks>

/** Signs and verifies links. The first secret signs, all of them verify, so that a secret can be replaced. */
export function buildFileLinks(secrets: readonly string[]) {
  const keys = deriveKeys(secrets, 'file links')
  const sign = (key: Buffer, { id, preview }: Linked, until: number) =>
    createHmac('sha256', key)
      .update([id, until, ...(preview ? [preview] : [])].join(' '))
      .digest('base64url')

  return {
    urlOf(linked: Linked, now = Date.now()) {
      const [key] = keys
      if (!key) throw new Error('there is no secret to sign links with')
      const until = Math.floor(now / 1000) + LINK_SECONDS
      const preview = linked.preview ? `preview=${linked.preview}&` : ''
      return `/api/files/${linked.id}?${preview}until=${until}&signature=${sign(key, linked, until)}`
    },
    /** What a link opens: the file or one of its previews; null if it is altered or expired. */
    verify(id: string, query: Readonly<Record<string, unknown>>, now = Date.now()): Linked | null {
      const { until, signature } = query
      const preview = PREVIEW_SIZES.find((size) => size === query['preview'])
      if (query['preview'] !== undefined && !preview) return null
      if (typeof until !== 'string' || typeof signature !== 'string') return null
      if (!/^\d{1,12}$/.test(until) || Number(until) * 1000 <= now) return null
      const linked = { id, ...(preview ? { preview } : {}) }
      const isValid = keys.some((key) =>
        isSameSignature(sign(key, linked, Number(until)), signature),
      )
      return isValid ? linked : null
    },
  }
}
