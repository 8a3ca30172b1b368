import { levelOf, type Visitor } from '#definition/access.ts'
import { resolveDefault, type Context } from '#definition/resolve-tokens.ts'
import { factsOf, isFile } from '#definition/field-types.ts'
import { maxFilesOf, maxLengthOf, pickFacts, type Field } from '#definition/fields.ts'
import { canWrite, fieldsOf, substituteOf, type Model } from '#definition/model.ts'
import { valueSchema, type JsonSchema } from './value-schema.ts'

export const formMetadata = (
  described: Pick<Model, 'fields'>,
  visitor: Visitor,
  context: Context,
) => ({
  fields: fieldsOf(described)
    .filter(([, field]) => canWrite(field, levelOf(visitor)))
    .map(([name, field]) => ({
      name,
      label: field.label,
      type: field.type,
      default: resolveDefault(field, context),
      required: Boolean(field.required),
      ...toSubstitute(substituteOf(described, field, levelOf(visitor))),
      ...pickFacts(field, FORM_FACTS),
      ...toFileLimits(field),
      ...(factsOf(field.type).text === null ? {} : { maxLength: maxLengthOf(field) }),
      rules: formRules(field),
    })),
})

/** `max` is always sent: a field `file` of another server, without it, is what HTML calls so. */
export const toFileLimits = (field: Field) =>
  isFile(field)
    ? { max: maxFilesOf(field), ...pickFacts(field, ['accept', 'maxBytes'] as const) }
    : {}

const toSubstitute = (requiredUnless: string | undefined) =>
  requiredUnless === undefined ? {} : { requiredUnless }

/** The API's validation rules, for checks in the browser. Options already list the allowed values. */
function formRules(field: Field): JsonSchema {
  const { enum: _choices, items, ...rules } = valueSchema(field)
  return field.free ? { ...rules, items } : rules
}

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
