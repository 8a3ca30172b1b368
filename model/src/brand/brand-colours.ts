import { contrast, mix } from './colour.ts'
import { DRAWN } from './drawn-colours.ts'

export { DRAWN }
export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]
type Colours = Record<string, string>

const TEXT_CONTRAST = 4.5
const CONTROL_CONTRAST = 3

/** Pressed states contrast more with the text on them. */
export function tokensOf(theme: Theme, colour: string): Colours {
  const { page = '', surface = '', ink = '' } = DRAWN[theme]
  if (theme === 'light')
    return {
      brand: colour,
      'brand-hover': mix(colour, '#000000', 0.22),
      'brand-active': mix(colour, '#000000', 0.39),
      'on-brand': '#ffffff',
      link: colour,
      'link-hover': mix(colour, '#000000', 0.3),
      focus: colour,
      selected: mix(surface, colour, 0.11),
      band: mix(colour, '#000000', 0.28),
      'band-ink': mix(colour, '#ffffff', 0.94),
      'band-ink-2': mix(colour, '#ffffff', 0.72),
      'band-line': mix(colour, '#ffffff', 0.14),
    }
  return {
    brand: colour,
    'brand-hover': mix(colour, '#ffffff', 0.24),
    'brand-active': mix(colour, '#ffffff', 0.45),
    'on-brand': mix(colour, '#000000', 0.83),
    link: colour,
    'link-hover': mix(colour, '#ffffff', 0.4),
    focus: colour,
    selected: mix(surface, colour, 0.1),
    band: mix(page, colour, 0.12),
    'band-ink': ink,
    'band-ink-2': mix(ink, colour, 0.35),
    'band-line': mix(page, colour, 0.26),
  }
}

/** Only the pairs that a brand colour changes. */
const PAIRS: [front: string, grounds: string[], needs: number][] = [
  ['link', ['page', 'surface', 'raised', 'sunken', 'hover', 'selected'], TEXT_CONTRAST],
  ['link-hover', ['page', 'surface'], TEXT_CONTRAST],
  ['on-brand', ['brand', 'brand-hover', 'brand-active'], TEXT_CONTRAST],
  ['band-ink', ['band'], TEXT_CONTRAST],
  ['band-ink-2', ['band'], TEXT_CONTRAST],
  ['ink', ['selected'], TEXT_CONTRAST],
  ['ink-2', ['selected'], TEXT_CONTRAST],
  ['ink-3', ['selected'], TEXT_CONTRAST],
  ['focus', ['page', 'surface', 'raised'], CONTROL_CONTRAST],
]

/** The pair with the lowest contrast relative to its minimum, for this brand colour. */
export function weakest(theme: Theme, colour: string) {
  const tokens: Colours = { ...DRAWN[theme], ...tokensOf(theme, colour) }
  const all = PAIRS.flatMap(([front, grounds, needs]) =>
    grounds.map((ground) => ({
      front,
      ground,
      needs,
      ratio: contrast(tokens[front] ?? '', tokens[ground] ?? ''),
    })),
  )
  return all.toSorted((one, other) => one.ratio / one.needs - other.ratio / other.needs)[0]
}

/** The nearest shade, in steps of 1 %, that passes every minimum. */
export function nearest(theme: Theme, colour: string) {
  for (let share = 0.01; share < 1; share += 0.01) {
    const shade = mix(colour, theme === 'light' ? '#000000' : '#ffffff', share)
    const found = weakest(theme, shade)
    if (found && found.ratio >= found.needs) return shade
  }
  return DRAWN[theme]['brand'] ?? ''
}
