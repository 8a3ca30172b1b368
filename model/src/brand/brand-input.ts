import type { Theme } from './brand-colours.ts'

/** `brand` of site.json, with the contents of its files. */
export type BrandInput = {
  colours: Record<Theme, string> | null
  logo: { light: string; dark: string | null; hasName: boolean } | null
  icon: string | null
}

/** Width and height, from its viewBox. */
export const svgSize = (svg: string) =>
  /viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"/.exec(svg)?.slice(1).map(Number)
