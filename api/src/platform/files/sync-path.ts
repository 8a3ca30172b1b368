import { open } from 'node:fs/promises'

/** Makes a file, or the names in a folder, survive a power cut. */
export async function syncPath(path: string) {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
