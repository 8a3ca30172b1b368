import { useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { Definition } from '#data/definitions.ts'
import { readingFieldOf } from '#data/reading.ts'
import type { FormField, FormValues } from './inputs/values.ts'

/** Names of fields: the address of a reading page is suggested from the record's title. */
export type AddressSuggestion = { from: string; to: string }

/** Null for a model without reading pages. */
export function addressSuggestionOf(definition: Definition): AddressSuggestion | null {
  const to = readingFieldOf(definition)
  return to === undefined ? null : { from: definition.viewData.displayField, to }
}

type Options = { fields: FormField[]; values: FormValues; suggestion: AddressSuggestion | null }

/** Follows the title while the address is what the title suggests, so an edited one stays. */
export function useAddressSuggestion(
  form: UseFormReturn<FormValues>,
  { fields, values, suggestion }: Options,
) {
  const title = suggestion ? String(values[suggestion.from] ?? '') : ''
  const last = useRef(title)
  useEffect(() => {
    if (!suggestion || last.current === title) return
    const { to } = suggestion
    const max = maxLengthOf(fields.find(({ name }) => name === to))
    const isEdited = form.getValues(to) !== toAddress(last.current, max)
    last.current = title
    if (!isEdited)
      form.setValue(to, toAddress(title, max), { shouldValidate: form.formState.isSubmitted })
  }, [form, fields, suggestion, title])
}

const maxLengthOf = (field: FormField | undefined) =>
  Number(field?.maxLength ?? field?.rules?.['maxLength'] ?? Infinity)

/** Letters that have no accent to strip. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
}
/** The form's own address. */
const TAKEN = 'create'

/** Lower-case letters, digits and hyphens; empty if the title has none of them. */
export function toAddress(title: string, max = Infinity) {
  const words = title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f’']/g, '')
    .replace(/[^a-z0-9]/g, (letter) => LETTERS[letter] ?? '-')
    .split('-')
    .filter(Boolean)
  while (words.length > 1 && words.join('-').length > max) words.pop()
  const address = words.join('-').slice(0, max)
  return address === TAKEN ? '' : address
}
