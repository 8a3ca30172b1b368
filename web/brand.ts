import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteConfig } from '@gatehouse/model'
import { contrast, mix } from './colour.ts'

/** What `brand` of the deployer's file makes of the site: colours of their own in both themes, their logo, their icon. */
type Brand = SiteConfig['brand']

const THEMES = ['light', 'dark'] as const
type Theme = (typeof THEMES)[number]
type Colours = Record<string, string>

const TEXT_CONTRAST = 4.5
const CONTROL_CONTRAST = 3

/** As drawn: styles/_tokens.scss, the grounds that own colours have to be read on included. */
const DRAWN = readTokens(readFileSync(join(import.meta.dirname, 'src/styles/_tokens.scss'), 'utf8'))

/** Everything in a theme that comes from its one colour; what is pressed goes on in the direction of the text on it. */
function tokensOf(theme: Theme, colour: string): Colours {
  const { page = '', surface = '', ink = '' } = DRAWN[theme]
  if (theme === 'light')
    return {
      brand: colour,
      'brand-hover': mix(colour, '#000000', 0.22),
      'brand-active': mix(colour, '#000000', 0.39),
      'on-brand': '#ffffff',
      link: colour,
      'link-hover': mix(colour, '#000000', 0.3),
      focus: colour,
      selected: mix(surface, colour, 0.11),
      band: mix(colour, '#000000', 0.28),
      'band-ink': mix(colour, '#ffffff', 0.94),
      'band-ink-2': mix(colour, '#ffffff', 0.72),
      'band-line': mix(colour, '#ffffff', 0.14),
    }
  return {
    brand: colour,
    'brand-hover': mix(colour, '#ffffff', 0.24),
    'brand-active': mix(colour, '#ffffff', 0.45),
    'on-brand': mix(colour, '#000000', 0.83),
    link: colour,
    'link-hover': mix(colour, '#ffffff', 0.4),
    focus: colour,
    selected: mix(surface, colour, 0.1),
    band: mix(page, colour, 0.12),
    'band-ink': ink,
    'band-ink-2': mix(ink, colour, 0.35),
    'band-line': mix(page, colour, 0.26),
  }
}

/** Which of the colours lie on which, and how much they have to differ: the table of the design, as far as it changes. */
const PAIRS: [front: string, grounds: string[], needs: number][] = [
  ['link', ['page', 'surface', 'raised', 'sunken', 'hover', 'selected'], TEXT_CONTRAST],
  ['link-hover', ['page', 'surface'], TEXT_CONTRAST],
  ['on-brand', ['brand', 'brand-hover', 'brand-active'], TEXT_CONTRAST],
  ['band-ink', ['band'], TEXT_CONTRAST],
  ['band-ink-2', ['band'], TEXT_CONTRAST],
  ['ink', ['selected'], TEXT_CONTRAST],
  ['ink-2', ['selected'], TEXT_CONTRAST],
  ['ink-3', ['selected'], TEXT_CONTRAST],
  ['focus', ['page', 'surface', 'raised'], CONTROL_CONTRAST],
]

/** The pair of a theme that is hardest to tell apart, against what it needs. */
function weakest(tokens: Colours) {
  const all = PAIRS.flatMap(([front, grounds, needs]) =>
    grounds.map((ground) => ({
      front,
      ground,
      needs,
      ratio: contrast(tokens[front] ?? '', tokens[ground] ?? ''),
    })),
  )
  return all.toSorted((one, other) => one.ratio / one.needs - other.ratio / other.needs)[0]
}

/** What stands against serving the site with this brand, in plain words; files are looked for beside site.json. */
export function mistakesOf({ colours, logo, icon }: Brand, directory: string): string[] {
  const files = [logo?.light, logo?.dark, icon].filter((name) => typeof name === 'string')
  return [
    ...(colours ? THEMES.flatMap((theme) => mistakesOfColour(theme, colours[theme])) : []),
    ...files.flatMap((name) => mistakesOfFile(name, directory)),
  ]
}

