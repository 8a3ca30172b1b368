/** Clicks from before the app ran, replayed once it does; each button once, however often it was clicked. */
const clicks = new Set<Pressed>()
export type Pressed = HTMLButtonElement | HTMLAnchorElement

export function holdClick(button: Pressed) {
  button.setAttribute('aria-busy', 'true')
  clicks.add(button)
}

export const queuedClicks = () => [...clicks]

export function takeClicks() {
  const taken = [...clicks]
  clicks.clear()
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

/** Following a link now would lose this input. */
export const hasUnsavedInput = () =>
  [...document.querySelectorAll<HTMLInputElement>('main :is(input, textarea)')].some((field) =>
    // The value of one that has none is "on", its default is empty.
    ['checkbox', 'radio'].includes(field.type)
      ? field.checked !== field.defaultChecked
      : field.value !== field.defaultValue,
  )

/** Matches by id or text: Login must never become Logout. */
const sameOne = ({ id, tagName, textContent, ariaLabel }: Pressed) =>
  [...document.querySelectorAll<Pressed>(`#root ${tagName}`)].find((one) =>
    id ? one.id === id : one.textContent === textContent && one.ariaLabel === ariaLabel,
  )
