import { randomUUID } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompressSync, constants, gunzipSync, gzip } from 'node:zlib'

/** Unique to the process: replicas may write into the same folder, and never remove each other's unfinished files. */
const UNFINISHED = `.${randomUUID()}.new`

/** 2 % larger than at 11, in less than half the time. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }

/** Copies beside a file, which the front proxy serves to browsers that accept them. */
export const COPIES = [
  {
    ending: '.br',
    compress: (text: string) => promisify(brotliCompress)(text, QUALITY),
    decompress: brotliDecompressSync,
  },
  {
    ending: '.gz',
    compress: (text: string) => promisify(gzip)(text),
    decompress: gunzipSync,
  },
]

/**
 * Writes by rename, so no reader sees a partial page. Compresses on worker threads: brotli at a high level would block the
 * event loop. An equal file is left alone, with the date by which browsers revalidate it. Returns the signature of the files.
 */
export async function writeCompressed(directory: string, path: string, text: string) {
  const file = fileIn(directory, path)
  // Before they are read: if another replica replaces them meanwhile, the signature is the old one.
  const existing = fileIdentityOf(directory, path)
  if (isWritten(file, text)) return existing
  const copies = await Promise.all(
    COPIES.map(async ({ ending, compress }) => ({ ending, bytes: await compress(text) })),
  )
  return [...copies, { ending: '', bytes: text }]
    .map(({ ending, bytes }) => replaceFile(file + ending, bytes))
    .join(' ')
}

/** Identifies the files of a page, without reading them: it changes if one is replaced. */
export const fileIdentityOf = (directory: string, path: string) =>
  [...COPIES.map(({ ending }) => ending), '']
    .map((ending) => identityOf(fileIn(directory, path) + ending))
    .join(' ')

function identityOf(file: string) {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? `${found.ino}:${found.mtimeMs}` : 'none'
}

export function copyInto(directory: string, path: string, source: string) {
  const file = fileIn(directory, path)
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync(source, file + UNFINISHED)
  renameSync(file + UNFINISHED, file)
}

/** Unless there is one, a path serves the same as another file, with its compressed copies. */
export function linkMissing(directory: string, path: string, other: string) {
  const file = fileIn(directory, path)
  if (existsSync(file)) return
  mkdirSync(dirname(file), { recursive: true })
  for (const ending of [...COPIES.map(({ ending }) => ending), ''])
    try {
      linkSync(fileIn(directory, other) + ending, file + ending)
    } catch (error) {
      // Another replica was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
}

/** Guards against path traversal: paths contain slugs entered by staff. */
function fileIn(directory: string, path: string) {
  const file = resolve(directory, path)
  if (!file.startsWith(resolve(directory) + sep))
    throw new Error('Page path is outside the output folder')
  return file
}

/** A process that was killed may have written some of the three, or another replica an older text. */
function isWritten(file: string, text: string) {
  try {
    return (
      readFileSync(file, 'utf8') === text &&
      COPIES.every(
        ({ ending, decompress }) => decompress(readFileSync(file + ending)).toString() === text,
      )
    )
  } catch {
    return false
  }
}

/** By rename, so that nobody reads part of it. Returns the file's identity. */
export function replaceFile(file: string, content: string | Buffer) {
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(file + UNFINISHED, content)
    const identity = identityOf(file + UNFINISHED)
    renameSync(file + UNFINISHED, file)
    return identity
  } catch (error) {
    rmSync(file + UNFINISHED, { force: true })
    throw error
  }
}
