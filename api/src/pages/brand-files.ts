import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteConfig } from '@gatehouse/model'
import {
  nearest,
  svgSize,
  THEMES,
  weakest,
  type BrandInput,
  type Theme,
} from '@gatehouse/model/brand'
import { SetupError } from '#platform/errors.ts'

type Brand = SiteConfig['brand']

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
    ...(svgSize(text) ? [] : [`brand: ${file} has no viewBox, so its size is unknown`]),
    ...(/<script|\son\w+=|href="(?!#)/i.test(text)
      ? [`brand: ${file} has a script or fetches something, which browsers would block`]
      : []),
  ]
}

/** The contents of its files, for the pages; throws every validation error at once. */
export function readBrand(brand: Brand, directory: string): BrandInput {
  const errors = mistakesOf(brand, directory)
  if (errors.length > 0) throw new SetupError(errors.join('\n'))
  const { colours, logo, icon } = brand
  const read = (name: string) => readFileSync(join(directory, name), 'utf8')
  return {
    colours,
    logo: logo && { ...logo, light: read(logo.light), dark: logo.dark ? read(logo.dark) : null },
    icon: icon ? read(icon) : null,
  }
}
