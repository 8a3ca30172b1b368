import { isTrue, toInputValue, type InputName } from './types.ts'
import type { FormField } from './values.ts'

/** What an input holds. */
export type Typed = string | boolean | string[]

type InputValue = {
  /** A stored value as the browser normalises it: focusing an input must not count as a change. */
  toInput: (stored: unknown, field: FormField) => Typed
  /** What to send for an input that differs from the stored value. */
  fromInput: (typed: Typed | undefined, field: FormField, stored: unknown) => unknown
}

type Show = (text: string, field: FormField) => string
type Parse = (text: string, field: FormField, stored: unknown) => unknown

const asTyped: Parse = (text) => text

/** An input of text; an emptied one sends null. Unparsable input is sent unchanged: the server reports the error. */
const line = (show: Show, parse = asTyped): InputValue => ({
  toInput: (stored, field) =>
    show(stored === null || stored === undefined ? '' : toInputValue(stored), field),
  fromInput: (typed, field, stored) =>
    typeof typed !== 'string' || typed === '' ? null : parse(typed, field, stored),
})

const unchanged: Show = (text) => text

const withNewlines: Show = (text) => text.replace(/\r\n?/g, '\n')

/** As an input of this HTML type shows it. `part`: other servers send dates and times with more detail than it accepts. */
const asHtml =
  (type: string, part?: RegExp): Show =>
  (text, field) => {
    const input = document.createElement('input')
    input.type = type
    for (const [name, bound] of Object.entries(boundsOf(field)))
      input.setAttribute(name, `${bound}`)
    input.value = part?.exec(text)?.[0] ?? text
    return input.value
  }

/** Bounds of a number input. Step `any` by default, otherwise decimals are rejected. */
export const boundsOf = ({
  min,
  max,
  step = 'any',
}: Omit<FormField, 'step'> & { step?: number | 'any' }) => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
  step,
})

const toNumber: Parse = (text) => (Number.isNaN(Number(text)) ? text : Number(text))

/** A choice of another server may have a value that is not a string. */
const toOption: Parse = (text, { options }) =>
  options?.find(({ value, sent }) => value === text && sent !== undefined)?.sent ?? text

const toInstant: Parse = (local) => {
  const date = new Date(local)
  return Number.isNaN(date.getTime()) ? local : date.toISOString()
}

/** An instant for a datetime-local input, in the reader's time zone. */
function toLocal(instant: string) {
  const date = new Date(instant)
  if (Number.isNaN(date.getTime())) return ''
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

const hasZone = (value: unknown) =>
  typeof value === 'string' && /T.*(Z|[+-]\d{2}:?\d{2})$/.test(value)

const toggle: InputValue = { toInput: isTrue, fromInput: (typed) => typed === true }

const list: InputValue = {
  toInput: (stored) => (Array.isArray(stored) ? stored.map(toInputValue) : []),
  fromInput: (typed) => (Array.isArray(typed) ? typed : []),
}

const number = line(asHtml('text'), toNumber)
const showInstant = asHtml(
  'datetime-local',
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?/,
)

/** Conversion of each input's value; an input without one does not compile. */
export const INPUT_VALUES = {
  line: line(asHtml('text')),
  lines: line(withNewlines),
  markdown: line(withNewlines),
  email: line(asHtml('email')),
  tel: line(asHtml('tel')),
  url: line(asHtml('url')),
  integer: number,
  decimal: number,
  toggle,
  date: line(asHtml('date', /^\d{4}-\d{2}-\d{2}(?=[T ])/)),
  instant: line((text, field) => showInstant(toLocal(text), field), toInstant),
  select: line(unchanged, toOption),
  multiselect: list,
  files: list,
  relation: line(unchanged),
  number: line(asHtml('number'), toNumber),
  range: line(asHtml('range'), toNumber),
  checkbox: toggle,
  radio: line(unchanged, toOption),
  datetimeLocal: line(
    (text, field) => showInstant(hasZone(text) ? toLocal(text) : text, field),
    (text, field, stored) => (hasZone(stored) ? toInstant(text, field, stored) : text),
  ),
  time: line(asHtml('time', /\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?/)),
  month: line(asHtml('month', /^\d{4}-\d{2}(?=-\d{2})/)),
  week: line(asHtml('week', /^\d{4}-W\d{2}(?=-\d)/)),
  search: line(asHtml('search')),
  color: line(asHtml('color')),
  // Never shown.
  password: { ...line(asHtml('password')), toInput: () => '' },
  // Never edited: the default keeps its type.
  hidden: line(unchanged, (text, field) =>
    text === toInputValue(field.default ?? '') ? field.default : text,
  ),
} satisfies Record<InputName, InputValue>
