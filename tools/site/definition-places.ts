import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromCheckout, IS_TEST, sourcesIn } from './entry-points.ts'

type Source = { file: string; text: string }

/**
 * Adds file and line to sentences about definitions. A model is data without a position, so the names that a sentence quotes are
 * looked up: in the model's own file first, then in its behaviours, then in the whole folder.
 */
export function addPlaces(folder: string, sentences: string[]): string[] {
  const sources = sourcesIn(folder)
    .filter((name) => !IS_TEST.test(name))
    .map((name) => ({
      file: fromCheckout(join(folder, name)),
      text: readFileSync(join(folder, name), 'utf8'),
    }))
  return sentences.map((sentence) => {
    if (/^\S+:\d+: /.test(sentence)) return sentence
    const place = findPlace(sources, sentence)
    return place ? `${place}: ${sentence}` : sentence
  })
}

function findPlace(all: Source[], sentence: string) {
  const [, path = ''] = /^([a-z][\w-]*): /.exec(sentence) ?? []
  const sources = nearestFirst(all, path)
  // The first name is the field or action; those after it are what it refers to.
  for (const pattern of patternsOf(sentence))
    for (const { file, text } of sources) {
      const match = pattern.exec(text)
      if (match) return `${file}:${lineAt(text, match.index + match[0].search(/\S/))}`
    }
}

function nearestFirst(all: Source[], path: string) {
  const definition = new RegExp(`^  path: '${path}'`, 'm')
  const mention = new RegExp(`\\b${path}\\b`)
  const distance = ({ text }: Source) => {
    if (definition.test(text)) return 0
    if (!mention.test(text)) return 4
    if (/\bextendModel\(/.test(text)) return 1
    return /\b(define|extend)Behaviour\(/.test(text) ? 2 : 3
  }
  return all.toSorted((one, other) => distance(one) - distance(other))
}

function patternsOf(sentence: string) {
  const quoted = [...sentence.matchAll(/"([^"\n]+)"/g)].map(([, name = '']) => name)
  const words = sentence.replace(/^[\w-]+: /, '').match(/[a-z]\w+/gi) ?? []
  const [part = ''] = words
  return [
    // A reference, such as displayField: 'amount', before the field it refers to.
    ...quoted.map((name) => new RegExp(`^  ${part}:.*'-?${escape(name)}'`, 'm')),
    ...quoted.flatMap((name) => [key(name), method(name), text(name)]),
    // A part of the definition, such as access or rowScope, then its beginning.
    ...words.map((name) => new RegExp(`^  ${name}:`, 'm')),
    /^.*\b(defineModel|extendModel|defineSite)\(/m,
  ]
}

const key = (name: string) => new RegExp(`(?:^\\s*|[{,] )${escape(name)}: [^']`, 'm')
const method = (name: string) => new RegExp(`^\\s*(?:async )?${escape(name)}\\(`, 'm')
const text = (name: string) => new RegExp(`'-?${escape(name)}'`)
const escape = (name: string) => name.replaceAll(/[^\w]/g, String.raw`\$&`)
const lineAt = (text: string, index: number) => text.slice(0, index).split('\n').length
