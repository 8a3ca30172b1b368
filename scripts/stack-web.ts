import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from './stack-settings.ts'

export const WEB_ROOT = join(CHECKOUT, 'web/dist')
/** Everything the built site is made from. */
const SOURCES = ['web', 'model/src', 'config', 'package-lock.json']
const NOT_SOURCES = new Set(['dist', 'node_modules'])

/**
 * True when the built site is newer than all it is made from. A second stack of the same checkout then leaves the files
 * alone, which the first one is serving.
 */
export function isWebBuilt() {
  const built = join(WEB_ROOT, 'index.html')
  if (!existsSync(built)) return false
  const { mtimeMs } = statSync(built)
  return SOURCES.every((source) => newest(join(CHECKOUT, source)) < mtimeMs)
}

/** The time of the last change in here; a folder's own tells of what was taken away. */
function newest(path: string): number {
  const facts = statSync(path)
  if (!facts.isDirectory()) return facts.mtimeMs
  const inside = readdirSync(path).filter((name) => !NOT_SOURCES.has(name))
  return Math.max(facts.mtimeMs, ...inside.map((name) => newest(join(path, name))))
}
