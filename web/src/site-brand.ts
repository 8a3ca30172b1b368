import { createHash } from 'node:crypto'
import { brandStyles, drawnIcon, svgSize, type BrandInput } from '@gatehouse/model/brand'

/** Files of the brand and their addresses, which contain a hash: cached for ever. */
export function drawBrand({ colours, logo, icon }: BrandInput) {
  const files: Record<string, string> = {
    '/icon.svg': icon ?? drawnIcon(colours),
  }
  const add = (text: string, name: string, ending: string) => {
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 8)
    const address = `/brand/${name}-${hash}.${ending}`
    files[address] = text
    return address
  }
  const addPicture = (text: string) => {
    const [width = 1, height = 1] = svgSize(text) ?? []
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
