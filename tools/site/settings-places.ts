import { readFileSync } from 'node:fs'
import { fromCheckout } from './entry-points.ts'

/** Adds file and line of a setting to sentences that begin with its place: `/site/phone …`, `brand.colours.light: …`. */
export function addSettingPlaces(file: string, sentences: string[]): string[] {
  const text = readFileSync(file, 'utf8')
  return sentences.map((sentence) => {
    if (/^\S+:\d+: /.test(sentence)) return sentence
    return `${fromCheckout(file)}:${lineOf(text, namesIn(sentence))}: ${sentence}`
  })
}

/** The line of an error of JSON.parse. */
export const lineOfError = (message: string) =>
  /\(line (\d+) column \d+\)/.exec(message)?.[1] ?? '1'

function namesIn(sentence: string) {
  const [place = ''] = /^\/\S*|^[a-z]\w*(\.\w+)*/i.exec(sentence) ?? []
  const [, unknown] = /additional properties: (\w+)$/.exec(sentence) ?? []
  return [...place.split(/[/.]/).filter(Boolean), ...(unknown ? [unknown] : [])]
}

/** Each name is looked for after the one around it; an index of a list is passed over. */
function lineOf(text: string, names: string[]) {
  let end = 0
  for (const name of names) {
    const at = text.indexOf(`"${name}":`, end)
    if (at >= 0) end = at + 1
  }
  return text.slice(0, end).split('\n').length
}
