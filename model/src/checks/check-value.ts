import { maxLengthOf, type Field } from '#definition/fields.ts'

export function checkOptions(field: Field) {
  const isChoice = field.type === 'select' || field.type === 'multiselect'
  if (!isChoice)
    return field.options || field.free
      ? ['options and free are for select and multiselect only']
      : []
  if (field.scale && field.type !== 'select') return ['scale is for select only']
  const values = (field.options ?? []).map((option) => option.value)
  const mistakes = []
  if (values.length === 0 && !field.free) mistakes.push('options must not be empty')
  if (field.free && field.type === 'select') mistakes.push('free is for multiselect only')
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
  switch (field.type) {
    case 'integer':
      return Number.isInteger(value) && isWithin(field, Number(value))
    case 'decimal':
      return Number.isFinite(value) && isWithin(field, Number(value))
    case 'boolean':
      return typeof value === 'boolean'
    case 'select':
      return isOption(field, value)
    case 'multiselect':
      return Array.isArray(value) && (field.free || value.every((one) => isOption(field, one)))
    case 'date':
    case 'datetime':
    case 'relation':
      return false
    default:
      return typeof value === 'string' && value.length <= (maxLengthOf(field) ?? 0)
  }
}

const isWithin = ({ min, max }: Field, value: number) =>
  value >= (min ?? -Infinity) && value <= (max ?? Infinity)

const isOption = (field: Field, value: unknown) =>
  Boolean(field.options?.some((option) => option.value === value))

const isToken = (field: Field, token: string) =>
  (token === '@today' && field.type === 'date') ||
  (token === '@now' && field.type === 'datetime') ||
  (['@site.country', '@site.currency'].includes(token) && ['select', 'text'].includes(field.type))
