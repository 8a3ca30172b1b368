import { hasProductPages, readConfig } from './read-config.ts'

let fixed: readonly string[] = []
let product: readonly string[] = []

/** Paths of the site's own pages; those of the product count only where config.json offers them. */
export function reservePaths(fixedPaths: readonly string[], productPaths: readonly string[]) {
  fixed = fixedPaths
  product = productPaths
}

/** Until config.json has been read, the product's own pages are taken to be there. */
export const isReserved = (path: string) =>
  fixed.includes(path) || (product.includes(path) && hasProductPages() !== false)

/** Our own models never take a path of the product's pages: only other servers' models need config.json. */
export async function readConfigIfTaken(paths: string[]) {
  if (paths.some((path) => product.includes(path))) await readConfig().catch(() => null)
}
