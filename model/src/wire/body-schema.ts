import type { Access } from '#definition/access.ts'
import type { ModelAction } from '#definition/action.ts'
import { isServerOnly, isStamped, isStampedForAll, type Field } from '#definition/fields.ts'
import { canWrite, fieldsOf, substituteOf, type Model } from '#definition/model.ts'
import { orNull, valueSchema, type JsonSchema } from './value-schema.ts'

type Described = Pick<Model, 'fields'>

export function createSchema(model: Described, level: Access): JsonSchema {
  const fields = writable(model, level)
  return {
    ...bodySchema(model, level),
    properties: Object.fromEntries(
      fields.map(([name, field]) => [
        name,
        schemaOf(field, { level, isNullable: substituteOf(model, field, level) !== undefined }),
      ]),
    ),
    required: fields
      .filter(
        ([, field]) => mustBeSent(field, level) && substituteOf(model, field, level) === undefined,
      )
      .map(([name]) => name),
  }
}

/** The body of a PUT: absent fields are unchanged. An immutable field may be sent with its current value. */
export function updateSchema(model: Model, level: Access): JsonSchema {
  const { properties, ...rest } = bodySchema(model, level)
  return {
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        model.fields[name]?.immutable ? { ...schema, description: IMMUTABLE } : schema,
      ]),
    ),
  }
}

const IMMUTABLE = 'Set at creation; another value is refused'

export const actionSchema = ({ fields = {} }: ModelAction, level: Access): JsonSchema =>
  createSchema({ fields }, level)

/** Fields a body may contain: writable ones, and stamped ones, which the server ignores. */
const writable = (model: Described, level: Access) =>
  fieldsOf(model).filter(
    ([, field]) => canWrite(field, level) || (isStamped(field, level) && !isStampedForAll(field)),
  )

const mustBeSent = (field: Field, level: Access) =>
  Boolean(field.required) &&
  field.default === undefined &&
  !isStamped(field, level) &&
  !isServerOnly(field)

const bodySchema = (model: Described, level: Access) => ({
  type: 'object',
  properties: Object.fromEntries(
    writable(model, level).map(([name, field]) => [
      name,
      schemaOf(field, { level, isNullable: false }),
    ]),
  ),
  additionalProperties: false,
})

function schemaOf(field: Field, { level, isNullable }: { level: Access; isNullable: boolean }) {
  if (isStamped(field, level)) return {}
  return field.required && !isNullable ? valueSchema(field) : orNull(valueSchema(field))
}
