import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compileString } from 'sass'

export const SOURCES = join(import.meta.dirname, '../src')

/** Compiles a style sheet of web/src with the options of vite.config.ts, between two pieces of Sass. */
export function compileStyles(name: string, before: string, after: string) {
  const path = join(SOURCES, name)
  return compileString(before + readFileSync(path, 'utf8') + after, {
    url: pathToFileURL(path),
    loadPaths: [join(import.meta.dirname, '../../node_modules')],
    quietDeps: true,
    silenceDeprecations: ['import', 'global-builtin', 'color-functions', 'if-function'],
  }).css
}
