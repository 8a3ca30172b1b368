import type { Definition } from '#data/definitions.ts'
import { fieldsNamed, presentationOf } from '#data/presentation.ts'
import type { DefinitionField } from '#data/field.ts'
import { hasReadingPages, readingFieldOf } from '#data/reading.ts'
import { displayOf, rowsOf, type RecordData } from '#data/records.ts'
import { fieldFacts, isLong, isRelation } from '#forms/inputs/types.ts'
import { isEmptyValue, valueText } from '#records/shared/value-text.ts'
import { keyOf, type IndexRequest, type PageRequest } from './read-rows.ts'
import type { PlainLink } from './reading-data.ts'

const SHOWN_MAX = 50

/** Index of a model without a design of its own: titles, each with its summary line. */
export async function loadPlainIndex({ definition, get, query }: IndexRequest) {
  const after = query.get('older')
  const body = await get(
    `${definition.routeName}?limit=${SHOWN_MAX}&total=none${after ? `&after=${encodeURIComponent(after)}` : ''}`,
  )
  const next: unknown = Reflect.get(Object(body), 'next')
  const records = (rowsOf(body) ?? []).map((row): PlainLink => ({
    key: keyOf(definition, row),
    title: displayOf(definition, row),
    lead: leadOf(definition, row),
  }))
  return { reading: 'records', records, older: typeof next === 'string' ? next : null }
}

/** Title, summary line, short values, then long texts; neither empty ones nor the address itself. */
export async function toPlainPage({ definition, record }: PageRequest) {
  const { fields, displayField } = definition.viewData
  const inLead = presentationOf(definition).summary
  const shown = fields.filter(
    (field) =>
      ![displayField, readingFieldOf(definition), ...inLead].includes(field.name) &&
      !isEmptyValue(record[field.name]) &&
      isShown(field),
  )
  return {
    reading: 'record',
    lead: leadOf(definition, record),
    facts: shown
      .filter((field) => !isLong(field) && fieldFacts(field).json !== 'boolean')
      .map((field) => ({ label: field.label, value: valueText(field, record) })),
    texts: shown
      .filter(isLong)
      .map((field) => ({ label: field.label, text: valueText(field, record) })),
  }
}

const leadOf = (definition: Definition, record: RecordData) =>
  fieldsNamed(definition, presentationOf(definition).summary)
    .filter((field) => isShown(field) && !isEmptyValue(record[field.name]))
    .map((field) => valueText(field, record))
    .join(' · ')

/** A written page follows changes of models with pages only: the title of another record could be withdrawn meanwhile. */
const isShown = (field: DefinitionField) => !isRelation(field) || hasReadingPages(field.to ?? '')
