import { expect, test } from 'vitest'
import { findBanned, literalsIn, literalsUnder, type Texts } from './words.ts'

const at = (path: string) => new URL(`../../${path}`, import.meta.url).pathname

/** Where people read what we write. */
const SOURCES: [what: string, read: () => Texts[]][] = [
  ['the messages of the site', () => literalsUnder(at('web/src/messages/en'))],
]

test.each(SOURCES)('%s have no banned word', (_what, read) => {
  const sources = read()
  expect(sources.flatMap(({ texts }) => texts).length).toBeGreaterThan(0)
  expect(findBanned(sources)).toEqual([])
})

test('a banned word is found in a text, and not in a comment or a name', () => {
  const source = `
    // Somebody reads this at once.
    const deletedMeanwhile = 'Somebody deleted it', ask = \`Searching …\``
  expect(findBanned([{ where: 'x.ts', texts: literalsIn(source) }])).toEqual([
    'x.ts: “Somebody deleted it” (better: someone)',
    'x.ts: “Searching …” (better: no space before …)',
  ])
})
