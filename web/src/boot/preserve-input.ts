/** Preserves input typed before hydration, which would reset it. Loaded with the app. */
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
type Typed = { field: Field; index: number; value: string; isChecked: boolean }

const fieldsOfPage = () => [
  ...document.querySelectorAll<Field>('main :is(input, textarea, select)'),
]

let fields: Field[] = []
let typed: Typed[] = []

/** Called before hydration: fields that a re-render removes still hold their input. */
export function collectFields() {
  fields = fieldsOfPage()
}

/** Called in the commit itself, so that no keystroke is lost; also finds values the browser restored. */
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

function isTouched(field: Field) {
  if (field instanceof HTMLSelectElement)
    return [...field.options].some((option) => option.selected !== option.defaultSelected)
  if (isToggle(field)) return field.checked !== field.defaultChecked
  return field.value !== field.defaultValue
}

const isToggle = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && ['radio', 'checkbox'].includes(field.type)

/** Sets a value as if typed: bypasses React's value tracker, and fires the event its handlers listen to. */
function setValue(field: Field, value: string) {
  const prototype: unknown = Object.getPrototypeOf(field)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  const type = field instanceof HTMLSelectElement ? 'change' : 'input'
  field.dispatchEvent(new Event(type, { bubbles: true }))
}
