/** What happened before the app ran, and is repeated once it does. */
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Typed = { field: Field; index: number; value: string; isChecked: boolean }

const fieldsOfPage = () => [
  ...document.querySelectorAll<Field>('main :is(input, textarea, select)'),
]

/** Each button once: repeated presses mean the same press. */
const presses = new Set<HTMLButtonElement>()
let fields: Field[] = []
let typed: Typed[] = []

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

/** Before hydration: fields a re-render removes still hold what was typed. */
export function collectFields() {
  fields = fieldsOfPage()
}

/** In the commit itself, so that no keystroke is lost; also finds values the browser restored. */
export function readFields() {
  typed = fields.flatMap((field, index) => {
    const isChecked = field instanceof HTMLInputElement && field.checked
    return isTouched(field) ? [{ field, index, value: field.value, isChecked }] : []
  })
}

export function restoreFields() {
  const now = fieldsOfPage()
  for (const { field, index, value, isChecked } of typed) {
    const target = field.isConnected ? field : now[index]
    if (target?.name !== field.name) continue
    if (isToggle(target)) {
      if (target.checked !== isChecked) target.click()
    } else if (target.value !== value) setValue(target, value)
  }
}

export function replayPresses() {
  for (const pressed of takePresses()) {
    const button = pressed.isConnected ? pressed : sameButton(pressed)
    button?.removeAttribute('aria-busy')
    button?.click()
  }
}

function isTouched(field: Field) {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.selected !== option.defaultSelected)
  if (isToggle(field)) return field.checked !== field.defaultChecked
  return field.value !== field.defaultValue
}

const isToggle = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && ['radio', 'checkbox'].includes(field.type)

/** As if typed: bypasses React's value tracker, and fires the event its handlers listen to. */
function setValue(field: Field, value: string) {
  const prototype: unknown = Object.getPrototypeOf(field)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  const type = field instanceof HTMLSelectElement ? 'change' : 'input'
  field.dispatchEvent(new Event(type, { bubbles: true }))
}

/** Matched by id or text: Login must never become Logout. */
const sameButton = ({ id, textContent, ariaLabel }: HTMLButtonElement) =>
  [...document.querySelectorAll<HTMLButtonElement>('#root button')].find((button) =>
    id ? button.id === id : button.textContent === textContent && button.ariaLabel === ariaLabel,
  )
