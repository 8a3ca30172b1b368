import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { brandStyles, brandTokens, DRAWN } from '@gatehouse/model/brand'
import { compileStyles, SOURCES } from '../../web/test/compile-styles.ts'
import { parseDeclarations, type Declaration } from './css-declarations.ts'

const SITE = 'styles/site.scss'
const FORMS = 'styles/forms.scss'
/** In the order of styles/_layers.scss. */
const LAYERS = ['bootstrap', 'base', 'components', 'pages']

type Pair = { light: string; dark: string }
const OTHER: Pair = { light: '#7a1f5c', dark: '#f0b3dc' }
const PAIRS: Pair[] = [
  { light: DRAWN.light['brand'] ?? '', dark: DRAWN.dark['brand'] ?? '' },
  OTHER,
  { light: '#1a4b8c', dark: '#9cc4f5' },
  { light: '#8a1c14', dark: '#ffb3a8' },
  { light: '#5b21b7', dark: '#c5b4fe' },
  { light: '#5a4a00', dark: '#ffffff' },
]

const defaults = parseBuild(null)
const builds = PAIRS.map((pair) => ({ pair, declarations: parseBuild(pair) }))
const dependent = dependentKeys()

describe('brand styles', () => {
  test.each(builds)(
    'replace exactly what Sass derives from $pair.light and $pair.dark',
    ({ pair, declarations }) => {
      const expected = declarations
        .filter((declaration) => dependent.has(keyOf(declaration)))
        .toSorted((one, other) => layerRank(one) - layerRank(other))
      expect(groupByRule(parseDeclarations(brandStyles(pair)))).toEqual(groupByRule(expected))
    },
  )

  test('are empty without colours', () => {
    expect(brandStyles(null)).toBe('')
  })

  test.each([
    { light: 'red', dark: '#ffffff' },
    { light: '#000000', dark: '#fff;} * {color:red' },
  ])('reject $light and $dark, which are not both hexadecimal colours', (pair) => {
    expect(() => brandStyles(pair)).toThrow('is not a colour')
  })
})

test('only site.scss and forms.scss derive values from the brand colours', () => {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|\/)[^_/][^/]*\.scss$/.test(name))
    .filter((name) => compileWith(name, null) !== compileWith(name, OTHER))
  expect(names.toSorted()).toEqual([FORMS, SITE])
})

// The app may load forms.css after the brand styles, so that its `.form-control:focus` is the last in Bootstrap's layer.
test('the components layer sets every brand colour of a form control, so load order is irrelevant', () => {
  const set = new Set(defaults.map(keyOf))
  const controls = parseDeclarations(brandStyles(OTHER)).filter(({ rule }) =>
    /^@layer bootstrap \.form-(check-input|control|select)/.test(rule),
  )
  expect(controls).toHaveLength(9)
  const unset = controls
    .map((declaration) => keyOf(declaration).replace('bootstrap', 'components'))
    .filter((key) => !set.has(key))
  expect(unset).toEqual([])
})

function parseBuild(colours: Pair | null) {
  return [SITE, FORMS].flatMap((name) => parseDeclarations(compileWith(name, colours)))
}

function compileWith(name: string, colours: Pair | null) {
  const { before, after } = sassOf(colours)
  return compileStyles(name, before, name === SITE ? after : '')
}

/** What a build with these colours in Sass would add. */
function sassOf(colours: Pair | null) {
  if (!colours) return { before: '', after: '' }
  const { light, dark } = colours
  return {
    before: `$primary: ${light}; $link-color: ${light}; $link-color-dark: ${dark};\n`,
    after: brandTokens(colours),
  }
}

/** Declarations that differ from the default for at least one pair, and all tokens: two of them are equal for every colour. */
function dependentKeys() {
  const usual = new Map(defaults.map((declaration) => [keyOf(declaration), declaration.value]))
  const changed = builds
    .flatMap(({ declarations }) => declarations)
    .filter((declaration) => usual.get(keyOf(declaration)) !== declaration.value)
  return new Set([...changed, ...parseDeclarations(sassOf(OTHER).after)].map(keyOf))
}

function keyOf({ rule, property }: Declaration) {
  return `${rule} { ${property} }`
}

function layerRank({ rule }: Declaration) {
  return LAYERS.findIndex((layer) => rule.startsWith(`@layer ${layer} `))
}

/** Rules keep their order, which decides between equal specificities; declarations within a rule have none. */
function groupByRule(declarations: Declaration[]) {
  return [...Map.groupBy(declarations, ({ rule }) => rule)].map(([rule, all]) => ({
    rule,
    declarations: Object.fromEntries(all.map(({ property, value }) => [property, value])),
  }))
}
