import type { Filter } from '@gatehouse/model'
import type { Definition } from './definitions.ts'
import { asObject } from './field.ts'

/** One of the facts above a record: a field, or the capped count of related records. */
export type Fact = { field: string } | { related: string; where?: Filter; label: string }
/** The model of a record's messages, with the fields that the timeline shows. */
export type Timeline = { model: string; by: string; text: string; author: string; note?: string }

export type Presentation = {
  icon?: string
  summary: string[]
  list: { columns?: string[]; phone?: string[]; empty?: string }
}

/**
 * How a definition says it is shown in lists and links; its page is in records/detail/page-layout.ts. Other servers may have
 * written it: a malformed key counts as absent.
 */
export function presentationOf({ presentation: given, viewData }: Definition): Presentation {
  const areFields = fieldsIn(viewData)
  const { icon, summary } = given ?? {}
  const { columns, phone, empty } = asObject(given?.['list'])
  return {
    ...(isText(icon) ? { icon } : {}),
    summary: areFields(summary) ? summary : [],
    list: {
      ...(areFields(columns) ? { columns } : {}),
      ...(areFields(phone) ? { phone } : {}),
      ...(isText(empty) ? { empty } : {}),
    },
  }
}

/** The fields of these names, in their order. */
export const fieldsNamed = ({ viewData }: Definition, names: readonly string[]) =>
  names.flatMap((name) => viewData.fields.find((field) => field.name === name) ?? [])

/** Whether a value is a list of names, and all of them are fields. */
export const fieldsIn =
  ({ fields }: Definition['viewData']) =>
  (value: unknown): value is string[] =>
    isTexts(value) &&
    value.length > 0 &&
    value.every((name) => fields.some((field) => field.name === name))

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(isText)
