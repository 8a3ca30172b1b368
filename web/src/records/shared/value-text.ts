import type { FormatterName } from '@gatehouse/model'
import { fieldFacts } from '#forms/inputs/types.ts'
import { formatDay, formatInstant } from '#base/dates.ts'
import { formatList, formatMoney } from '#base/format.ts'
import { site } from '#base/site.ts'
import type { DefinitionField } from '#data/field.ts'
import { readFileLabels } from '#files/file-labels.ts'
import { fileMessages } from '#messages/files.ts'
import type { RecordData } from '#data/records.ts'

/** A field's value as text; booleans and long texts are shown by cell.tsx only. */
export const valueText = (field: DefinitionField, record: RecordData): string =>
  FORMATTERS[fieldFacts(field).formatter](record[field.name], field, record)

type Formatter = (value: unknown, field: DefinitionField, record: RecordData) => string

/** The formatter of each name in the field types; a new name does not compile without one. */
const FORMATTERS = {
  plain: (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value)),
  number: formatNumber,
  day: (value) => formatDay(String(value)),
  instant: (value) => formatInstant(String(value)),
  option: (value, { options }) =>
    options?.find((one) => one.value === String(value))?.label ?? String(value),
  list: (value) => (Array.isArray(value) ? value.join(', ') : String(value)),
  files: (_value, { name }, { labels }) =>
    formatList(readFileLabels(labels, name).map((file) => file.name || fileMessages.gone)),
  label: (value, { name }, { labels }) => String(Reflect.get(Object(labels), name) ?? value),
} satisfies Record<FormatterName, Formatter>

function formatNumber(value: unknown, field: DefinitionField, record: RecordData) {
  if (typeof value === 'number' && (field.currency ?? field.currencyField))
    return formatMoney(value, currencyOf(field, record))
  return field.unit ? `${String(value)} ${field.unit}` : String(value)
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
