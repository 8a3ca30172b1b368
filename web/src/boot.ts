import { start } from './main.tsx'

/** Starts the app and replays what happened before: presses queued by public/theme.js, and text in the form fields. */
declare global {
  interface Window {
    /** Each button once: repeated presses before hydration mean the same press. */
    earlyPresses?: Set<HTMLButtonElement>
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Typed = { field: Field; index: number; value: string; isChecked: boolean }

const fieldsOfPage = () => [
  ...document.querySelectorAll<Field>('main :is(input, textarea, select)'),
]
/** Collected before hydration: fields a re-render removes still hold what was typed. */
const fields = fieldsOfPage()
let typed: Typed[] = []

start({ onCommit: readFields, onMounted: restoreFields, onSettled: replayPresses })

/** In the commit itself, so that no keystroke is lost; also finds values the browser restored. */
function readFields() {
  typed = fields.flatMap((field, index) => {
    const isChecked = field instanceof HTMLInputElement && field.checked
    return isTouched(field) ? [{ field, index, value: field.value, isChecked }] : []
  })
}

function isTouched(field: Field) {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.selected !== option.defaultSelected)
  if (isToggle(field)) return field.checked !== field.defaultChecked
  return field.value !== field.defaultValue
}

const isToggle = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && ['radio', 'checkbox'].includes(field.type)

function restoreFields() {
  const now = fieldsOfPage()
  for (const { field, index, value, isChecked } of typed) {
    const target = field.isConnected ? field : now[index]
    if (target?.name !== field.name) continue
    if (isToggle(target)) {
      if (target.checked !== isChecked) target.click()
    } else if (target.value !== value) setValue(target, value)
  }
}

/** As if typed: bypasses React's value tracker, and fires the event its handlers listen to. */
function setValue(field: Field, value: string) {
  const prototype: unknown = Object.getPrototypeOf(field)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  const type = field instanceof HTMLSelectElement ? 'change' : 'input'
  field.dispatchEvent(new Event(type, { bubbles: true }))
}

function replayPresses() {
  document.documentElement.dataset['app'] = 'running'
  const buttons = [...(window.earlyPresses ?? [])]
  window.earlyPresses?.clear()
  for (const pressed of buttons) {
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
