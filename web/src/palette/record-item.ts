import { formatDay, formatInstant } from '#base/dates.ts'
import { nameOf, type Definition } from '#data/definitions.ts'
import type { DefinitionField } from '#data/field.ts'
import { displayOf, type RecordData } from '#data/records.ts'
import { typeOf } from '#forms/inputs/types.ts'
import { paletteMessages } from '#messages/palette.ts'
import type { PaletteItem } from './palette-item.ts'

const SEPARATOR = ' · '

/** The field by which numbered records are known, as tickets are. */
export const numberField = ({ viewData }: Definition) =>
  viewData.fields.find(({ name, type }) => name === 'number' && type === 'integer')

export function recordItem(definition: Definition, record: RecordData): PaletteItem {
  const path = definition.path.toLowerCase()
  const number = numberField(definition) && record['number']
  return {
    key: `${path}/${String(record['id'])}`,
    label: displayOf(definition, record),
    icon: { model: path },
    detail: summaryOf(definition, record),
    end: typeof number === 'number' ? paletteMessages.number(number) : nameOf(definition),
    to: `/${path}/${encodeURIComponent(String(record['id']))}`,
  }
}

const summaryOf = (definition: Definition, record: RecordData) =>
  summaryFields(definition)
    .flatMap((name) => definition.viewData.fields.find((field) => field.name === name) ?? [])
    .map((field) => textOf(field, record))
    .filter(Boolean)
    .join(SEPARATOR)

/** The model's `summary`, once definitions carry it. */
function summaryFields(definition: Definition): string[] {
  const summary: unknown = Reflect.get(definition, 'summary')
  return Array.isArray(summary) ? summary.map(String) : []
}

function textOf(field: DefinitionField, record: RecordData) {
  const value = record[field.name]
  if (value === null || value === undefined) return ''
  const text = [value].flat().map(String)
  switch (typeOf(field)) {
    case 'relation':
      return String(Reflect.get(Object(record['labels']), field.name) ?? '')
    case 'select':
    case 'multiselect':
      return text.map((one) => labelOf(field, one)).join(', ')
    case 'date':
      return formatDay(text.join())
    case 'datetime':
      return formatInstant(text.join())
    default:
      return [...text, ...(field.unit ? [field.unit] : [])].join(' ')
  }
}

const labelOf = ({ options = [] }: DefinitionField, value: string) =>
  options.find((option) => option.value === value)?.label ?? value
