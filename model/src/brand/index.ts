/** Colours, icon and style sheet of a provider's brand: computed without files, so that a running server can. */
export { svgSize, type BrandInput } from './brand-input.ts'
export { brandStyles, brandTokens } from './brand-styles.ts'
export { DRAWN, nearest, THEMES, tokensOf, weakest, type Theme } from './brand-colours.ts'
export { contrast } from './colour.ts'
export { bandOf, drawnIcon } from './icon.ts'
