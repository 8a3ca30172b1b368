import { ACTIONS, levelOf, type Access, type Visitor } from './access.ts'
import type { ModelAction } from './action.ts'
import { LINES, LINES_NOT_BLANK, ONE_LINE, ONE_LINE_NOT_BLANK } from './characters.ts'
import {
  factsOf,
  isServerOnly,
  isStampedForAll,
  maxLengthOf,
  type Field,
  type Value,
} from './fields.ts'
import {
  actionsOf,
  canDo,
  canSee,
  canSort,
  canWrite,
  fieldsOf,
  hasTrash,
  type Model,
} from './model.ts'

export type JsonSchema = { [key: string]: unknown }

/** What `@today`, `@now` and `@site.…` stand for at this moment. */
export type Context = { today: string; now: string; site: { country: string; currency: string } }

const TAG_MAX_LENGTH = 50
const TAGS_MAX = 50

/** What a body is described by: a model, or an action of one. */
type Described = Pick<Model, 'fields'>

/** The body of a POST from somebody on this level. */
export function createSchema(model: Described, level: Access): JsonSchema {
  const fields = writable(model, level)
  return {
    ...bodySchema(model, level),
    required: fields.filter(([, field]) => mustBeSent(field, level)).map(([name]) => name),
  }
}

/** The body of a PUT: a field that is absent stays as it is. */
export const updateSchema = (model: Model, level: Access): JsonSchema => bodySchema(model, level)

/** The body of an action. */
export const actionSchema = ({ fields = {} }: ModelAction, level: Access): JsonSchema =>
  createSchema({ fields }, level)

/** One record as somebody on this level reads it. */
export const readSchema = (model: Model, level: Access): JsonSchema =>
  recordSchema(visibleFields(model, level))

/** One record of a list: as `readSchema`, without the long texts. */
export const itemSchema = (model: Model, level: Access): JsonSchema =>
  recordSchema(listFields(model, level))

/** A page of records. */
export const listSchema = (model: Model, level: Access): JsonSchema => ({
  type: 'object',
  properties: {
    items: { type: 'array', items: itemSchema(model, level) },
    next: { type: ['string', 'null'], description: 'Cursor of the next page, for `after`' },
    previous: {
      type: ['string', 'null'],
      description: 'Cursor of the previous page, for `before`',
    },
    total: {
      type: ['object', 'null'],
      description: 'Counted up to 1,000 unless `total=exact` is asked for',
      properties: { count: { type: 'integer' }, exact: { type: 'boolean' } },
      required: ['count', 'exact'],
      additionalProperties: false,
    },
  },
  required: ['items', 'next', 'previous', 'total'],
  additionalProperties: false,
})

export const visibleFields = (model: Model, level: Access) =>
  fieldsOf(model).filter(([, field]) => canSee(field, level))

/** Long texts stay out of lists, unless a record is known by one. */
export const listFields = (model: Model, level: Access) =>
  visibleFields(model, level).filter(
    ([name, field]) => !factsOf(field.type).long || name === model.displayField,
  )

/** What a form needs of each field that this visitor may write, with defaults made real. */
export const formMetadata = (model: Model, visitor: Visitor, context: Context) => ({
  fields: fieldsOf(model)
    .filter(([, field]) => canWrite(field, levelOf(visitor)))
    .map(([name, field]) => ({
      name,
      label: field.label,
      type: field.type,
      default: resolveDefault(field, context),
      required: Boolean(field.required),
      ...pick(field, FORM_FACTS),
      ...(factsOf(field.type).maxLength === undefined ? {} : { maxLength: maxLengthOf(field) }),
      rules: formRules(field),
    })),
})

/** What the API will hold a value against, for the browser to say it first. The choices are in the options already. */
function formRules(field: Field): JsonSchema {
  const { enum: _choices, items, ...rules } = valueSchema(field)
  return field.free ? { ...rules, items } : rules
}

/** The model as the browser knows it (the specification's "model definition"). */
export const toWire = (model: Model, visitor: Visitor, context: Context) => ({
  name: model.name,
  path: model.path,
  routeName: model.routeName,
  ...(model.menu ? {} : { menu: false }),
  viewData: {
    title: model.title,
    displayField: model.displayField,
    fields: canRead(model, visitor)
      ? visibleFields(model, levelOf(visitor)).map(toWireField(model, levelOf(visitor), context))
      : [],
  },
  authorise: { ...toAuthorise(model), ...toPurge(model) },
  // The specification has no word for an action nobody has.
  ...(model.without.length > 0 ? { without: model.without } : {}),
  ...(hasTrash(model) ? { trash: true } : {}),
})

/** Access as the specification writes it: missing = public, false = any signed-in user, true = admin only. */
export const toAuthorise = (model: Model) =>
  Object.fromEntries(
    ACTIONS.filter(
      (action) => !(actionsOf(model).includes(action) && model.access[action] === 'public'),
    ).map((action) => [
      action,
      !actionsOf(model).includes(action) || model.access[action] === 'admin',
    ]),
  )

/** Beyond the specification, and only where there is a trash to empty. */
const toPurge = (model: Model) =>
  hasTrash(model) && model.purge !== 'public' ? { purge: model.purge === 'admin' } : {}

/** A default as a value: `@today` and its kind are looked up. */
export function resolveDefault(field: Field, context: Context): Value {
  if (field.default === undefined) return null
  if (field.default === '@today') return context.today
  if (field.default === '@now') return context.now
  if (field.default === '@site.country') return context.site.country
  if (field.default === '@site.currency') return context.site.currency
  return field.default
}

