import type { FileLabel } from '@gatehouse/model'
import { session } from '#base/storage.ts'
import { readFileLabels } from './file-labels.ts'

/** Beside the typed values of a draft: names and IDs, never content. */
export const DRAFT_FILES = 'files'

export const readDraftFiles = (key: string) => readFileLabels(readDraft(key), DRAFT_FILES)

export function storeDraftFiles(key: string, files: FileLabel[]) {
  const { [DRAFT_FILES]: _former, ...typed } = readDraft(key)
  const draft = files.length > 0 ? { ...typed, [DRAFT_FILES]: files } : typed
  if (Object.keys(draft).length > 0) session.set(key, JSON.stringify(draft))
  else session.remove(key)
}

/** Ignores content in an unknown format. */
function readDraft(key: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(session.get(key) ?? '{}')) as Record<string, unknown>
  } catch {
    return {}
  }
}
