import { getTypeParser } from './types.ts'

/** A row whose columns are known at run time only, such as the fields of any model. */
export type Row = Record<string, unknown>

/** Makes a row of the texts of its columns. */
export type Shape = (texts: (string | null)[]) => Row

export function buildShape(fields: { name: string; dataTypeID: number }[]): Shape {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: getTypeParser(dataTypeID) }))
  // Copied, so that rows have room for all columns from the start.
  const empty = Object.fromEntries(columns.map(({ name }) => [name, null])) as Row
  return (texts) => {
    const row = { ...empty }
    let place = 0
    for (const { name, parse } of columns) {
      const text = texts[place++]
      if (typeof text === 'string') row[name] = parse(text)
    }
    return row
  }
}
