import { createHash } from 'node:crypto'
import type { SiteConfig } from '@gatehouse/model'
import { brandStyles, drawnIcon } from '@gatehouse/model/brand'

/** `brand` of site.json, with the contents of its files. */
export type BrandInput = {
  colours: SiteConfig['brand']['colours']
  logo: { light: string; dark: string | null; hasName: boolean } | null
  icon: string | null
}

/** Files of the brand and their addresses, which contain a hash: cached for ever. */
export function drawBrand({ colours, logo, icon }: BrandInput) {
  const files: Record<string, string> = {
    '/icon.svg': icon ?? drawnIcon(colours),
  }
  const add = (text: string, name: string, ending: string) => {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
    const address = `/static/${name}-${hash}.${ending}`
    files[address] = text
    return address
  }
  const addPicture = (text: string) => {
    const [width = 1, height = 1] = sizeOf(text) ?? []
    return { src: add(text, 'logo', 'svg'), width, height }
  }
  return {
    logo: logo && {
      light: addPicture(logo.light),
      dark: logo.dark ? addPicture(logo.dark) : null,
      hasName: logo.hasName,
    },
    /** The style sheet of the colours; null for the default ones. */
    styles: colours ? add(brandStyles(colours), 'brand', 'css') : null,
    files,
  }
}

export const sizeOf = (svg: string) =>
  /viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"/.exec(svg)?.slice(1).map(Number)
