import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const NOT_SOURCES = new Set(['dist', 'dist-server', 'node_modules'])

export function isBuilt(root: string, { built, sources }: { built: string[]; sources: string[] }) {
  const files = built.map((name) => join(root, name))
  if (!files.every((file) => existsSync(file))) return false
  const oldest = Math.min(...files.map((file) => statSync(file).mtimeMs))
  return sources.every((source) => newest(join(root, source)) < oldest)
}

/** Latest mtime below a path; a folder's own mtime shows deletions. */
function newest(path: string): number {
  if (!existsSync(path)) return 0
  const facts = statSync(path)
  if (!facts.isDirectory()) return facts.mtimeMs
  const inside = readdirSync(path).filter((name) => !NOT_SOURCES.has(name))
  return Math.max(facts.mtimeMs, ...inside.map((name) => newest(join(path, name))))
}
