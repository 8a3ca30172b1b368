import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Runner } from '#platform/db.ts'
import { findUnchecked, markAsked, markChecked, releaseUnchecked } from './file-rows.ts'
import type { Scanner } from './scanner.ts'
import { keyOf, type FileStore } from './store.ts'

type Parts = { db: Runner; store: FileStore; scanner: Scanner | null; incoming: string }

export type FileRecheck = ReturnType<typeof buildFileRecheck>

/** Asks the scanner again about files without a verdict. Without a scanner, files are handed out as in an upload without one. */
export function buildFileRecheck({ db, store, scanner, incoming }: Parts) {
  return {
    async due() {
      if (scanner) return findUnchecked(db)
      await releaseUnchecked(db)
      return []
    },
    /** Leaves the file as it is if the scanner gives no verdict; `due` names it again a minute later. */
    async check(id: string) {
      if (!scanner) return
      // First, so that a file that ends the worker is not sent again at once.
      await markAsked(db, id)
      const path = join(incoming, `${id}.check`)
      await rm(path, { force: true })
      try {
        await store.copyTo(keyOf(id), path)
        await markChecked(db, id, await scanner(path))
      } finally {
        await rm(path, { force: true })
      }
    },
  }
}
