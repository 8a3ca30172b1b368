import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { PageJob } from './page-job.ts'
import type { RecordPage } from './renderer.ts'
import { replaceFile, fileIdentityOf } from './write-file.ts'

/** Stamp of a page as it was written, and the identity of its files: another replica may have replaced them since. */
type Written = { stamp: string; files: string }
type Stored = { inputHash: string; pages: Record<string, Written> }

/** Beside the build's folder, which the front proxy serves. */
export const stampsFileOf = (folder: string) => `${folder}.stamps.json`

/** Stamps of the pages in a folder; none if they were rendered from another input. */
export function openStamps({
  folder,
  input,
  printed,
}: Pick<PageJob, 'folder' | 'input' | 'printed'>) {
  const file = stampsFileOf(folder)
  const hash = createHash('sha256')
    .update(JSON.stringify([input, Object.keys(printed)]))
    .digest('hex')
  const pages = new Map(Object.entries(readStored(file, hash)))
  return {
    isCurrent: ({ path, stamp }: RecordPage) => {
      const written = pages.get(path)
      return written?.stamp === stamp && written.files === fileIdentityOf(folder, path)
    },
    has: ({ path }: RecordPage) => pages.has(path),
    add: ({ path, stamp }: RecordPage, files: string) => void pages.set(path, { stamp, files }),
    removeOthers: (paths: Set<string>) => {
      for (const path of pages.keys()) if (!paths.has(path)) pages.delete(path)
    },
    store: () => {
      const stored: Stored = { inputHash: hash, pages: Object.fromEntries(pages) }
      replaceFile(file, JSON.stringify(stored))
    },
  }
}

/** A missing or damaged file costs time only: every page is rendered. */
function readStored(file: string, hash: string): Stored['pages'] {
  try {
    const { inputHash, pages } = JSON.parse(readFileSync(file, 'utf8')) as Stored
    return inputHash === hash ? pages : {}
  } catch {
    return {}
  }
}
