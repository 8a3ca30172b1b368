import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

const SOURCES = join(import.meta.dirname, '..')
const SPOKEN = ['aria-label', 'title', 'placeholder', 'alt', 'label']
const LETTERS = /\p{L}{2}/u

type Node = { type?: string; value?: unknown; name?: { name?: unknown } }

/** What a component says without the catalogue: text between tags, and attributes that are read out. */
function literalsOf(source: string) {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, value, name } = node as Node
    if (type === 'JSXText' && LETTERS.test(String(value))) found.push(String(value).trim())
    if (type === 'JSXAttribute' && SPOKEN.includes(String(name?.name))) {
      const text: unknown = Reflect.get(Object(value), 'value')
      if (typeof text === 'string' && LETTERS.test(text)) found.push(text)
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync('component.tsx', source).program)
  return found
}

test('finds text and attributes outside the catalogue, but no expressions', () => {
  const source = 'const a = <p title="Close">Hello {b.name} <i aria-label={b.label}>·</i></p>'
  expect(literalsOf(source)).toEqual(['Close', 'Hello'])
})

test('every component’s text is in the catalogue', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'),
  )
  expect(files.length).toBeGreaterThan(60)
  const found = files.flatMap((file) =>
    literalsOf(readFileSync(join(SOURCES, file), 'utf8')).map((text) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})
