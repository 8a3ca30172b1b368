import { factsOf } from '@gatehouse/model'
import { listMessages } from '#messages/list.ts'
import { typeOf } from '#forms/inputs/types.ts'
import type { DefinitionField } from '#data/field.ts'
import type { Definition } from '#data/definitions.ts'
import type { RecordData } from '#records/record/loading.ts'

/** More columns than these nobody reads at the same time; the others can be chosen. */
export const COLUMNS_AT_FIRST = 7

type Asked = { definition: Definition; items: RecordData[]; chosen: string[] | null }

/** The columns of a list: those chosen, in their order, or the display field and what the list really holds. */
export function columnsOf({ definition, items, chosen }: Asked): DefinitionField[] {
  const display = displayField(definition)
  const offered = columnsToChoose(definition)
  const picked = (chosen ?? []).flatMap((name) => offered.find((one) => one.name === name) ?? [])
  if (picked.length > 0) return picked.includes(display) ? picked : [display, ...picked]
  const rest = definition.viewData.fields.filter(
    ({ name }) => name !== display.name && items.some((item) => name in item),
  )
  const columns = [display, ...rest]
  return answersQuestions(definition) ? columns.slice(0, COLUMNS_AT_FIRST) : columns
}

/** Every column a list can have. Long texts are not in lists. */
export function columnsToChoose(definition: Definition): DefinitionField[] {
  const display = displayField(definition)
  const rest = definition.viewData.fields.filter(
    (field) => field.name !== display.name && !factsOf(typeOf(field)).long,
  )
  return [display, ...rest]
}

/** The field a record is known by, even where a definition does not describe it. */
export const displayField = ({ viewData }: Definition): DefinitionField =>
  viewData.fields.find(({ name }) => name === viewData.displayField) ?? {
    name: viewData.displayField,
    label: viewData.displayField,
    type: 'text',
  }

/** In the trash one wants to know since when. */
export const DELETED_AT: DefinitionField = {
  name: 'deletedAt',
  label: listMessages.deletedAt,
  type: 'datetime',
}

/** True of a server that says which fields can be sorted by or searched: it knows our query. Another's may know none. */
export const answersQuestions = ({ trash, viewData }: Definition) =>
  trash === true || viewData.fields.some(({ sortable, searchable }) => sortable || searchable)

/** Numbers and times stand at the right. */
export const isRight = (field: DefinitionField) =>
  ['integer', 'decimal', 'date', 'datetime'].includes(typeOf(field))
