import { factsOf, isPlainLine } from '#definition/field-types.ts'
import { maxLengthOf, type Field } from '#definition/fields.ts'

export function checkOptions(field: Field) {
  const { options } = factsOf(field.type)
  if (!options)
    return field.options || field.free
      ? ['options and free are for select and multiselect only']
      : []
  if (field.scale && options !== 'one') return ['scale is for select only']
  const values = (field.options ?? []).map((option) => option.value)
  const mistakes = []
  if (values.length === 0 && !field.free) mistakes.push('options must not be empty')
  if (field.free && options === 'one') mistakes.push('free is for multiselect only')
  if (values.some((value) => !value.trim())) mistakes.push('option must not be empty')
  if (new Set(values).size !== values.length) mistakes.push('options must be unique')
  return mistakes
}

export const checkDefault = (field: Field) =>
  field.default === undefined || canHoldDefault(field, field.default)
    ? []
    : ['default must be a valid value']

function canHoldDefault(field: Field, value: NonNullable<Field['default']>) {
  if (typeof value === 'string' && value.startsWith('@')) return isToken(field, value)
  const { json, number, options, text } = factsOf(field.type)
  if (number)
    return (
      (json === 'integer' ? Number.isInteger(value) : Number.isFinite(value)) &&
      isWithin(field, Number(value))
    )
  if (json === 'boolean') return typeof value === 'boolean'
  if (options === 'one') return isOption(field, value)
  if (options === 'many')
    return Array.isArray(value) && (field.free || value.every((one) => isOption(field, one)))
  return text !== null && typeof value === 'string' && value.length <= (maxLengthOf(field) ?? 0)
}

const isWithin = ({ min, max }: Field, value: number) =>
  value >= (min ?? -Infinity) && value <= (max ?? Infinity)

const isOption = (field: Field, value: unknown) =>
  Boolean(field.options?.some((option) => option.value === value))

function isToken(field: Field, token: string) {
  const { column, options } = factsOf(field.type)
  if (token === '@today') return column === 'date'
  if (token === '@now') return column === 'timestamp'
  return SITE_TOKENS.includes(token) && (options === 'one' || isPlainLine(field))
}

const SITE_TOKENS = ['@site.country', '@site.currency']
