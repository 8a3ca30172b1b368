import { problemMessages } from '@gatehouse/model'
import { HttpError } from '#platform/errors.ts'
import type { Files } from '#platform/files/open-files.ts'

/** An installation without a folder for files refuses them, and has none to hand out. */
export function requireStorage(files: Files | null): Files {
  if (!files) throw new HttpError(404, 'no-file-storage', problemMessages.noFileStorage)
  return files
}
