import { STORAGE } from '@gatehouse/model'
import { session } from '#storage.ts'

/**
 * Reply and note had one draft between them, with a tick for "internal". One that was ticked is moved to the note's box:
 * opened as a reply it would be one press from the client.
 */
export function openInternalDraftAsNote(ticketId: string) {
  const replyKey = STORAGE.replyDraft.key.replace('*', ticketId)
  const noteKey = STORAGE.noteDraft.key.replace('*', ticketId)
  const { body, internal } = read(replyKey)
  if (internal !== true) return
  session.remove(replyKey)
  if (typeof body === 'string' && session.get(noteKey) === null)
    session.set(noteKey, JSON.stringify({ note: body }))
}

function read(key: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(session.get(key) ?? '{}')) as Record<string, unknown>
  } catch {
    return {}
  }
}
