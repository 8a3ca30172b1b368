import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { mistakesOf } from '../../api/src/pages/brand-files.ts'
import { contrast, DRAWN } from '@gatehouse/model/brand'

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-brand-'))
afterAll(() => rmSync(directory, { recursive: true }))
const AS_DRAWN = { colours: null, logo: null, icon: null }
const withColours = (light: string, dark: string) =>
  mistakesOf({ ...AS_DRAWN, colours: { light, dark } }, directory)

describe('colours', () => {
  test('colour contrast is computed as WCAG defines it', () => {
    expect(contrast('#000000', '#ffffff')).toBe(21)
    expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
    expect(contrast('#0f5244', '#ffffff')).toBeCloseTo(9.09, 2)
  })

  test('brand colours with enough contrast everywhere are accepted', () => {
    expect(withColours('#0f5244', '#86d8bd')).toEqual([])
    expect(withColours('#7a1f5c', '#f0b3dc')).toEqual([])
  })

  test('a brand colour without contrast is rejected in its theme, and the suggested one is accepted', () => {
    for (const [light, dark, theme] of [
      ['#ffcc00', '#86d8bd', 'light'],
      ['#0f5244', '#003366', 'dark'],
      ['#ff0000', '#86d8bd', 'light'],
      ['#0f5244', '#000000', 'dark'],
    ] as const) {
      const errors = withColours(light, dark)
      expect(errors).toHaveLength(1)
      expect(errors[0]).toContain(`brand.colours.${theme}: `)
      const nearest = /The nearest that can: (#[0-9a-f]{6})$/.exec(errors[0] ?? '')?.[1] ?? ''
      expect(theme === 'light' ? withColours(nearest, dark) : withColours(light, nearest)).toEqual(
        [],
      )
    }
  })
})

test('the default colours equal those of styles/_tokens.scss', () => {
  const scss = readFileSync(
    new URL('../../web/src/styles/_tokens.scss', import.meta.url).pathname,
    'utf8',
  )
  const dark = scss.indexOf("[data-bs-theme='dark'] {")
  const rest = scss.indexOf(':root {', dark)
  const read = (part: string) =>
    Object.fromEntries(
      [...part.matchAll(/--gh-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
    )
  expect(DRAWN).toEqual({ light: read(scss.slice(0, dark)), dark: read(scss.slice(dark, rest)) })
})

describe('pictures', () => {
  const withIcon = (text: string | null) => {
    if (text !== null) writeFileSync(join(directory, 'icon.svg'), text)
    return mistakesOf({ ...AS_DRAWN, icon: 'icon.svg' }, directory)
  }

  test.each([
    ['is not there', null],
    ['has no viewBox', '<svg width="10" height="10"></svg>'],
    ['has a script', '<svg viewBox="0 0 10 10"><script>alert(1)</script></svg>'],
    ['has a script', '<svg viewBox="0 0 10 10" onload="alert(1)"></svg>'],
    ['fetches something', '<svg viewBox="0 0 10 10"><image href="https://a.example/a.png"/></svg>'],
  ])('an icon that %s is rejected', (why, text) => {
    expect(withIcon(text)).toEqual([expect.stringContaining(why)])
  })

  test('a plain SVG icon is accepted', () => {
    expect(withIcon('<svg viewBox="0 0 10 10"><use href="#a"/></svg>')).toEqual([])
  })
})
