import { expect, test } from 'vitest'
import { findBanned, linesUnder, literalsIn, literalsUnder, type Texts } from './words.ts'

const at = (path: string) => new URL(`../../${path}`, import.meta.url).pathname

/** Models and labels, problems and emails, the notice, the doctor, comments, test titles, documents. */
const PLACES =
  'model/src api/src api/test web/src web/test tools ops bench e2e docs README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md'.split(
    ' ',
  )

/** Where people read what we write. */
const SOURCES: [what: string, read: () => Texts[]][] = [
  ['the messages of the site', () => literalsUnder(at('web/src/messages/en'))],
  ...PLACES.map((path): [string, () => Texts[]] => [
    `comments, titles and texts of ${path}`,
    () => linesUnder(at(path)),
  ]),
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
