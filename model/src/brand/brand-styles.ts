import { tokensOf, type Theme } from './brand-colours.ts'
import { channels, mix } from './colour.ts'

type BrandColours = Record<Theme, string>
type Rule = [selector: string, declarations: Record<string, string>]

const LIGHT = ":root, [data-bs-theme='light']"
const DARK = "[data-bs-theme='dark']"

/**
 * CSS that replaces the default brand colours of the built style sheets; load it after site.css. Every rule is in the layer,
 * and in the order, of the one it replaces, so precedence is unchanged. Empty without colours.
 */
export function brandStyles(colours: BrandColours | null): string {
  if (!colours) return ''
  return printLayer('bootstrap', bootstrapRules(colours)) + brandTokens(colours)
}

/** Our own tokens alone. */
export const brandTokens = (colours: BrandColours) => printLayer('base', tokenRules(colours))

/** Declarations that Bootstrap's Sass derives from $primary and $link-color (light) and $link-color-dark (dark). */
function bootstrapRules({ light, dark }: BrandColours): Rule[] {
  const focusBorder = tint(light, 0.5)
  const focusRing = `rgba(${rgb(light)}, 0.25)`
  const filled = { 'background-color': light, 'border-color': light }
  return [
    [
      LIGHT,
      {
        '--bs-primary-text-emphasis': shade(light, 0.6),
        '--bs-primary-bg-subtle': tint(light, 0.8),
        '--bs-primary-border-subtle': tint(light, 0.6),
        ...linkProperties(light, shade(light, 0.2)),
        '--bs-focus-ring-color': focusRing,
      },
    ],
    [
      DARK,
      {
        // Bootstrap has one $primary for both themes.
        '--bs-primary-text-emphasis': tint(light, 0.4),
        '--bs-primary-bg-subtle': shade(light, 0.8),
        '--bs-primary-border-subtle': shade(light, 0.4),
        ...linkProperties(dark, tint(dark, 0.2)),
      },
    ],
    [
      '.form-check-input:focus',
      { 'border-color': focusBorder, 'box-shadow': `0 0 0 0.25rem ${focusRing}` },
    ],
    ['.form-check-input:checked', filled],
    ['.form-check-input[type=checkbox]:indeterminate', filled],
    ['.form-switch .form-check-input:focus', { '--bs-form-switch-bg': switchImage(focusBorder) }],
    // White: Bootstrap's text on a colour that passes the contrast checks of brand.ts.
    ['.btn-link', { '--bs-btn-focus-shadow-rgb': rgb(tint(light, 0.15)) }],
    ['.btn-close', { '--bs-btn-close-focus-shadow': `0 0 0 0.25rem ${focusRing}` }],
    ['.form-control:focus', { 'border-color': focusBorder }],
    ['.form-select:focus', { 'border-color': focusBorder, 'box-shadow': `0 0 0 0 ${focusRing}` }],
  ]
}

const linkProperties = (colour: string, hover: string) => ({
  '--bs-link-color': colour,
  '--bs-link-color-rgb': rgb(colour),
  '--bs-link-hover-color': hover,
  '--bs-link-hover-color-rgb': rgb(hover),
})

const switchImage = (colour: string) =>
  `url("data:image/svg+xml,%3csvg xmlns='http://www.w3.org/2000/svg' viewBox='-4 -4 8 8'%3e%3ccircle r='3' fill='${colour.replace('#', '%23')}'/%3e%3c/svg%3e")`

const tokenRules = ({ light, dark }: BrandColours): Rule[] => [
  [LIGHT, tokenProperties('light', light)],
  [DARK, tokenProperties('dark', dark)],
]

const tokenProperties = (theme: Theme, colour: string) =>
  Object.fromEntries(
    Object.entries(tokensOf(theme, colour)).map(([name, value]) => [`--gh-${name}`, value]),
  )

const tint = (colour: string, share: number) => mix(colour, '#ffffff', share)
const shade = (colour: string, share: number) => mix(colour, '#000000', share)
const rgb = (colour: string) => channels(colour).join(', ')

function printLayer(name: string, rules: Rule[]) {
  const lines = rules.map(([selector, declarations]) => {
    const body = Object.entries(declarations).map(([property, value]) => `${property}: ${value};`)
    return `  ${selector} { ${body.join(' ')} }\n`
  })
  return `@layer ${name} {\n${lines.join('')}}\n`
}
