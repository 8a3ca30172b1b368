/** Presses from before the app ran, repeated once it does; each button once: repeated presses mean the same press. */
const presses = new Set<HTMLButtonElement>()

export function holdPress(button: HTMLButtonElement) {
  button.setAttribute('aria-busy', 'true')
  presses.add(button)
}

export const heldPresses = () => [...presses]

export function takePresses() {
  const taken = [...presses]
  presses.clear()
  for (const button of taken) button.removeAttribute('aria-busy')
  return taken
}

export function replayPresses() {
  for (const pressed of takePresses()) {
    const button = pressed.isConnected ? pressed : sameButton(pressed)
    button?.removeAttribute('aria-busy')
    button?.click()
  }
}

/** Matched by id or text: Login must never become Logout. */
const sameButton = ({ id, textContent, ariaLabel }: HTMLButtonElement) =>
  [...document.querySelectorAll<HTMLButtonElement>('#root button')].find((button) =>
    id ? button.id === id : button.textContent === textContent && button.ariaLabel === ariaLabel,
  )
