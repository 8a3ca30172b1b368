import { listMessages } from '#messages/list.ts'
import { fieldFacts, isDate, isLong } from '#forms/inputs/types.ts'
import type { DefinitionField } from '#data/field.ts'
import type { Definition } from '#data/definitions.ts'
import { fieldsNamed, presentationOf } from '#data/presentation.ts'
import type { RecordData } from '#records/shared/loader-errors.ts'
import { fieldsOf } from '#records/shared/own-fields.ts'

/** Default maximum; more can be chosen. */
export const COLUMNS_AT_FIRST = 7

type ColumnOptions = { definition: Definition; items: RecordData[]; chosen: string[] | null }

export function columnsOf({ definition, items, chosen }: ColumnOptions): DefinitionField[] {
  const display = displayField(definition)
  const offered = columnsToChoose(definition)
  const picked = (chosen ?? []).flatMap((name) => offered.find((one) => one.name === name) ?? [])
  if (picked.length > 0) return picked.includes(display) ? picked : [display, ...picked]
  const given = givenColumns(definition)
  if (given) return given
  const rest = fieldsOf(definition, items).filter(
    ({ name }) => name !== display.name && items.some((item) => name in item),
  )
  const columns = [display, ...rest]
  const isCut = supportsQueries(definition) || definition.viewData.fields.length === 0
  return isCut ? columns.slice(0, COLUMNS_AT_FIRST) : columns
}

/** The columns that the server chose for this person; null for a server that names none. */
export function givenColumns(definition: Definition): DefinitionField[] | null {
  const { columns } = presentationOf(definition).list
  return columns ? fieldsNamed(definition, columns) : null
}

export function columnsToChoose(definition: Definition): DefinitionField[] {
  const display = displayField(definition)
  const rest = definition.viewData.fields.filter(
    (field) => field.name !== display.name && !isLong(field),
  )
  return [display, ...rest]
}

/** The display field, even if the definition lacks it. */
export const displayField = ({ viewData }: Definition): DefinitionField =>
  viewData.fields.find(({ name }) => name === viewData.displayField) ?? {
    name: viewData.displayField,
    label: viewData.displayField,
    type: 'text',
  }

/** The trash shows the deletion date. */
export const DELETED_AT: DefinitionField = {
  name: 'deletedAt',
  label: listMessages.deletedAt,
  type: 'datetime',
}

/** Our own server, or one that declares sorting or search, understands our queries. */
export const supportsQueries = ({ trash, viewData }: Definition) =>
  trash === true || viewData.fields.some(({ sortable, searchable }) => sortable || searchable)

/** The query without an unavailable sort, or null: links outlive sorts. Other errors are left to the server. */
export function dropInvalidSort(definition: Definition, query: URLSearchParams) {
  const name = query.get('sort')?.replace(/^-/, '')
  const field = definition.viewData.fields.find((one) => one.name === name)
  if (!field || field.sortable || !supportsQueries(definition)) return null
  const mended = new URLSearchParams(query)
  // Cursors depend on the order.
  for (const one of ['sort', 'after', 'before']) mended.delete(one)
  return mended
}

/** Right-aligned. */
export const isRight = (field: DefinitionField) =>
  fieldFacts(field).number !== null || isDate(field)
