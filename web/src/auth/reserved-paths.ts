import { hasProductPages, readConfig } from './read-config.ts'

let fixed: readonly string[] = []
let product: readonly string[] = []

/** Paths of the site's own pages; those of the product count only where config.json offers them. */
export function reservePaths(fixedPaths: readonly string[], productPaths: readonly string[]) {
  fixed = fixedPaths
  product = productPaths
}

/** Assumes product pages until config.json is loaded. */
export const isReserved = (path: string) => fixed.includes(path) || isProductPath(path)

export const isProductPath = (path: string) => product.includes(path) && hasProductPages() !== false

/** Loads config.json only if a model takes a path of a product page, which our own models never do. */
export async function readConfigIfTaken(paths: string[]) {
  if (paths.some((path) => product.includes(path))) await readConfig().catch(() => null)
}
