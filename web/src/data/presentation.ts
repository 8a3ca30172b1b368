import type { Filter } from '@gatehouse/model'
import type { Definition } from './definitions.ts'
import { asObject } from './field.ts'

/** One of the facts above a record: a field, or the capped count of related records. */
export type Fact = { field: string } | { related: string; where?: Filter; label: string }
type Section = { title: string; fields: string[] }
type RelatedView = { model: string; by: string; columns: string[] }
/** The model of a record's messages, with the fields that the timeline shows. */
export type Timeline = { model: string; by: string; text: string; author: string; note?: string }

export type Presentation = {
  icon?: string
  summary: string[]
  list: { columns?: string[]; phone?: string[]; empty?: string }
  glance: Fact[]
  /** Null if the definition has none: its fields are then one table. */
  sections: Section[] | null
  related: RelatedView[] | null
  timeline: Timeline | null
}

/** How a definition says it is shown. Other servers may have written it: a malformed key counts as absent. */
export function presentationOf({ presentation: given, viewData }: Definition): Presentation {
  const names = new Set(viewData.fields.map(({ name }) => name))
  const areFields = (value: unknown): value is string[] =>
    isTexts(value) && value.length > 0 && value.every((name) => names.has(name))
  const list = asObject(given?.['list'])
  const { columns, phone, empty } = list
  const sections = readAll(
    given?.['sections'],
    (one): one is Section => isText(one['title']) && areFields(one['fields']),
  )
  return {
    ...(isText(given?.['icon']) ? { icon: given['icon'] } : {}),
    summary: areFields(given?.['summary']) ? given['summary'] : [],
    list: {
      ...(areFields(columns) ? { columns } : {}),
      ...(areFields(phone) ? { phone } : {}),
      ...(isText(empty) ? { empty } : {}),
    },
    glance:
      readAll(given?.['glance'], (one): one is Fact =>
        'field' in one
          ? areFields([one['field']])
          : isText(one['label']) && /^[^.]+\.[^.]+$/.test(String(one['related'])),
      ) ?? [],
    sections:
      sections && isWithoutRepeats(sections.flatMap(({ fields }) => fields)) ? sections : null,
    related: readAll(
      given?.['related'],
      (one): one is RelatedView =>
        isText(one['model']) && isText(one['by']) && isTexts(one['columns']),
    ),
    timeline: readTimeline(given?.['timeline']),
  }
}

function readTimeline(value: unknown): Timeline | null {
  const { model, by, text, author, note } = asObject(value)
  if (!isText(model) || !isText(by) || !isText(text) || !isText(author)) return null
  return { model, by, text, author, ...(isText(note) ? { note } : {}) }
}

/** Null unless it is a list of which every entry passes. */
const readAll = <T extends object>(
  value: unknown,
  isRight: (one: Record<string, unknown>) => one is T & Record<string, unknown>,
): T[] | null => {
  if (!Array.isArray(value)) return null
  const entries = value.map(asObject)
  return entries.every(isRight) ? entries : null
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)
const isWithoutRepeats = (names: string[]) => new Set(names).size === names.length
