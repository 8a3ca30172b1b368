import type { Definition } from '#data/definitions.ts'
import { asObject } from '#data/field.ts'
import { fieldsIn, isText, isTexts, type Fact, type Timeline } from '#data/presentation.ts'

type Section = { title: string; fields: string[] }
type RelatedView = { model: string; by: string; columns: string[] }

export type PageLayout = {
  glance: Fact[]
  /** Null if the definition has none: its fields are then one table. */
  sections: Section[] | null
  related: RelatedView[]
  timeline: Timeline | null
}

/** How a definition says a record's page is laid out; a malformed key counts as absent. */
export function pageLayoutOf({ presentation: given, viewData }: Definition): PageLayout {
  const areFields = fieldsIn(viewData)
  const sections = readAll(
    given?.['sections'],
    (one): one is Section => isText(one['title']) && areFields(one['fields']),
  )
  return {
    glance:
      readAll(given?.['glance'], (one): one is Fact =>
        'field' in one
          ? areFields([one['field']])
          : isText(one['label']) && /^[^.]+\.[^.]+$/.test(String(one['related'])),
      ) ?? [],
    sections: sections && hasNoRepeats(sections.flatMap(({ fields }) => fields)) ? sections : null,
    related:
      readAll(
        given?.['related'],
        (one): one is RelatedView =>
          isText(one['model']) && isText(one['by']) && isTexts(one['columns']),
      ) ?? [],
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

const hasNoRepeats = (names: string[]) => new Set(names).size === names.length
