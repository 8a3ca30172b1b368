import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHECKOUT } from '../stack/settings.ts'

export const PAGE = 'docs/architecture.md'

export const readPage = () => readFileSync(join(CHECKOUT, PAGE), 'utf8')

/** Files and folders of the repository in a text. */
export const pathsIn = (text: string) =>
  [...text.matchAll(/`((?:\w[\w-]*\/)+[\w.-]*|\.[\w.-]+\.cjs)`/g)].map(([, path = '']) => path)

/** Files of a trace, the table below a heading, by its first column: a step, or when it runs. */
export function traceIn(page: string, heading: string) {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && line.includes('.ts'))
  return rows.flatMap((row) => {
    const [, first = '', files = ''] = row.split('|').map((cell) => cell.trim())
    return pathsIn(files).map((file) => ({ first: first.replaceAll('`', ''), file }))
  })
}

/** Words of prose, tables and paths; not those of the picture. */
export const wordsIn = (page: string) =>
  page
    .replaceAll(/^```mermaid$[\s\S]*?^```$|<!--.*?-->/gm, '')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