/** The JSON Schema of one field's value. */
export function valueSchema(field: Field): JsonSchema {
  const facts = factsOf(field.type)
  const schema: JsonSchema = { type: facts.json }
  if (facts.maxLength !== undefined) Object.assign(schema, textLimits(field))
  if (facts.format) schema['format'] = facts.format
  if (facts.format === 'date') schema['pattern'] = YEAR_1_TO_9999
  if (facts.format === 'date-time') schema['pattern'] = YEAR_1_TO_9999
  if (facts.limit !== undefined) Object.assign(schema, numberLimits(field, facts.limit))
  if (field.type === 'select') schema['enum'] = optionValues(field)
  if (field.type === 'multiselect')
    Object.assign(schema, {
      items: field.free
        ? { type: 'string', minLength: 1, maxLength: TAG_MAX_LENGTH, pattern: ONE_LINE_NOT_BLANK }
        : { type: 'string', enum: optionValues(field) },
      uniqueItems: true,
      maxItems: TAGS_MAX,
    })
  return schema
}

/** PostgreSQL has no year 0: refused at the door, not in the database. */
const YEAR_1_TO_9999 = '^(?!0000)[0-9]{4}-'

const FORM_FACTS = [
  'help',
  'options',
  'free',
  'to',
  'min',
  'max',
  'step',
  'unit',
  'immutable',
] as const

const optionValues = (field: Field) => (field.options ?? []).map((option) => option.value)

const textLimits = (field: Field) => ({
  maxLength: maxLengthOf(field),
  pattern: field.pattern ?? factsOf(field.type).pattern ?? textPattern(field),
  ...(field.required ? { minLength: 1 } : {}),
})

function textPattern({ type, required }: Field) {
  if (factsOf(type).long) return required ? LINES_NOT_BLANK : LINES
  return required ? ONE_LINE_NOT_BLANK : ONE_LINE
}

function numberLimits(field: Field, limit: number) {
  const step = field.step ?? factsOf(field.type).step
  return {
    minimum: field.min ?? -limit,
    maximum: field.max ?? limit,
    ...(step === undefined ? {} : { multipleOf: step }),
  }
}

/** Fields a body may hold: what the level may write, and what the server will set itself and therefore ignores. */
const writable = (model: Described, level: Access) =>
  fieldsOf(model).filter(
    ([, field]) => canWrite(field, level) || (isStamped(field, level) && !isStampedForAll(field)),
  )

/** The server fills these in. A value that was sent is ignored, or refused where nobody may ever send one. */
export const isStamped = (field: Field, level: Access) =>
  Boolean(field.stamp) && (level !== 'admin' || isStampedForAll(field))

const mustBeSent = (field: Field, level: Access) =>
  Boolean(field.required) &&
  field.default === undefined &&
  !isStamped(field, level) &&
  !isServerOnly(field)

const bodySchema = (model: Described, level: Access): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    writable(model, level).map(([name, field]) => [
      name,
      isStamped(field, level)
        ? {}
        : field.required
          ? valueSchema(field)
          : orNull(valueSchema(field)),
    ]),
  ),
  additionalProperties: false,
})

/** Reading promises the shape, not the rules: a row may be older than the rule. */
const recordSchema = (fields: [string, Field][]): JsonSchema => {
  const properties: Record<string, JsonSchema> = {
    id: { type: 'string', format: 'uuid' },
    ...Object.fromEntries(fields.map(([name, field]) => [name, readValueSchema(field)])),
    labels: {
      type: 'object',
      description: 'What each relation leads to, by its display field',
      properties: Object.fromEntries(
        fields
          .filter(([, field]) => field.type === 'relation')
          .map(([name]) => [name, { type: 'string' }]),
      ),
      additionalProperties: false,
    },
    version: { type: 'integer' },
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
    sample: { type: 'boolean' },
  }
  return {
    type: 'object',
    properties: { ...properties, deletedAt: DELETED_AT },
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

const DELETED_AT: JsonSchema = {
  type: 'string',
  format: 'date-time',
  description: 'Only of a record in the trash',
}

const readValueSchema = (field: Field): JsonSchema => {
  const facts = factsOf(field.type)
  const format =
    facts.format === 'date' || facts.format === 'date-time' ? { format: facts.format } : {}
  const items = field.type === 'multiselect' ? { items: { type: 'string' } } : {}
  return { type: [facts.json, 'null'], ...format, ...items }
}

const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema['type'], 'null'],
  ...(Array.isArray(schema['enum']) ? { enum: [...schema['enum'], null] } : {}),
})

const canRead = (model: Model, visitor: Visitor) =>
  canDo(model, 'list', visitor) || canDo(model, 'get', visitor)

const toWireField =
  (model: Model, level: Access, context: Context) =>
  ([name, field]: [string, Field]) => ({
    name,
    label: field.label,
    type: field.type,
    default: resolveDefault(field, context),
    ...pick(field, ['options', 'scale', 'to', 'unit'] as const),
    ...(canSort(model, name, level) ? { sortable: true } : {}),
    ...(field.searchable ? { searchable: true } : {}),
  })

const pick = <K extends keyof Field>(field: Field, keys: readonly K[]) =>
  Object.fromEntries(keys.filter((key) => field[key] !== undefined).map((key) => [key, field[key]]))