function mistakesOfColour(theme: Theme, colour: string) {
  const found = weakest({ ...DRAWN[theme], ...tokensOf(theme, colour) })
  if (!found || found.ratio >= found.needs) return []
  return [
    `brand.colours.${theme}: ${colour} can not be read everywhere (${found.front} on ${found.ground}: ${found.ratio.toFixed(1)}, needed: ${found.needs}). The nearest that can: ${nearest(theme, colour)}`,
  ]
}

/** Darker and darker on a light ground, lighter on a dark one. */
function nearest(theme: Theme, colour: string) {
  for (let share = 0.01; share < 1; share += 0.01) {
    const shade = mix(colour, theme === 'light' ? '#000000' : '#ffffff', share)
    const found = weakest({ ...DRAWN[theme], ...tokensOf(theme, shade) })
    if (found && found.ratio >= found.needs) return shade
  }
  return DRAWN[theme]['brand'] ?? ''
}

function mistakesOfFile(name: string, directory: string) {
  const file = join(directory, name)
  if (!existsSync(file)) return [`brand: ${file} is not there`]
  const text = readFileSync(file, 'utf8')
  return [
    ...(sizeOf(text) ? [] : [`brand: ${file} has no viewBox, so nobody knows its size`]),
    ...(/<script|\son\w+=|href="(?!#)/i.test(text)
      ? [`brand: ${file} has a script or fetches something: browsers would refuse it`]
      : []),
  ]
}

/** For Sass: what comes before the styles, and what comes after them. */
export function stylesOf({ colours }: Brand) {
  if (!colours) return { before: '', after: '' }
  const block = (theme: Theme) =>
    Object.entries(tokensOf(theme, colours[theme]))
      .map(([name, value]) => `--gh-${name}: ${value};`)
      .join(' ')
  return {
    before: `$primary: ${colours.light}; $link-color: ${colours.light}; $link-color-dark: ${colours.dark};\n`,
    after: `\n:root, [data-bs-theme='light'] { ${block('light')} }\n[data-bs-theme='dark'] { ${block('dark')} }\n`,
  }
}

/** The files the brand brings, by address. Their names change with their content, so that they may be kept for ever. */
export function filesOf(brand: Brand, directory: string) {
  const files: Record<string, string> = {}
  const add = (name: string) => {
    const text = readFileSync(join(directory, name), 'utf8')
    const [width = 1, height = 1] = sizeOf(text) ?? []
    const src = `/static/logo-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.svg`
    files[src] = text
    return { src, width, height }
  }
  const { logo, icon } = brand
  const light = logo ? add(logo.light) : null
  const dark = logo?.dark ? add(logo.dark) : null
  files['/icon.svg'] = icon ? readFileSync(join(directory, icon), 'utf8') : drawnIcon(brand)
  return {
    files,
    logo: logo && light ? { light, dark, hasName: logo.hasName } : null,
  }
}

const drawnIcon = ({ colours }: Brand) =>
  readFileSync(join(import.meta.dirname, 'src/icon.svg'), 'utf8').replaceAll(
    DRAWN.light['brand'] ?? '',
    colours?.light ?? DRAWN.light['brand'] ?? '',
  )

/** What a home screen shows around the icon. */
export const bandOf = ({ colours }: Brand) =>
  (colours ? tokensOf('light', colours.light) : DRAWN.light)['band'] ?? ''

const sizeOf = (svg: string) =>
  /viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"/.exec(svg)?.slice(1).map(Number)

function readTokens(scss: string): Record<Theme, Colours> {
  const dark = scss.indexOf("[data-bs-theme='dark'] {")
  const rest = scss.indexOf(':root {', dark)
  const read = (part: string) =>
    Object.fromEntries(
      [...part.matchAll(/--gh-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
    )
  return { light: read(scss.slice(0, dark)), dark: read(scss.slice(dark, rest)) }
}
