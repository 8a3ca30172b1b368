import { getTypeParser } from './types.ts'

/** A row whose columns are known at run time only, such as the fields of any model. */
export type Row = Record<string, unknown>

/** Makes a row of the texts of its columns. */
export type Shape = (texts: (string | null)[]) => Row

type Field = { name: string; dataTypeID: number }

/** A column called `labels.owner` is the `owner` of the object `labels`, and is left out of it where it is null. */
export function buildShape(fields: Field[]): Shape {
  const columns = fields.map(({ name, dataTypeID }) => {
    const [own, inner] = name.split('.') as [string, string | undefined]
    return { own, inner, parse: getTypeParser(dataTypeID) }
  })
  const groups = [...new Set(columns.flatMap(({ own, inner }) => (inner ? [own] : [])))]
  // Copied, so that rows have room for all columns from the start.
  const empty = Object.fromEntries(columns.map(({ own }) => [own, null])) as Row
  return (texts) => {
    const row = { ...empty }
    for (const group of groups) row[group] = {}
    let place = 0
    for (const { own, inner, parse } of columns) {
      const text = texts[place++]
      const value = typeof text === 'string' ? parse(text) : null
      if (inner === undefined) row[own] = value
      else if (value !== null) (row[own] as Row)[inner] = value
    }
    return row
  }
}
