import {
  canSee,
  factsOf,
  fieldsOf,
  type Access,
  type Field,
  type JsonSchema,
  type Model,
} from '@gatehouse/model'
import { columnValues, SHORT_TEXT, VALUES_MAX } from '#engine/query/column-values.ts'
import { CONDITIONS_MAX, DEPTH_MAX } from '#engine/query/filter.ts'

/** The JSON of `filter`, as far as JSON Schema can express it; `readFilter` enforces the same rules. */
export const filterSchema = (condition: JsonSchema): JsonSchema => groupSchema(condition, DEPTH_MAX)

function groupSchema(condition: JsonSchema, depth: number): JsonSchema {
  const parts = {
    type: 'array',
    items: depth === 1 ? condition : { anyOf: [condition, groupSchema(condition, depth - 1)] },
    maxItems: CONDITIONS_MAX,
  }
  return {
    type: 'object',
    properties: { all: parts, any: parts },
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
  }
}

/** `[field, operator, value]` for one access level. Fields with the same operators share an alternative. */
export function conditionSchema(model: Model, level: Access): JsonSchema {
  const alternatives = new Map<
    string,
    { names: string[]; operators: string[]; value: JsonSchema }
  >()
  for (const [name, field] of fieldsOf(model)) {
    if (!canSee(field, level)) continue
    for (const [value, operators] of operatorsByValue(field)) {
      const key = JSON.stringify([operators, value])
      const existing = alternatives.get(key)
      if (existing) existing.names.push(name)
      else alternatives.set(key, { names: [name], operators, value })
    }
  }
  return {
    description: 'Field, operator, value',
    anyOf: [...alternatives.values()].map(({ names, operators, value }) => ({
      type: 'array',
      prefixItems: [{ enum: names }, { enum: operators }, value],
      items: false,
      minItems: 3,
    })),
  }
}

function operatorsByValue(field: Field): [JsonSchema, string[]][] {
  const scalar = columnValues(field).schema
  const values: [JsonSchema, string[]][] = [
    [scalar, ['eq', 'ne', 'lt', 'lte', 'gt', 'gte']],
    [{ type: 'array', items: scalar, minItems: 1, maxItems: VALUES_MAX }, ['in']],
    [{ type: 'boolean' }, ['empty']],
    [SHORT_TEXT, ['contains', 'startsWith', 'has']],
  ]
  const supported: readonly string[] = factsOf(field.type).operators
  return values
    .map(([value, operators]): [JsonSchema, string[]] => [
      value,
      operators.filter((operator) => supported.includes(operator)),
    ])
    .filter(([, operators]) => operators.length > 0)
}
