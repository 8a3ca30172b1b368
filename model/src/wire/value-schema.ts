import { LINES, LINES_NOT_BLANK, ONE_LINE, ONE_LINE_NOT_BLANK } from '#definition/text-patterns.ts'
import { factsOf, isFile, type TypeFacts } from '#definition/field-types.ts'
import { maxFilesOf, maxLengthOf, type Field } from '#definition/fields.ts'

export type JsonSchema = { [key: string]: unknown }

const TAG_MAX_LENGTH = 50
const TAGS_MAX = 50

export function valueSchema(field: Field): JsonSchema {
  const facts = factsOf(field.type)
  const schema: JsonSchema = { type: facts.json }
  if (facts.text) Object.assign(schema, textLimits(field, facts.text))
  if (facts.format) schema['format'] = facts.format
  if (facts.format === 'date') schema['pattern'] = YEAR_1_TO_9999
  if (facts.format === 'date-time') schema['pattern'] = YEAR_1_TO_9999
  if (facts.number) Object.assign(schema, numberLimits(field, facts.number))
  if (facts.options === 'one') schema['enum'] = optionValues(field)
  if (facts.options === 'many')
    Object.assign(schema, {
      items: field.free
        ? { type: 'string', minLength: 1, maxLength: TAG_MAX_LENGTH, pattern: ONE_LINE_NOT_BLANK }
        : { type: 'string', enum: optionValues(field) },
      uniqueItems: true,
      maxItems: TAGS_MAX,
    })
  if (isFile(field)) Object.assign(schema, fileLimits(field))
  return schema
}

/** PostgreSQL has no year 0. */
const YEAR_1_TO_9999 = '^(?!0000)[0-9]{4}-'

/** For reading: types without rules, since a row may be older than the rules. */
export const readValueSchema = (field: Field): JsonSchema => {
  const facts = factsOf(field.type)
  const format =
    facts.format === 'date' || facts.format === 'date-time' ? { format: facts.format } : {}
  const items = facts.json === 'array' ? { items: { type: 'string' } } : {}
  return { type: [facts.json, 'null'], ...format, ...items }
}

export const orNull = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema['type'], 'null'],
  ...(Array.isArray(schema['enum']) ? { enum: [...schema['enum'], null] } : {}),
})

const optionValues = (field: Field) => (field.options ?? []).map((option) => option.value)

const textLimits = (field: Field, text: NonNullable<TypeFacts['text']>) => ({
  maxLength: maxLengthOf(field),
  pattern: field.pattern ?? text.pattern ?? textPattern(text.isLong, field.required),
  ...(field.required ? { minLength: 1 } : {}),
})

const fileLimits = (field: Field) => ({
  items: { type: 'string', format: 'uuid' },
  uniqueItems: true,
  ...(field.required ? { minItems: 1 } : {}),
  maxItems: maxFilesOf(field),
})

function textPattern(isLong: boolean, required = false) {
  if (isLong) return required ? LINES_NOT_BLANK : LINES
  return required ? ONE_LINE_NOT_BLANK : ONE_LINE
}

function numberLimits(field: Field, { limit, step: ownStep }: NonNullable<TypeFacts['number']>) {
  const step = field.step ?? ownStep
  return {
    minimum: field.min ?? -limit,
    maximum: field.max ?? limit,
    ...(step === null ? {} : { multipleOf: step }),
  }
}
