import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CHECKOUT } from './stack-settings.ts'

export const WEB_ROOT = resolve(CHECKOUT, 'web', process.env['WEB_DIST'] ?? 'dist')
/** Everything the built site is made from. */
const SOURCES = [
  'web',
  'model/src',
  'config',
  'package-lock.json',
  // The privacy notice is made from these.
  'privacy/versions',
  'scripts/notice-write.ts',
  'api/src/privacy',
]
const NOT_SOURCES = new Set(['dist', 'dist-server', 'node_modules'])
/** Of everything that is built, what is written last. */
const BUILT = ['dist/index.html.br', 'dist-server/server.js']

/**
 * True when the built site is newer than all it is made from. A second stack of the same checkout then leaves the files
 * alone, which the first one is serving.
 */
export function isWebBuilt() {
  const built = BUILT.map((name) => join(CHECKOUT, 'web', name))
  if (!built.every((file) => existsSync(file))) return false
  const oldest = Math.min(...built.map((file) => statSync(file).mtimeMs))
  return SOURCES.every((source) => newest(join(CHECKOUT, source)) < oldest)
}

/** The time of the last change in here; a folder's own tells of what was taken away. */
function newest(path: string): number {
  if (!existsSync(path)) return 0
  const facts = statSync(path)
  if (!facts.isDirectory()) return facts.mtimeMs
  const inside = readdirSync(path).filter((name) => !NOT_SOURCES.has(name))
  return Math.max(facts.mtimeMs, ...inside.map((name) => newest(join(path, name))))
}
