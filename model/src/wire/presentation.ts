import { levelOf, type Access, type Visitor } from '#definition/access.ts'
import { factsOf, isRelation } from '#definition/field-types.ts'
import type { Field } from '#definition/fields.ts'
import { conditionsOf } from '#definition/filter.ts'
import { canDo, canSee, fieldOf, visibleFields, type Model } from '#definition/model.ts'
import {
  OTHER_SECTION,
  splitRelated,
  type GlanceFact,
  type Presentation,
  type ReadingPages,
  type RelatedCount,
  type RelatedList,
  type Section,
  type Timeline,
} from '#definition/presentation.ts'

const DEFAULT_COLUMNS_MAX = 7

/** A caller, and the models that theirs may refer to. */
type Viewer = { visitor: Visitor; models: readonly Model[] }

/** A presentation as one caller gets it. A list always has columns: the caller's, or the default. */
export type WirePresentation = Omit<Presentation, 'list' | 'pages'> & {
  pages?: ReadingPages
  list?: { columns: string[]; phone?: string[]; empty?: string }
}

/** For a caller who may read the model: names nothing hidden, and leaves out what becomes empty. */
export function toWirePresentation(model: Model, viewer: Viewer): WirePresentation {
  const level = levelOf(viewer.visitor)
  const { icon, summary = [], glance = [], sections = [], related = [], timeline, pages } = model
  return withoutEmpty({
    icon,
    summary: cutNames(model, summary, level),
    list: toList(model, viewer.visitor),
    glance: glance.filter((fact) => isFactVisible(model, fact, viewer)),
    sections: sections.length > 0 ? toSections(model, sections, level) : [],
    related: related.flatMap((list) => toRelated(list, viewer)),
    timeline: timeline && toTimeline(timeline, viewer),
    // Its field is visible to every caller.
    pages: pages ?? undefined,
  })
}

const withoutEmpty = <T extends object>(parts: T) =>
  Object.fromEntries(
    Object.entries(parts).filter(
      ([, part]) => part !== undefined && !(Array.isArray(part) && part.length === 0),
    ),
  ) as { [K in keyof T]?: Exclude<T[K], undefined> }

function toList(model: Model, visitor: Visitor) {
  const { columns = [], phone = [], reader = columns, empty } = model.list ?? {}
  const level = levelOf(visitor)
  const chosen = cutNames(model, canDo(model, 'update', visitor) ? columns : reader, level)
  return {
    columns: chosen.length > 0 ? chosen : defaultColumns(model, level),
    ...withoutEmpty({ phone: cutNames(model, phone, level), empty }),
  }
}

/** Columns of a model that names none: its display field, and the fields a reader of a list compares. */
export const defaultColumns = (model: Model, level: Access) =>
  [
    model.displayField,
    ...visibleFields(model, level)
      .filter(([name, field]) => name !== model.displayField && isCompared(field))
      .map(([name]) => name),
  ].slice(0, DEFAULT_COLUMNS_MAX)

function isCompared(field: Field) {
  const { options = [], scale, required, sortable, unit } = field
  const facts = factsOf(field.type)
  if (facts.options === 'one') return Boolean(required || scale) || options.some(({ tone }) => tone)
  if (isRelation(field)) return Boolean(required)
  if (facts.column === 'date' || facts.column === 'timestamp') return Boolean(sortable)
  return facts.number !== null && unit !== undefined
}

function toSections(model: Model, sections: readonly Section[], level: Access) {
  const placed = sections.flatMap(({ fields }) => fields)
  const rest = visibleFields(model, level)
    .map(([name]) => name)
    .filter((name) => !placed.includes(name))
  return [...sections, { title: OTHER_SECTION, fields: rest }]
    .map(({ title, fields }) => ({ title, fields: cutNames(model, fields, level) }))
    .filter(({ fields }) => fields.length > 0)
}

function isFactVisible(model: Model, fact: GlanceFact, viewer: Viewer) {
  return 'field' in fact
    ? cutNames(model, [fact.field], levelOf(viewer.visitor)).length > 0
    : isCountVisible(fact, viewer)
}

/** Whether the caller may list the counted records, and see every field that decides which they are. */
export function isCountVisible({ related, where }: RelatedCount, viewer: Viewer) {
  const { model, by } = splitRelated(related)
  const names = where ? conditionsOf(where).map(([name]) => name) : []
  return areListed({ model, names: [by, ...names] }, viewer)
}

function toRelated({ model: path, by, columns }: RelatedList, viewer: Viewer) {
  if (!areListed({ model: path, names: [by] }, viewer)) return []
  const model = viewer.models.find((one) => one.path === path)
  const cut = model ? cutNames(model, columns, levelOf(viewer.visitor)) : []
  return cut.length > 0 ? [{ model: path, by, columns: cut }] : []
}

function toTimeline({ note, ...timeline }: Timeline, viewer: Viewer): Timeline | undefined {
  const { model, by, text, author } = timeline
  if (!areListed({ model, names: [by, text, author] }, viewer)) return undefined
  return note && areListed({ model, names: [note] }, viewer) ? { ...timeline, note } : timeline
}

/** Whether the caller may list the model and see these fields of it. */
function areListed(of: { model: string; names: string[] }, { visitor, models }: Viewer) {
  const model = models.find(({ path }) => path === of.model)
  if (!model || !canDo(model, 'list', visitor)) return false
  return cutNames(model, of.names, levelOf(visitor)).length === of.names.length
}

const cutNames = (model: Model, names: readonly string[], level: Access) =>
  names.filter((name) => {
    const field = fieldOf(model, name)
    return field !== undefined && canSee(field, level)
  })
