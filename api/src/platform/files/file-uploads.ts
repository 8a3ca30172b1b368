import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { problemMessages } from '@gatehouse/model'
import type { Runner } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import { newId } from '#platform/uuid.ts'
import { contentTypeOf } from './content-type.ts'
import { cleanName } from './file-name.ts'
import { deleteUploading, insertUploading, markStaged } from './file-rows.ts'
import type { Verdict } from './file-tables.ts'
import { FREE_SHARE_MIN, freeShareOf } from './free-space.ts'
import { receiveFile } from './receive-file.ts'
import type { Scanner } from './scanner.ts'
import { keyOf, type FileStore } from './store.ts'
import { buildGate } from './upload-slots.ts'

type FileSettings = {
  /** Folder of uploads on their way; on the store's disk if that is a folder. */
  incoming: string
  maxBytes: number
  /** The scanner judges files up to this size; larger ones are refused. */
  scanMaxBytes: number
}

export type UploadParts = {
  db: Runner
  store: FileStore
  scanner: Scanner | null
  settings: FileSettings
  onStaged: (type: string) => void
}

type Upload = { body: Readable; name: string; length: number; ownerRef: string | null }

export type StagedFile = {
  id: string
  name: string
  type: string
  size: number
  state: 'ready' | 'unchecked'
}

const FINISHING_MAX = 8

const tooLargeFile = (maxBytes: number) =>
  new HttpError(413, 'too-large', problemMessages.fileTooLarge(maxBytes))
const refusedFile = () => new HttpError(422, 'file-refused', problemMessages.fileInfected)

/** Stores an uploaded file that no record names yet. Row first, bytes after: whatever is in the store has a row. */
export function buildFileUploads({ db, store, scanner, settings, onStaged }: UploadParts) {
  const finishing = buildGate(FINISHING_MAX)
  const maxBytes = Math.min(settings.maxBytes, scanner ? settings.scanMaxBytes : Infinity)

  async function finish(file: { id: string; path: string }, sha256: string) {
    const { id, path } = file
    const type = await contentTypeOf(path)
    const verdict = await judge(scanner, path)
    if (verdict === 'infected') throw refusedFile()
    await store.put(keyOf(id), path)
    // Otherwise the row was swept while the upload took longer than a day; the sweep deletes the bytes too.
    if (!(await markStaged(db, { id, type, sha256, verdict })))
      throw new HttpError(408, 'too-slow', problemMessages.requestTooSlow)
    onStaged(type)
    return { type, verdict }
  }

  return {
    /** The largest file that is taken. */
    maxBytes,
    async upload({ body, name: sent, length, ownerRef }: Upload): Promise<StagedFile> {
      if (length > maxBytes) throw tooLargeFile(maxBytes)
      await requireSpace(settings.incoming)
      const id = newId()
      const name = cleanName(sent)
      if (!(await insertUploading(db, { id, ownerRef, name, size: length })))
        throw new HttpError(429, 'too-many-files', problemMessages.tooManyFiles)
      const path = join(settings.incoming, id)
      try {
        const sha256 = await receiveFile(body, { path, length })
        const { type, verdict } = await finishing(() => finish({ id, path }, sha256))
        const state = verdict === 'unchecked' ? 'unchecked' : 'ready'
        return { id, name, type, size: length, state }
      } catch (error) {
        await discard(id, path)
        throw error
      }
    },
  }

  /** Leaves the row to the sweep if its bytes may be in the store already. */
  async function discard(id: string, path: string) {
    await rm(path, { force: true })
    await store.remove(keyOf(id)).then(
      () => deleteUploading(db, id),
      () => {},
    )
  }
}

/** No verdict is no refusal: the file waits, and is not handed out until there is one. */
async function judge(scanner: Scanner | null, path: string): Promise<Verdict> {
  if (!scanner) return 'none'
  return scanner(path).catch(() => 'unchecked' as const)
}

async function requireSpace(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o750 })
  if ((await freeShareOf(folder)) < FREE_SHARE_MIN)
    throw new HttpError(507, 'storage-full', problemMessages.storageFull)
}
