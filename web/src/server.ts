import { provideParts, type SiteData } from '#base/site-data.ts'
import type { Assets } from './document.ts'
import { drawBrand } from './site-brand.ts'
import { partsOf, type SiteInput } from './site-parts.ts'

type RenderInput = SiteInput & {
  /** Output of the client build. */
  assets: Omit<Assets, 'brand'> & { icons: SiteData['icons'] }
}

/**
 * The only entry of the server bundle, which is the same for every site. The pages are imported after the site's data is there:
 * their modules read it once. A process renders one site.
 */
export async function render({ assets, ...input }: RenderInput) {
  const { logo, styles, files } = drawBrand(input.brand)
  provideParts(partsOf(input, { logo, icons: assets.icons }))
  const { buildRenderer } = await import('./render-site.tsx')
  const { readDefinition } = await import('#data/read-definition.ts')
  const definitions = input.definitions.map(readDefinition)
  return buildRenderer({ ...assets, brand: styles }, files, definitions)
}
