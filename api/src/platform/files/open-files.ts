import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Runner } from '#platform/db.ts'
import { diskStore } from './disk-store.ts'
import { buildFileLinks, type FileLinks } from './file-links.ts'
import { buildFileUploads } from './file-uploads.ts'
import { freeShareOf } from './free-space.ts'
import { countVerdicts } from './file-rows.ts'
import { buildPreviews, type Previews } from './make-previews.ts'
import { buildPreviewProcess } from './preview-process.ts'
import { buildFileRecheck, type FileRecheck } from './recheck-files.ts'
import type { Bucket } from './s3-store.ts'
import { clamdScanner, isScannerUp } from './scanner.ts'
import { INCOMING, type FileStore } from './store.ts'
import { buildFileSweep, buildStraySweep } from './sweep-files.ts'

export type FileEnv = {
  /** Null without a folder: files are refused. */
  folder: string | null
  bucket: Bucket | null
  maxBytes: number
  scanner: { host: string; port: number; maxBytes: number } | null
  signingSecrets: readonly string[]
}

export type Files = {
  store: FileStore
  links: FileLinks
  uploads: ReturnType<typeof buildFileUploads>
  sweep: ReturnType<typeof buildFileSweep>
  sweepStrays: ReturnType<typeof buildStraySweep>
  recheck: FileRecheck
  previews: Previews
  state: () => Promise<FileState>
}

/** For operators. */
export type FileState = {
  store: 'disk' | 'bucket'
  /** Share of the disk that is free, of the store's or of the uploads on their way to a bucket; null if it can't be read. */
  freeShare: number | null
  scanner: 'up' | 'down' | 'none'
  /** Files that wait for a verdict, and those in which the scanner found something after they were attached. */
  unchecked: number
  infected: number
  /** Some of the records with such files. */
  infectedIn: { model: string; id: string }[]
}

const SCAN_MS = 30_000
const PING_MS = 1_000

/** Null if the installation has nowhere to store files. `removedDays`: how long a removed file can be brought back. */
export async function openFiles(
  db: Runner,
  env: FileEnv,
  removedDays: number,
): Promise<Files | null> {
  const { folder, bucket } = env
  if (folder === null) return null
  const store = await openStore(folder, bucket)
  // An upload creates it too, or says why it can't; the doctor reads it before the first one.
  await mkdir(join(folder, INCOMING), { recursive: true, mode: 0o750 }).catch(() => {})
  const scanner = env.scanner && clamdScanner({ ...env.scanner, timeoutMs: SCAN_MS })
  const settings = {
    incoming: join(folder, INCOMING),
    maxBytes: env.maxBytes,
    scanMaxBytes: env.scanner?.maxBytes ?? env.maxBytes,
  }
  const previews = buildPreviews({
    db,
    store,
    incoming: settings.incoming,
    process: buildPreviewProcess(),
  })
  return {
    store,
    links: buildFileLinks(env.signingSecrets),
    uploads: buildFileUploads({ db, store, scanner, settings, onStaged: previews.reportUpload }),
    sweep: buildFileSweep({ db, store, incoming: settings.incoming, removedDays }),
    sweepStrays: buildStraySweep({ db, store, incoming: settings.incoming, removedDays }),
    recheck: buildFileRecheck({ db, store, scanner, incoming: settings.incoming }),
    previews,
    state: async () => ({
      store: bucket ? 'bucket' : 'disk',
      freeShare: await freeShareOf(folder).catch(() => null),
      scanner: await scannerState(env.scanner),
      ...(await countVerdicts(db)),
    }),
  }
}

/** The client of a bucket is loaded only here: it takes 33 MB. */
export const openStore = async (folder: string, bucket: Bucket | null): Promise<FileStore> =>
  bucket ? (await import('./s3-store.ts')).s3Store(bucket) : diskStore(folder)

async function scannerState(scanner: FileEnv['scanner']) {
  if (!scanner) return 'none'
  return (await isScannerUp({ ...scanner, timeoutMs: PING_MS })) ? 'up' : 'down'
}
