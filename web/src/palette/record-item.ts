import { nameOf, type Definition } from '#data/definitions.ts'
import { fieldsNamed, presentationOf } from '#data/presentation.ts'
import { displayOf, type RecordData } from '#data/records.ts'
import { paletteMessages } from '#messages/palette.ts'
import { fieldFacts } from '#forms/inputs/types.ts'
import { isEmptyValue, valueText } from '#records/shared/value-text.ts'
import type { PaletteItem } from './palette-item.ts'

const SEPARATOR = ' · '

/** The field by which numbered records are known, as tickets are. */
export const numberField = ({ viewData }: Definition) =>
  viewData.fields.find((field) => field.name === 'number' && fieldFacts(field).json === 'integer')

export function recordItem(definition: Definition, record: RecordData): PaletteItem {
  const path = definition.path.toLowerCase()
  const { icon, summary } = presentationOf(definition)
  const number = numberField(definition) && record['number']
  return {
    key: `${path}/${String(record['id'])}`,
    label: displayOf(definition, record),
    icon: { model: icon },
    detail: fieldsNamed(definition, summary)
      .filter(({ name }) => !isEmptyValue(record[name]))
      .map((field) => valueText(field, record))
      .join(SEPARATOR),
    end: typeof number === 'number' ? paletteMessages.number(number) : nameOf(definition),
    to: `/${path}/${encodeURIComponent(String(record['id']))}`,
  }
}
