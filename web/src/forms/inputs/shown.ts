import { inputTypeOf, type InputType } from './types.ts'
import type { FormField } from './values.ts'

/**
 * A stored text as its input shows it, by the browser's own rules: what an input holds after someone passed through it
 * must not look like a change.
 */
export function asShown(field: FormField, text: string) {
  const type = inputTypeOf(field)
  if (LONG.includes(type)) return text.replace(/\r\n?/g, '\n')
  if (UNTYPED.includes(type)) return text
  const input = document.createElement('input')
  input.type = HTML_NAMES[type] ?? type
  for (const [name, bound] of Object.entries(boundsOf(field))) input.setAttribute(name, `${bound}`)
  input.value = PARTS[type]?.exec(text)?.[0] ?? text
  return input.value
}

/** A step of its own would refuse every number between. */
export const boundsOf = ({
  min,
  max,
  step = 'any',
}: Omit<FormField, 'step'> & { step?: number | 'any' }) => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
  step,
})

const LONG: InputType[] = ['textarea', 'markdown']
/** Chosen, or not shown at all: nothing passes through a line of text. */
const UNTYPED: InputType[] = ['select', 'radio', 'relation', 'hidden']

const HTML_NAMES: Partial<Record<InputType, string>> = {
  datetime: 'datetime-local',
  integer: 'text',
  decimal: 'text',
}

/** Other servers write days and times at greater length than an input takes them: as instants, with microseconds. */
const PARTS: Partial<Record<InputType, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}(?=[T ])/,
  month: /^\d{4}-\d{2}(?=-\d{2})/,
  week: /^\d{4}-W\d{2}(?=-\d)/,
  time: /\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?/,
  'datetime-local': /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?/,
}
