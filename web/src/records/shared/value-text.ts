import { inputTypeOf } from '#forms/inputs/types.ts'
import { formatDay, formatInstant } from '#base/dates.ts'
import { formatMoney } from '#base/format.ts'
import { site } from '#base/site.ts'
import type { DefinitionField } from '#data/field.ts'
import type { RecordData } from '#data/records.ts'

/** A field's value as text; booleans and long texts are shown by cell.tsx only. */
export function valueText(field: DefinitionField, record: RecordData): string {
  const value = record[field.name]
  switch (inputTypeOf(field)) {
    case 'date':
      return formatDay(String(value))
    case 'datetime':
    case 'datetime-local':
      return formatInstant(String(value))
    case 'multiselect':
      return Array.isArray(value) ? value.join(', ') : String(value)
    case 'select':
    case 'radio':
      return field.options?.find((one) => one.value === String(value))?.label ?? String(value)
    case 'relation':
      return String(Reflect.get(Object(record['labels']), field.name) ?? value)
    case 'integer':
    case 'decimal':
    case 'number':
    case 'range':
      if (typeof value === 'number' && (field.currency ?? field.currencyField))
        return formatMoney(value, currencyOf(field, record))
      return field.unit ? `${String(value)} ${field.unit}` : String(value)
    default:
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}

/** The currency that the record names, otherwise the field's own. */
function currencyOf({ currency, currencyField }: DefinitionField, record: RecordData) {
  const named = currencyField === undefined ? undefined : record[currencyField]
  return typeof named === 'string' && named ? named : (currency ?? site.currency)
}

export const isEmptyValue = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0)
