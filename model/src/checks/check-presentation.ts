import { factsOf, hasKnownType, isPlainLine, isRelation } from '#definition/field-types.ts'
import { isStored, type Field } from '#definition/fields.ts'
import { conditionsOf } from '#definition/filter.ts'
import { canSee, fieldOf, type Model } from '#definition/model.ts'
import {
  OTHER_SECTION,
  splitRelated,
  type ReadingPages,
  type RelatedCount,
  type RelatedList,
  type Section,
  type Timeline,
} from '#definition/presentation.ts'
import { checkOwnFilter } from './check-filter.ts'

const COLUMNS_MAX = 8
const FACTS_MAX = 5
const ICON = /^[a-z0-9]+(-[a-z0-9]+)*$/

export const checkPresentation = (model: Model, models: Model[]): string[] => [
  ...checkIcon(model),
  ...under('summary', checkShort(model, model.summary ?? [])),
  ...checkList(model),
  ...checkGlance(model, models),
  ...checkSections(model.sections ?? [], model),
  ...(model.related ?? []).flatMap((list) => checkRelated(list, { model, models })),
  ...(model.timeline ? checkTimeline(model.timeline, { model, models }) : []),
  ...(model.pages ? under('pages', checkPages(model.pages, model)) : []),
]

type Known = { model: Model; models: Model[] }

const under = (place: string, mistakes: string[]) =>
  mistakes.map((mistake) => `${place}: ${mistake}`)

const checkIcon = ({ icon }: Model) =>
  icon === undefined || ICON.test(icon)
    ? []
    : ['icon must be the name of a symbol, of lower-case letters, digits and hyphens']

function checkList(model: Model) {
  const { columns, phone, reader, empty } = model.list ?? {}
  return [
    ...Object.entries({ columns, phone, reader }).flatMap(([name, names]) =>
      names ? under(`list ${name}`, checkColumns(model, names)) : [],
    ),
    ...(empty === undefined || empty.trim() ? [] : ['list empty must not be an empty text']),
  ]
}

/** The link to a record is on its display field. */
const checkColumns = (model: Model, names: readonly string[]) => [
  ...(names.length > COLUMNS_MAX ? [`must be at most ${COLUMNS_MAX} fields`] : []),
  ...(names.includes(model.displayField) ? [] : [`must contain "${model.displayField}"`]),
  ...checkShort(model, names),
]

const checkShort = (model: Model, names: readonly string[]) => [
  ...checkNames(model, names),
  ...names.filter((name) => isLong(model, name)).map((name) => `"${name}" must not be a long text`),
]

/** Lists contain no long texts except the display field. */
function isLong(model: Model, name: string) {
  const field = fieldOf(model, name)
  if (!field || !hasKnownType(field) || name === model.displayField) return false
  return Boolean(factsOf(field.type).text?.isLong)
}

const checkNames = (model: Model, names: readonly string[]) => [
  ...names.flatMap((name) => checkName(model, name)),
  ...repeated(names).map((name) => `"${name}" must not be named twice`),
]

function checkName(model: Model, name: string) {
  const field = fieldOf(model, name)
  if (!field) return [`unknown field "${name}"`]
  return field.hidden ? [`"${name}" must not be hidden from all callers`] : []
}

const repeated = (names: readonly string[]) => [
  ...new Set(names.filter((name, index) => names.indexOf(name) < index)),
]

function checkGlance(model: Model, models: Model[]) {
  const facts = model.glance ?? []
  const fields = facts.flatMap((fact) => ('field' in fact ? [fact.field] : []))
  const counts = facts.flatMap((fact) => ('related' in fact ? [fact] : []))
  return [
    ...(facts.length > FACTS_MAX ? [`glance must be at most ${FACTS_MAX} facts`] : []),
    ...under('glance', checkShort(model, fields)),
    ...counts.flatMap((count) =>
      under(`glance "${count.related}"`, checkCount(count, { model, models })),
    ),
    // A response names a count by its relation and label.
    ...repeated(counts.map(({ related, label }) => `${related} ${label}`)).map(
      (name) => `glance must not count "${name}" twice`,
    ),
  ]
}

