import { copyFile, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncPath } from './sync-path.ts'
import { INCOMING, type FileStore, type StoredBytes } from './store.ts'

/** Files in a folder of this machine, which nginx reads too. `incoming` must be on the same disk. */
export const diskStore = (folder: string): FileStore => ({
  async put(key, path) {
    const target = join(folder, key)
    await mkdir(dirname(target), { recursive: true, mode: 0o750 })
    await rename(path, target)
    // Both levels may be new.
    for (const changed of [dirname(target), dirname(dirname(target)), folder])
      await syncPath(changed)
  },
  remove: (key) => rm(join(folder, key), { force: true }),
  locate: async (key) => `/_files/${key}`,
  copyTo: (key, path) => copyFile(join(folder, key), path),
  list: (prefix = '') => filesIn(folder, { below: '', prefix }),
  hasVersions: async () => null,
})

type Place = { below: string; prefix: string }

/** One folder in memory at a time. */
async function* filesIn(folder: string, { below, prefix }: Place): AsyncGenerator<StoredBytes> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(ifMissing([]))
  for (const entry of entries.toSorted(byName)) {
    const key = below + entry.name
    if (key === INCOMING) continue
    if (entry.isDirectory()) {
      const inside = `${key}/`
      if (inside.startsWith(prefix) || prefix.startsWith(inside))
        yield* filesIn(folder, { below: inside, prefix })
    } else if (key.startsWith(prefix)) {
      // Deleted meanwhile, if missing.
      const found = await stat(join(folder, key)).catch(ifMissing(null))
      if (found) yield { key, size: found.size, changedAt: found.mtime }
    }
  }
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)

const ifMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return value
  }
