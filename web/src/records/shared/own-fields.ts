import type { Definition } from '#data/definitions.ts'
import type { DefinitionField } from '#data/field.ts'
import type { RecordData } from '#data/records.ts'

/** Never shown, even if the definition doesn't declare a password. */
const PASSWORD = /pass(word|wd|phrase)/i

/** A definition's fields, or the records' own simple values if it declares none. Without the id, which is shown separately. */
export function fieldsOf({ viewData }: Definition, records: RecordData[]): DefinitionField[] {
  const { fields, unshown = [] } = viewData
  if (fields.length > 0) return fields
  const names = new Set(records.flatMap((record) => Object.keys(record)))
  return [...names].flatMap((name) => {
    const values = records.map((record) => record[name]).filter((value) => value != null)
    const isShown =
      name !== 'id' && !PASSWORD.test(name) && !unshown.some((one) => one.name === name)
    return isShown && values.length > 0 && values.every(isSimple)
      ? [{ name, label: name, type: typeOfAll(values) }]
      : []
  })
}

const isSimple = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

function typeOfAll(values: unknown[]) {
  const types = new Set(values.map((value) => typeof value))
  if (types.size > 1) return 'text'
  return types.has('boolean') ? 'boolean' : types.has('number') ? 'decimal' : 'text'
}
