import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Of an icon only its paths are needed, not the file around them, thirty times over. */
export const iconPaths = (): Plugin => ({
  name: 'icon-paths',
  enforce: 'pre',
  load: (id) => {
    const [name, query] = id.split('?')
    if (query !== 'paths' || !name) return null
    const found = [...readFileSync(name, 'utf8').matchAll(/ d="([^"]+)"/g)]
    return `export default ${JSON.stringify(found.map((match) => roundPath(match[1] ?? '')))}`
  },
})

/** An icon is drawn on 16 units: a hundredth of one is beyond any screen, and the third digit is an eighth of the bytes. */
const DIGITS = 2
const TOKEN = /[a-z]|[-+]?(?:\d*\.\d+|\d+)/giy
const FLAG = /[01]/y
/** Of the seven numbers of an arc, two are flags, which may stand without anything between them. */
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
