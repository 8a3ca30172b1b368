/** Presses from before the app ran, repeated once it does; each button once: repeated presses mean the same press. */
const presses = new Set<Pressed>()
export type Pressed = HTMLButtonElement | HTMLAnchorElement

export function holdClick(button: Pressed) {
  button.setAttribute('aria-busy', 'true')
  presses.add(button)
}

export const queuedClicks = () => [...presses]

export function takeClicks() {
  const taken = [...presses]
  presses.clear()
  for (const button of taken) button.removeAttribute('aria-busy')
  return taken
}

export function replayClicks() {
  for (const pressed of takeClicks()) {
    const button = pressed.isConnected ? pressed : sameOne(pressed)
    button?.removeAttribute('aria-busy')
    button?.click()
  }
}

/** A link would load a page, and this would be gone. */
export const hasUnsavedInput = () =>
  [...document.querySelectorAll<HTMLInputElement>('main :is(input, textarea)')].some(
    (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked,
  )

/** Matched by id or text: Login must never become Logout. */
const sameOne = ({ id, tagName, textContent, ariaLabel }: Pressed) =>
  [...document.querySelectorAll<Pressed>(`#root ${tagName}`)].find((one) =>
    id ? one.id === id : one.textContent === textContent && one.ariaLabel === ariaLabel,
  )
