import { inputTypeOf, type InputType } from './types.ts'
import type { FormField } from './values.ts'

/** A stored text as the browser normalises it: focusing an input must not count as a change. */
export function normaliseInputValue(field: FormField, text: string) {
  const type = inputTypeOf(field)
  if (LONG.includes(type)) return text.replace(/\r\n?/g, '\n')
  if (UNTYPED.includes(type)) return text
  const input = document.createElement('input')
  input.type = HTML_NAMES[type] ?? type
  for (const [name, bound] of Object.entries(boundsOf(field))) input.setAttribute(name, `${bound}`)
  input.value = PARTS[type]?.exec(text)?.[0] ?? text
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

const LONG: InputType[] = ['textarea', 'markdown']
/** Input types that never normalise their value. */
const UNTYPED: InputType[] = ['select', 'radio', 'relation', 'hidden']

const HTML_NAMES: Partial<Record<InputType, string>> = {
  datetime: 'datetime-local',
  integer: 'text',
  decimal: 'text',
}

/** Other servers send dates and times with more detail than an input accepts: instants, microseconds. */
const PARTS: Partial<Record<InputType, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}(?=[T ])/,
  month: /^\d{4}-\d{2}(?=-\d{2})/,
  week: /^\d{4}-W\d{2}(?=-\d)/,
  time: /\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?/,
  'datetime-local': /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?/,
}
