import { LINES, LINES_NOT_BLANK, ONE_LINE, ONE_LINE_NOT_BLANK } from '#definition/text-patterns.ts'
import { factsOf, maxLengthOf, type Field } from '#definition/fields.ts'

export type JsonSchema = { [key: string]: unknown }

const TAG_MAX_LENGTH = 50
const TAGS_MAX = 50

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

/** PostgreSQL has no year 0. */
const YEAR_1_TO_9999 = '^(?!0000)[0-9]{4}-'

/** For reading: types without rules, since a row may be older than the rules. */
export const readValueSchema = (field: Field): JsonSchema => {
  const facts = factsOf(field.type)
  const format =
    facts.format === 'date' || facts.format === 'date-time' ? { format: facts.format } : {}
  const items = field.type === 'multiselect' ? { items: { type: 'string' } } : {}
  return { type: [facts.json, 'null'], ...format, ...items }
}

export const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema['type'], 'null'],
  ...(Array.isArray(schema['enum']) ? { enum: [...schema['enum'], null] } : {}),
})

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
