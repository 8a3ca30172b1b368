import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Imports an SVG icon as an array of its paths. */
export const iconPaths = (): Plugin => ({
  name: 'icon-paths',
  enforce: 'pre',
  load: (id) => {
    const [name, query] = id.split('?')
    return query === 'paths' && name ? `export default ${JSON.stringify(pathsOf(name))}` : null
  },
})

export const pathsOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/ d="([^"]+)"/g)].map((match) =>
    roundPath(match[1] ?? ''),
  )

/** Icons are 16 units wide: two decimals are finer than a pixel, a third would add an eighth to the size. */
const DIGITS = 2
const TOKEN = /[a-z]|[-+]?(?:\d*\.\d+|\d+)/giy
const FLAG = /[01]/y
/** Two of an arc's seven numbers are flags, which need no separator. */
const ARC = { numbers: 7, flags: [3, 4] }

export function roundPath(path: string) {
  let rounded = ''
  let command = ''
  let count = 0
  let last = ''
  for (let at = 0; at < path.length;) {
    const isFlag = /a/i.test(command) && ARC.flags.includes(count % ARC.numbers)
    const pattern = isFlag ? FLAG : TOKEN
    pattern.lastIndex = at
    const token = pattern.exec(path)?.[0]
    at += token?.length ?? 1
    if (!token) continue
    if (/[a-z]/i.test(token)) {
      rounded += token
      command = token
      count = 0
      last = ''
      continue
    }
    const number = String(Number(Number(token).toFixed(DIGITS))).replace(/^(-?)0\./, '$1.')
    const isApart =
      last === '' || number.startsWith('-') || (number.startsWith('.') && last.includes('.'))
    rounded += isApart ? number : ` ${number}`
    last = number
    count++
  }
  return rounded
}
