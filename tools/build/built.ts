import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Results of builds, and hidden files and folders of test runners. */
const NOT_SOURCES = /^(dist|dist-server|node_modules|\..*)$/

export function isBuilt(root: string, { built, sources }: { built: string[]; sources: string[] }) {
  const files = built.map((name) => join(root, name))
  if (!files.every((file) => existsSync(file))) return false
  const oldest = Math.min(...files.map((file) => statSync(file).mtimeMs))
  return sources.every((source) => newest(join(root, source)) < oldest)
}

/** Not the folder's own mtime: test runners add and remove files directly in a workspace. */
function newest(source: string) {
  if (!existsSync(source)) return 0
  return statSync(source).isDirectory() ? newestInside(source) : statSync(source).mtimeMs
}

/** Latest mtime inside a folder; a subfolder's own mtime shows deletions. */
function newestInside(folder: string): number {
  const times = readdirSync(folder)
    .filter((name) => !NOT_SOURCES.test(name))
    .map((name) => {
      const facts = statSync(join(folder, name))
      return facts.isDirectory()
        ? Math.max(facts.mtimeMs, newestInside(join(folder, name)))
        : facts.mtimeMs
    })
  return Math.max(0, ...times)
}
