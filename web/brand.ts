import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteConfig } from '@gatehouse/model'
import { brandStyles } from './brand-styles.ts'
import { DRAWN, nearest, THEMES, tokensOf, weakest, type Theme } from './brand-colours.ts'

type Brand = SiteConfig['brand']

/** Throws every validation error at once. */
export function buildBrand(brand: Brand, directory: string) {
  const errors = mistakesOf(brand, directory)
  if (errors.length > 0) throw new Error(errors.join('\n'))
  return { ...filesOf(brand, directory), band: bandOf(brand) }
}

/** Logo and icon files are resolved beside site.json. */
export function mistakesOf({ colours, logo, icon }: Brand, directory: string): string[] {
  const files = [logo?.light, logo?.dark, icon].filter((name) => typeof name === 'string')
  return [
    ...(colours ? THEMES.flatMap((theme) => colourErrors(theme, colours[theme])) : []),
    ...files.flatMap((name) => fileErrors(name, directory)),
  ]
}

function colourErrors(theme: Theme, colour: string) {
  const found = weakest(theme, colour)
  if (!found || found.ratio >= found.needs) return []
  return [
    `brand.colours.${theme}: ${colour} isn’t readable everywhere (${found.front} on ${found.ground}: ${found.ratio.toFixed(1)}, needed: ${found.needs}). The nearest that can: ${nearest(theme, colour)}`,
  ]
}

function fileErrors(name: string, directory: string) {
  const file = join(directory, name)
  if (!existsSync(file)) return [`brand: ${file} is not there`]
  const text = readFileSync(file, 'utf8')
  return [
    ...(sizeOf(text) ? [] : [`brand: ${file} has no viewBox, so its size is unknown`]),
    ...(/<script|\son\w+=|href="(?!#)/i.test(text)
      ? [`brand: ${file} has a script or fetches something, which browsers would block`]
      : []),
  ]
}

/** Content-hashed URLs: cached for ever. */
function filesOf(brand: Brand, directory: string) {
  const files: Record<string, string> = {}
  const add = (text: string, name: string, ending: string) => {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
    const address = `/static/${name}-${hash}.${ending}`
    files[address] = text
    return address
  }
  const addPicture = (name: string) => {
    const text = readFileSync(join(directory, name), 'utf8')
    const [width = 1, height = 1] = sizeOf(text) ?? []
    return { src: add(text, 'logo', 'svg'), width, height }
  }
  const { colours, logo, icon } = brand
  const light = logo ? addPicture(logo.light) : null
  const dark = logo?.dark ? addPicture(logo.dark) : null
  files['/icon.svg'] = icon ? readFileSync(join(directory, icon), 'utf8') : drawnIcon(brand)
  return {
    files,
    /** The style sheet of the colours; null for the default ones. */
    styles: colours ? add(brandStyles(colours), 'brand', 'css') : null,
    logo: logo && light ? { light, dark, hasName: logo.hasName } : null,
  }
}

const drawnIcon = ({ colours }: Brand) =>
  readFileSync(join(import.meta.dirname, 'src/icon.svg'), 'utf8').replaceAll(
    DRAWN.light['brand'] ?? '',
    colours?.light ?? DRAWN.light['brand'] ?? '',
  )

/** Background of the home-screen icon. */
const bandOf = ({ colours }: Brand) =>
  (colours ? tokensOf('light', colours.light) : DRAWN.light)['band'] ?? ''

const sizeOf = (svg: string) =>
  /viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"/.exec(svg)?.slice(1).map(Number)
