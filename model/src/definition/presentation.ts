import type { Filter } from './filter.ts'

/**
 * How a model is shown, as plain data. Every key is optional. A caller gets them cut to the fields and models of their level; a
 * site may replace any of them with `extendModel`.
 */
export type Presentation = {
  /** Name of a symbol of Bootstrap Icons, such as `hdd-stack`. */
  icon?: string
  /** Fields of the line below a record's title, joined with a middle dot; empty ones are skipped. */
  summary?: readonly string[]
  /** Columns of the list. */
  list?: ListPresentation
  /** Up to five facts at the top of a record's page. */
  glance?: readonly GlanceFact[]
  /** Groups of fields on a record's page; visible fields in none of them follow under “Other”. */
  sections?: readonly Section[]
  /** Lists of records that refer to this one, newest first. */
  related?: readonly RelatedList[]
  /** The model whose records are the conversation on a record, shown with its history. */
  timeline?: Timeline
  /** Public pages for callers who may not update; null draws list and record page for everyone, as does leaving it out. */
  pages?: ReadingPages | null
}

/** The addresses of records contain the field `by`, a required and unique text, instead of the id. */
export type ReadingPages = { kind: 'reading'; by: string }

/**
 * Without `columns`, up to seven follow from the fields: the display field, then in the model's order selects with a tone or
 * scale, required selects and relations, sortable dates, and numbers with a unit.
 */
export type ListPresentation = {
  /** Up to eight fields, the display field among them; no long texts. */
  columns?: readonly string[]
  /** Columns shown on a narrow screen besides the display field, the first two. */
  phone?: readonly string[]
  /** Columns of callers who may not update the records, instead of `columns`; columns a person has saved take precedence over both. */
  reader?: readonly string[]
  /** Sentence shown when there are no records: `No assets yet.` */
  empty?: string
}

/** A field's value, or how many visible records refer to this one, counted to 100. */
export type GlanceFact = { field: string } | RelatedCount

export type RelatedCount = {
  /** Model and relation, as `tickets.organisation`. */
  related: RelationPath
  /** Counts only these; the relation must `cover` the fields. */
  where?: Filter
  /** Follows the number, above the model's title: `open`. */
  label: string
}

type RelationPath = `${string}.${string}`

/** Fields under a heading; a field is in one section only. */
export type Section = { title: string; fields: readonly string[] }

/** `by` is the relation of `model` that refers to this one. */
export type RelatedList = { model: string; by: string; columns: readonly string[] }

/**
 * `by` is the relation of `model` that refers to this one; `text` and `author` are fields of `model`, and `note` is the boolean
 * field of those that only staff see.
 */
export type Timeline = { model: string; by: string; text: string; author: string; note?: string }

export const PRESENTATION_KEYS = [
  'icon',
  'summary',
  'list',
  'glance',
  'sections',
  'related',
  'timeline',
  'pages',
] as const satisfies readonly (keyof Presentation)[]

/** The keys that are given. */
export const presentationOf = (given: Presentation): Presentation =>
  Object.fromEntries(
    PRESENTATION_KEYS.filter((key) => given[key] !== undefined).map((key) => [key, given[key]]),
  )

/** Model and relation of a related count. */
export function splitRelated(related: RelationPath) {
  const [model = '', by = ''] = related.split('.')
  return { model, by }
}

/** Title of the last section, for visible fields in no other. */
export const OTHER_SECTION = 'Other'
