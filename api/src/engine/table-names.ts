import { fieldsOf, type Model } from '@gatehouse/model'

/** `lastContactOn` → `last_contact_on`. */
export const snakeCase = (name: string) =>
  name.replaceAll('-', '_').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The column of a field: a renamed one keeps the column of its first name. */
export const columnName = (
  { fields, retired }: Pick<Model, 'fields'> & Partial<Pick<Model, 'retired'>>,
  name: string,
) => snakeCase((fields[name] ?? retired?.[name])?.formerly?.[0] ?? name)

export const uniqueFieldOf = (model: Model, constraint: string) =>
  fieldsOf(model).find(([name]) => uniqueName(model, name) === constraint)?.[0] ?? null

export const tableName = ({ path, table }: Pick<Model, 'path' | 'table'>) =>
  table ?? snakeCase(path)
export const uniqueName = (model: Model, field: string) =>
  `${tableName(model)}_${columnName(model, field)}_unique`