function checkCount({ related, where, label }: RelatedCount, known: Known) {
  const { by, ...found } = findReferrer(splitRelated(related), known)
  const mistakes = label.trim() ? found.mistakes : [...found.mistakes, 'label must not be empty']
  if (!found.model || !where) return mistakes
  const filter = checkOwnFilter(found.model, where)
  if (filter.length > 0) return [...mistakes, ...filter]
  const covered = fieldOf(found.model, by)?.covers ?? []
  // Otherwise the count reads every record that refers to this one.
  const uncovered = conditionsOf(where).filter(([name]) => name !== by && !covered.includes(name))
  return [
    ...mistakes,
    ...uncovered.map(([name]) => `where uses "${name}", which the relation’s covers must contain`),
  ]
}

function checkSections(sections: readonly Section[], model: Model) {
  const titles = sections.map(({ title }) => title)
  return [
    ...(titles.every((title) => title.trim()) ? [] : ['section title must not be empty']),
    ...repeated(titles).map((title) => `section "${title}" must not be there twice`),
    ...(titles.includes(OTHER_SECTION)
      ? [`section "${OTHER_SECTION}" is reserved for fields in no section`]
      : []),
    ...sections
      .filter(({ fields }) => fields.length === 0)
      .map(({ title }) => `section "${title}" must have a field`),
    ...under(
      'sections',
      sections.flatMap(({ fields }) => fields.flatMap((name) => checkName(model, name))),
    ),
    ...repeated(sections.flatMap(({ fields }) => fields)).map(
      (name) => `sections: "${name}" must be in one section only`,
    ),
  ]
}

function checkRelated({ columns, ...list }: RelatedList, known: Known) {
  const { model, mistakes } = findReferrer(list, known)
  return under(`related "${list.model}.${list.by}"`, [
    ...mistakes,
    ...(model
      ? [...checkNewestFirst(model), ...under('columns', checkColumns(model, columns))]
      : []),
  ])
}

function checkTimeline({ text, author, note, ...list }: Timeline, known: Known) {
  const { model, mistakes } = findReferrer(list, known)
  return under('timeline', [
    ...mistakes,
    ...(model ? [...checkNewestFirst(model), ...checkShort(model, [text, author])] : []),
    ...(model && note !== undefined && !isSwitch(fieldOf(model, note))
      ? ['note must name a boolean field']
      : []),
  ])
}

const isSwitch = (field: Field | undefined) =>
  field !== undefined && hasKnownType(field) && factsOf(field.type).json === 'boolean'

/** Addresses must name one record each, for every caller. */
function checkPages({ kind, by }: ReadingPages, model: Model) {
  const field = fieldOf(model, by)
  if (!field) return [`unknown field "${by}"`]
  const isKey = isPlainLine(field) && field.unique && field.required && isStored(field)
  return [
    ...(kind === 'reading' ? [] : ['kind must be "reading"']),
    ...(isKey ? [] : [`"${by}" must be a stored text that is required and unique`]),
    ...(canSee(field, 'public') ? [] : [`"${by}" must be visible to everyone`]),
  ]
}

/** The model of a relation that must refer to this one. */
function findReferrer(
  { model: path, by }: { model: string; by: string },
  { model, models }: Known,
) {
  const found = models.find((other) => other.path === path)
  if (!found) return { by, mistakes: [`unknown model "${path}"`] }
  const relation = fieldOf(found, by)
  const isReferrer = isRelation(relation) && relation?.to === model.path
  if (!isReferrer)
    return { by, mistakes: [`"${by}" of ${path} must be a relation to ${model.path}`] }
  return {
    by,
    model: found,
    // A field computed in SQL has no index.
    mistakes: isStored(relation) && !relation.hidden ? [] : [`"${by}" must be stored and visible`],
  }
}

/** A relation's index is in the order of creation; another order would read every record that refers to this one. */
const checkNewestFirst = ({ path, defaultSort }: Model) =>
  defaultSort === null
    ? []
    : [`${path} must have no defaultSort: the relation’s index serves newest first only`]
