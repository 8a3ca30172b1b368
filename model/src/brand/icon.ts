import { DRAWN, tokensOf } from './brand-colours.ts'

type Colours = { light: string } | null

/** The default icon in the provider's colour. */
export const drawnIcon = (colours: Colours) => {
  const brand = colours?.light ?? DRAWN.light['brand']
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><path d="M24 2H8.5a4.5 4.5 0 0 0 0 9H24zM24 15H8.5a4.5 4.5 0 0 0 0 9H24z" fill="${brand}"/><circle cx="2.6" cy="13" r="1.6" fill="#a06a08"/><path d="M6 13h18" stroke="#a06a08" stroke-width="1.6"/></svg>`
}

/** Background of the home-screen icon. */
export const bandOf = (colours: Colours) =>
  (colours ? tokensOf('light', colours.light) : DRAWN.light)['band'] ?? ''
