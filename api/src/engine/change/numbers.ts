import { fieldsOf, type Model } from '@gatehouse/model'
import { getTableName, sql, type SQL } from 'drizzle-orm'
import { columnOf, tableOf, type Engine } from '#engine/engine.ts'

/** Fields that number the records, by name. */
export const numberFields = (model: Model) =>
  fieldsOf(model)
    .filter(([, { sequence }]) => sequence)
    .map(([name]) => name)

/** SQL: takes the next number. It is used up even if the record isn't written then, as by the column's default. */
export function nextNumber(engine: Engine, model: Model, name: string): SQL {
  const table = tableOf(engine, model)
  return sql`nextval(pg_get_serial_sequence(${getTableName(table)}, ${columnOf(table, name).name}))`
}
